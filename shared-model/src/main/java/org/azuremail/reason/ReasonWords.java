package org.azuremail.reason;

import java.text.Format;
import java.text.MessageFormat;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.TimeZone;
import java.util.stream.Collectors;

/** The words of reasons, from messages.properties. */
final class ReasonWords {

    private static final ResourceBundle TEXTS =
            ResourceBundle.getBundle("messages", Locale.ROOT, ReasonWords.class.getClassLoader());

    private ReasonWords() {}

    /**
     * Returns the words of a reason. For a code that only a later version knows, these are its values.
     *
     * @param zone the zone in which the times in it are shown
     */
    static String of(Reason reason, ZoneId zone) {
        try {
            MessageFormat words = new MessageFormat(TEXTS.getString("reason." + reason.code()), Locale.ENGLISH);
            for (Format part : words.getFormats()) {
                if (part instanceof SimpleDateFormat date) {
                    date.setTimeZone(TimeZone.getTimeZone(zone));
                }
            }
            return words.format(
                    reason.values().stream().map(value -> shown(value, zone)).toArray());
        } catch (MissingResourceException | IllegalArgumentException unknown) {
            return reason.values().isEmpty()
                    ? reason.code()
                    : reason.values().stream().map(Object::toString).collect(Collectors.joining(", "));
        }
    }

    private static Object shown(Object value, ZoneId zone) {
        return value instanceof Instant instant
                ? Date.from(instant)
                : value instanceof Reason reason ? reason.words(zone) : value;
    }
}
