package org.azuremail.web.layout;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.azuremail.storage.Page;
import org.jspecify.annotations.Nullable;

/**
 * The cursor in an address that says where a page of a long table begins. It may contain any text that a visitor typed.
 * Each issued cursor names its listing, so that a cursor of another listing is refused. The listings themselves see
 * cursors without that name.
 */
public final class PageCursor {

    private static final char END_OF_NAME = '-';

    private PageCursor() {}

    /**
     * Reads a page.
     *
     * @param listing the name of the listing, with everything on which its cursors depend
     * @param cursor the cursor of the page; {@code null} for the first page
     * @throws UnknownCursorException if the service never issued this cursor for this listing
     */
    public static <T> Page<T> read(String listing, @Nullable String cursor, Function<@Nullable String, Page<T>> pages) {
        String name = name(listing);
        Page<T> page = page(withoutName(name, cursor), pages);
        String next = page.continuation();
        return new Page<>(page.items(), next == null ? null : name + next);
    }

    /** @throws UnknownCursorException if the cursor does not begin with the name */
    public static @Nullable String withoutName(String name, @Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        if (!cursor.startsWith(name)) {
            throw new UnknownCursorException();
        }
        return cursor.substring(name.length());
    }

    /**
     * Reads a page of a listing.
     *
     * @param from the cursor without its name; {@code null} for the first page
     * @throws UnknownCursorException if the listing refuses the cursor
     */
    public static <T> Page<T> page(@Nullable String from, Function<@Nullable String, Page<T>> pages) {
        if (from == null) {
            return pages.apply(null);
        }
        try {
            return pages.apply(from);
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            throw new UnknownCursorException(notOurs);
        }
    }

    /** Returns the beginning of all cursors of a listing. */
    public static String name(String listing) {
        CRC32 crc = new CRC32();
        crc.update(listing.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue()) + END_OF_NAME;
    }

    public static final class UnknownCursorException extends RuntimeException {

        private UnknownCursorException() {}

        private UnknownCursorException(RuntimeException notOurs) {
            super(notOurs);
        }
    }
}
