package org.azuremail.work.queue;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of an item on a queue: its own, or the place of its payload. Only what begins with an exclamation mark is not
 * taken literally, and texts of items that begin with one get another in front: no item can be mistaken for a pointer,
 * whatever a stranger made it say.
 */
public sealed interface ItemText {

    /** An item's own text. */
    record Plain(String text) implements ItemText {}

    /** The payload lies in a blob under this token. */
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

    /** Returns an item's own text as it is in the queue. */
    static String plain(String text) {
        return text.startsWith(MARK) ? MARK + text : text;
    }

    /** @throws IllegalArgumentException when it begins with a mark that nobody here wrote */
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
