package org.azuremail.web.api;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Cursors as callers give them back. */
public final class Cursors {

    private Cursors() {}

    /**
     * Reads a page.
     *
     * @throws RefusedCall when the cursor is none of ours
     */
    public static <T> T read(@Nullable String cursor, Function<@Nullable String, T> page) {
        try {
            return page.apply(cursor);
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            Fields fields = new Fields();
            fields.refuse("cursor", "This is no cursor of ours.");
            throw fields.refusal();
        }
    }
}
