package org.azuremail.list;

import java.util.Locale;
import java.util.Optional;

/**
 * The name of a list: 1 to 50 letters, digits and underscores, folded to lower case. It is the list's partition key and
 * part of links, so it never changes.
 */
public record ListName(String value) implements Comparable<ListName> {

    /** The message about a refused name. */
    public static final String RULE = "Only alphanumeric characters and underscore (_) are allowed, at most 50.";

    private static final int MAX_LENGTH = 50;

    public ListName {
        if (!allowed(value)) {
            throw new IllegalArgumentException(RULE);
        }
        value = value.toLowerCase(Locale.ROOT);
    }

    public static Optional<ListName> parse(String text) {
        String typed = text.trim();
        return allowed(typed) ? Optional.of(new ListName(typed)) : Optional.empty();
    }

    /**
     * Checks character by character, because every email row names its list, and before folding, because the lower case
     * of the Kelvin sign is an ASCII letter.
     */
    private static boolean allowed(String typed) {
        for (int i = 0; i < typed.length(); i++) {
            char c = typed.charAt(i);
            if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_') {
                return false;
            }
        }
        return !typed.isEmpty() && typed.length() <= MAX_LENGTH;
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
