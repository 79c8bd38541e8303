package org.azuremail.list;

import java.util.Locale;
import java.util.Optional;

/**
 * The name of a list: 1 to 50 letters, digits and underscores, folded to lower case. It is the list's partition key and
 * is in links, so it never changes.
 */
public record ListName(String value) implements Comparable<ListName> {

    /** The text that is shown when a name is refused. */
    public static final String RULE = "Only alphanumeric characters and underscore (_) are allowed, at most 50.";

    private static final int LONGEST = 50;

    public ListName {
        value = value.toLowerCase(Locale.ROOT);
        if (!allowed(value)) {
            throw new IllegalArgumentException(RULE);
        }
    }

    public static Optional<ListName> parse(String text) {
        String folded = text.trim().toLowerCase(Locale.ROOT);
        return allowed(folded) ? Optional.of(new ListName(folded)) : Optional.empty();
    }

    /** Looked at character by character: every email row names its list. */
    private static boolean allowed(String folded) {
        for (int i = 0; i < folded.length(); i++) {
            char c = folded.charAt(i);
            if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_') {
                return false;
            }
        }
        return !folded.isEmpty() && folded.length() <= LONGEST;
    }

    @Override
    public int compareTo(ListName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
