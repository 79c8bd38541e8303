package org.azuremail.subscription;

import java.util.Optional;
import java.util.regex.Pattern;
import org.azuremail.id.IdSource;

/**
 * The SubscriberGUID: the secret that stands in a subscriber's links. It begins with the shard that holds the
 * subscriber, so that the look-up is one point read, and carries at least 122 random bits behind it.
 *
 * @param value {@code <shard>.<token>}; the token is 22 characters of {@code A-Z a-z 0-9 - _}, or a UUID's 36
 */
public record SubscriberGuid(String value) {

    private static final Pattern FORM = Pattern.compile("[0-9]{1,3}\\.([A-Za-z0-9_-]{22}|[0-9a-fA-F-]{36})");

    public SubscriberGuid {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("not a SubscriberGUID");
        }
    }

    /** A new one, with 128 random bits. */
    public static SubscriberGuid next(int shard, IdSource ids) {
        return new SubscriberGuid(shard + "." + ids.token());
    }

    /** The GUID, when the text is one. */
    public static Optional<SubscriberGuid> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new SubscriberGuid(text)) : Optional.empty();
    }

    /** The shard of the list that holds the row. */
    public int shard() {
        return Integer.parseInt(value.substring(0, value.indexOf('.')));
    }

    @Override
    public String toString() {
        return value;
    }
}
