package org.azuremail.reason;

import java.text.DateFormat;
import java.text.Format;
import java.text.MessageFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.TimeZone;

/** The English texts of messages.properties outside of page templates: in emails to admins, logs and the API. */
public final class Words {

    private static final ResourceBundle TEXTS =
            ResourceBundle.getBundle("messages", Locale.ROOT, Words.class.getClassLoader());

    private Words() {}

    /** Returns a text without parameters; empty if there is none with this key. */
    public static Optional<String> find(String key) {
        return TEXTS.containsKey(key) ? Optional.of(TEXTS.getString(key)) : Optional.empty();
    }

    /**
     * Returns a text with its parameters.
     *
     * @param zone the zone in which the times are shown
     * @throws java.util.MissingResourceException if there is no such text
     */
    public static String of(ZoneId zone, String key, List<?> values) {
        MessageFormat words = new MessageFormat(TEXTS.getString(key), Locale.ENGLISH);
        for (Format part : words.getFormats()) {
            if (part instanceof DateFormat date) {
                date.setTimeZone(TimeZone.getTimeZone(zone));
            }
        }
        return words.format(displayValues(zone, values).toArray());
    }

    /** Returns values in the form for a text: reasons as their words, and times as {@link MessageFormat} needs them. */
    public static List<?> displayValues(ZoneId zone, List<?> values) {
        return values.stream()
                .map(value -> value instanceof Reason reason
                        ? reason.words(zone)
                        : value instanceof Instant instant ? Date.from(instant) : value)
                .toList();
    }
}
