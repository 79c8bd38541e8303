package org.azuremail.work.queue;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of an item on a queue: its own text, or a pointer to its payload. Only a text that begins with an
 * exclamation mark has a special meaning. An item's own text that begins with one gets another in front, so that no
 * item can be mistaken for a pointer, even if a stranger wrote its text.
 */
public sealed interface ItemText {

    /** An item's own text. */
    record Plain(String text) implements ItemText {}

    /** A pointer to the payload in the blob with this token. */
    record Pointer(Kind kind, String token) implements ItemText {

        String written() {
            return MARK + kind.name().toLowerCase(Locale.ROOT) + ":" + token;
        }
    }

    enum Kind {
        /** The text of one item that is too large for the queue. */
        OVERFLOW,
        BATCH
    }

    String MARK = "!";
    Pattern POINTER = Pattern.compile("!(overflow|batch):([A-Za-z0-9_-]{1,64})");

    /** Returns the form in which an item's own text is put on the queue. */
    static String plain(String text) {
        return text.startsWith(MARK) ? MARK + text : text;
    }

    /**
     * @throws IllegalArgumentException if the text begins with an exclamation mark but is neither a pointer nor an
     *     escaped text
     */
    static ItemText read(String written) {
        if (!written.startsWith(MARK)) {
            return new Plain(written);
        }
        if (written.startsWith(MARK + MARK)) {
            return new Plain(written.substring(MARK.length()));
        }
        Matcher pointer = POINTER.matcher(written);
        if (!pointer.matches()) {
            throw new IllegalArgumentException("neither an item's text nor a pointer to one");
        }
        return new Pointer(Kind.valueOf(pointer.group(1).toUpperCase(Locale.ROOT)), pointer.group(2));
    }
}
