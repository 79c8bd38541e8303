package org.azuremail.attention;

import java.text.DateFormat;
import java.text.Format;
import java.text.MessageFormat;
import java.time.ZoneId;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.TimeZone;

/** The texts of problems that need a person, from messages.properties, for processes without pages. */
public final class AttentionWords {

    private static final ResourceBundle TEXTS =
            ResourceBundle.getBundle("messages", Locale.ROOT, AttentionWords.class.getClassLoader());

    private AttentionWords() {}

    /**
     * @param zone the zone in which the times are shown
     * @throws MissingResourceException if there is no such text
     */
    public static String of(ZoneId zone, String key, Object... values) {
        MessageFormat words = new MessageFormat(TEXTS.getString(key), Locale.ENGLISH);
        for (Format part : words.getFormats()) {
            if (part instanceof DateFormat date) {
                date.setTimeZone(TimeZone.getTimeZone(zone));
            }
        }
        return words.format(values);
    }

    /** Returns one of the texts of a cause: its title, its text, or what resolves it. */
    public static String of(ZoneId zone, Cause cause, String part) {
        return of(
                zone,
                "attention." + cause.code() + part,
                cause.displayValues(zone).toArray());
    }

    /** Returns the readable kind of a job, or the function's name if it has no text. */
    static String job(String function) {
        String key = "job.kind." + function;
        return TEXTS.containsKey(key) ? TEXTS.getString(key) : function;
    }
}
