package org.azuremail.web.layout;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The part of an address that says where a page of a long table begins. Anybody can type there what he likes. */
public final class PageCursor {

    private PageCursor() {}

    /**
     * Reads a page of a table.
     *
     * @throws Unknown when the cursor is none of ours
     */
    public static <T> T read(@Nullable String cursor, Function<@Nullable String, T> page) {
        try {
            return page.apply(cursor);
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            throw new Unknown(notOurs);
        }
    }

    /** Nothing begins there. */
    public static final class Unknown extends RuntimeException {

        private static final long serialVersionUID = 1;

        private Unknown(RuntimeException notOurs) {
            super(notOurs);
        }
    }
}
