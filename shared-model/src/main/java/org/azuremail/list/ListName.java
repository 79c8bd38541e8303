package org.azuremail.list;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a list: 1 to 50 letters, digits and underscores, folded to lower case. It is the list's partition key and
 * is in links, so it never changes.
 */
public record ListName(String value) implements Comparable<ListName> {

    /** The text that is shown when a name is refused. */
    public static final String RULE = "Only alphanumeric characters and underscore (_) are allowed, at most 50.";

    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9_]{1,50}");

    public ListName {
        value = value.toLowerCase(Locale.ROOT);
        if (!ALLOWED.matcher(value).matches()) {
            throw new IllegalArgumentException(RULE);
        }
    }

    public static Optional<ListName> parse(String text) {
        String folded = text.trim().toLowerCase(Locale.ROOT);
        return ALLOWED.matcher(folded).matches() ? Optional.of(new ListName(folded)) : Optional.empty();
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
