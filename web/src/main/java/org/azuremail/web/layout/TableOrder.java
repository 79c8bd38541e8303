package org.azuremail.web.layout;

import java.text.Collator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The order of a table, as its headings choose it in the address of the page: {@code ?sort=<column>&dir=desc}. It is
 * only for tables whose rows are all read for each request: sorting one page of many would look as if the whole table
 * were sorted. As an argument of a page's method, it is {@code tableOrder} in the model, from which the fragment {@code
 * parts :: sortable} makes a heading; without it, a heading is no link.
 *
 * @param sort the name of a column; the rows stay in their own order if it is absent or unknown
 * @param dir {@code desc} for descending
 */
public record TableOrder(@Nullable String sort, @Nullable String dir) {

    /** The name in the model. */
    public static final String MODEL = "tableOrder";

    /** No choice. */
    public static final TableOrder NONE = new TableOrder(null, null);

    private static final String DESCENDING = "desc";

    private record Keyed<T>(T row, @Nullable Comparable<Object> key) {}

    /**
     * Returns the rows in this order. Texts compare by the reader's language. Rows without a value, or with a blank
     * one, come last in both directions. Rows with equal values stay in their own order.
     *
     * @param columns returns the value of a row, by the name of the column: all texts, or all of another comparable
     *     type
     */
    public <T> List<T> sorted(Collection<T> rows, Map<String, Function<T, @Nullable Object>> columns) {
        Function<T, @Nullable Object> column = sort == null ? null : columns.get(sort);
        if (column == null) {
            return List.copyOf(rows);
        }
        Collator texts = Collator.getInstance(LocaleContextHolder.getLocale());
        Comparator<Comparable<Object>> inOrder = (one, other) -> one.compareTo(other);
        List<Keyed<T>> keyed = new ArrayList<>();
        rows.forEach(row -> keyed.add(new Keyed<>(row, key(column.apply(row), texts))));
        keyed.sort(
                Comparator.comparing(Keyed::key, Comparator.nullsLast(isDescending() ? inOrder.reversed() : inOrder)));
        return keyed.stream().map(Keyed::row).toList();
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Comparable<Object> key(@Nullable Object value, Collator texts) {
        if (value instanceof String text) {
            return text.isBlank() ? null : (Comparable<Object>) (Comparable<?>) texts.getCollationKey(text);
        }
        return (Comparable<Object>) value;
    }

    private boolean isDescending() {
        return DESCENDING.equals(dir);
    }

    /** Returns the value of {@code aria-sort} of a column; {@code null} if the table is not sorted by it. */
    public @Nullable String aria(String column) {
        if (!column.equals(sort)) {
            return null;
        }
        return isDescending() ? "descending" : "ascending";
    }

    /** Returns the query that keeps this order when a part of the page is loaded again; empty if there is none. */
    public String query() {
        return sort == null
                ? ""
                : UriComponentsBuilder.newInstance()
                        .queryParam("sort", "{sort}")
                        .queryParam("dir", isDescending() ? DESCENDING : "")
                        .encode()
                        .buildAndExpand(sort)
                        .toUriString();
    }

    /**
     * Returns the address of the page in the order of a column, the other way round if it is in that order already. The
     * address is relative, so that it is also right in a part of a page that is loaded again.
     */
    public String href(String column) {
        ServletUriComponentsBuilder page = ServletUriComponentsBuilder.fromCurrentRequest();
        page.replaceQueryParam("sort", column).replaceQueryParam("dir");
        if (column.equals(sort) && !isDescending()) {
            page.queryParam("dir", DESCENDING);
        }
        return "?" + page.build().getQuery();
    }
}
