package org.azuremail.content;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The origin of a message's text part: a generated one follows the HTML, a written one stays as it is. */
public enum TextPart {
    WRITTEN("Written"),
    /** Written before the HTML was last changed. Versions that do not know it take it for a written one. */
    OUTDATED("Outdated"),
    GENERATED("Generated");

    private final String stored;

    TextPart(String stored) {
        this.stored = stored;
    }

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
