package org.azuremail.reason;

import java.text.Format;
import java.text.MessageFormat;
import java.text.SimpleDateFormat;
import java.time.Instant;
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

    /** Returns the words of a reason. For a code that only a later version knows, these are its values. */
    static String of(Reason reason) {
        try {
            MessageFormat words = new MessageFormat(TEXTS.getString("reason." + reason.code()), Locale.ENGLISH);
            for (Format part : words.getFormats()) {
                if (part instanceof SimpleDateFormat date) {
                    date.setTimeZone(TimeZone.getTimeZone("UTC"));
                }
            }
            return words.format(reason.values().stream().map(ReasonWords::shown).toArray());
        } catch (MissingResourceException | IllegalArgumentException unknown) {
            return reason.values().isEmpty()
                    ? reason.code()
                    : reason.values().stream().map(Object::toString).collect(Collectors.joining(", "));
        }
    }

    private static Object shown(Object value) {
        return value instanceof Instant instant
                ? Date.from(instant)
                : value instanceof Reason ? value.toString() : value;
    }
}
