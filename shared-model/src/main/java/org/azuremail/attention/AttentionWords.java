package org.azuremail.attention;

import java.text.DateFormat;
import java.text.Format;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.TimeZone;

/** The words of what needs a person, for processes without pages, from messages.properties. */
public final class AttentionWords {

    private static final ResourceBundle TEXTS =
            ResourceBundle.getBundle("messages", Locale.ROOT, AttentionWords.class.getClassLoader());

    private AttentionWords() {}

    /** @throws MissingResourceException when there is no such text */
    public static String of(String key, Object... values) {
        MessageFormat words = new MessageFormat(TEXTS.getString(key), Locale.ENGLISH);
        for (Format part : words.getFormats()) {
            if (part instanceof DateFormat date) {
                date.setTimeZone(TimeZone.getTimeZone("UTC"));
            }
        }
        return words.format(values);
    }

    /** One of the texts of a cause: its title, its text, or what resolves it. */
    public static String of(Cause cause, String part) {
        return of("attention." + cause.code() + part, cause.said().toArray());
    }

    /** The kind of a job; its own name where it has no text. */
    static String job(String function) {
        String key = "job.kind." + function;
        return TEXTS.containsKey(key) ? TEXTS.getString(key) : function;
    }
}
