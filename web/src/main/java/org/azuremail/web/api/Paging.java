package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.azuremail.storage.Page;
import org.azuremail.web.layout.PageCursor;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerMapping;

/**
 * The page of a listing that a call requests, as an argument of API methods. Each cursor in an answer begins with a
 * name of its listing, so that a cursor of another listing is refused. The listings themselves see cursors without that
 * name.
 *
 * @param listing the beginning of the listing's cursors, derived from its address regardless of case
 * @param cursor the cursor from the previous page; {@code null} for the first page
 * @param limit the most items on the page; 100 by default
 */
public record Paging(String listing, @Nullable String cursor, int limit) {

    public static final int MAX_LIMIT = 1000;

    private static final int DEFAULT_LIMIT = 100;

    /**
     * @throws PageCursor.UnknownCursorException if the cursor belongs to another listing
     * @throws RefusedCall if the limit is not a number
     */
    static Paging of(HttpServletRequest request) {
        String listing = listing(request);
        return new Paging(
                listing,
                PageCursor.withoutName(listing, request.getParameter("cursor")),
                limit(request.getParameter("limit")));
    }

    private static String listing(HttpServletRequest request) {
        Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        Object variables = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        return PageCursor.name((pattern + " " + variables).toLowerCase(Locale.ROOT));
    }

    private static int limit(@Nullable String typed) {
        if (typed == null || typed.isEmpty()) {
            return DEFAULT_LIMIT;
        }
        if (!typed.matches("-?[0-9]+")) {
            throw RefusedCall.field("limit", "Use a whole number.");
        }
        try {
            return Integer.parseInt(typed);
        } catch (NumberFormatException outOfRange) {
            return Integer.MAX_VALUE;
        }
    }

    public void check(RequestFields fields, int max) {
        if (limit < 1 || limit > max) {
            fields.refuse("limit", "Use 1 to " + max + ".");
        }
    }

    /** @throws RefusedCall if the limit is not between 1 and {@code max} */
    public void check(int max) {
        RequestFields fields = new RequestFields();
        check(fields, max);
        fields.check();
    }

    /**
     * Reads the page.
     *
     * @param pages reads up to the given number of items, starting at the given cursor
     * @throws RefusedCall if the limit is out of range
     * @throws PageCursor.UnknownCursorException if the listing refuses the cursor
     */
    public <S, T> Items<T> read(BiFunction<Integer, @Nullable String, Page<S>> pages, Function<? super S, T> body) {
        check(MAX_LIMIT);
        Page<S> page = page(pages);
        return items(page.items().stream().map(body).toList(), page.continuation());
    }

    /** Reads a page as {@link #read} does, but does not check the limit. */
    public <S> Page<S> page(BiFunction<Integer, @Nullable String, Page<S>> pages) {
        return PageCursor.page(cursor, from -> pages.apply(limit, from));
    }

    /** @param next the listing's own cursor for the next page; {@code null} on the last page */
    public <T> Items<T> items(List<T> items, @Nullable String next) {
        return new Items<>(items, next == null ? null : listing + next);
    }
}
