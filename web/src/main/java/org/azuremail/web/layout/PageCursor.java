package org.azuremail.web.layout;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The cursor in an address that says where a page of a long table begins; people may type anything there. */
public final class PageCursor {

    private PageCursor() {}

    /** @throws Unknown when the service never gave out this cursor */
    public static <T> T read(@Nullable String cursor, Function<@Nullable String, T> page) {
        try {
            return page.apply(cursor);
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            throw new Unknown(notOurs);
        }
    }

    public static final class Unknown extends RuntimeException {

        private static final long serialVersionUID = 1;

        private Unknown(RuntimeException notOurs) {
            super(notOurs);
        }
    }
}
