package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.azuremail.storage.Page;
import org.jspecify.annotations.Nullable;
import org.springframework.util.NumberUtils;

/**
 * The page of a listing that a call asks for: an argument of its method.
 *
 * @param cursor as the answer with the previous page had it; {@code null} for the first page
 * @param limit how many items the page may have; 100 where the call does not say
 */
public record Paging(@Nullable String cursor, int limit) {

    public static final int MOST = 1000;

    private static final int USUAL = 100;

    static Paging of(HttpServletRequest request) {
        String limit = request.getParameter("limit");
        try {
            return new Paging(
                    request.getParameter("cursor"),
                    limit == null || limit.isEmpty() ? USUAL : NumberUtils.parseNumber(limit, Integer.class));
        } catch (IllegalArgumentException noNumber) {
            throw RefusedCall.field("limit", "Use a whole number.");
        }
    }

    public void check(Fields fields, int most) {
        if (limit < 1 || limit > most) {
            fields.refuse("limit", "Use 1 to " + most + ".");
        }
    }

    /** @throws RefusedCall when a listing does not give so many items at once */
    public void check(int most) {
        Fields fields = new Fields();
        check(fields, most);
        fields.check();
    }

    /**
     * Reads the page.
     *
     * @param pages reads so many items from a cursor on
     * @throws RefusedCall when the limit is out of range, or the service never gave out this cursor
     */
    public <S, T> Items<T> read(BiFunction<Integer, @Nullable String, Page<S>> pages, Function<? super S, T> body) {
        check(MOST);
        Page<S> page = page(pages);
        return new Items<>(page.items().stream().map(body).toList(), page.continuation());
    }

    /** As {@link #read}, without a look at the limit. */
    public <S> Page<S> page(BiFunction<Integer, @Nullable String, Page<S>> pages) {
        try {
            return pages.apply(limit, cursor);
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            throw RefusedCall.field(
                    "cursor", "This cursor is not valid. Use the one that came with the previous page.");
        }
    }
}
