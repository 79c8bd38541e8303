package org.azuremail.content;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where a message's text part comes from: a generated one follows the HTML, a written one stays as it is. */
public enum TextPart {
    WRITTEN("Written"),
    GENERATED("Generated");

    private final String stored;

    TextPart(String stored) {
        this.stored = stored;
    }

    /** As it is stored in a row. */
    public String stored() {
        return stored;
    }

    /** {@code null} for rows of versions that did not tell. */
    public static @Nullable TextPart of(@Nullable String stored) {
        return Arrays.stream(values())
                .filter(one -> one.stored.equals(stored))
                .findFirst()
                .orElse(null);
    }
}
