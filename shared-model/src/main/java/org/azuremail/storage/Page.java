package org.azuremail.storage;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing. It may be empty and still continue: only a missing continuation means the end.
 *
 * @param continuation opaque, goes into the next call for the same listing; {@code null} at the end
 */
public record Page<T>(List<T> items, @Nullable String continuation) {

    /** Reads a page from a continuation, which is {@code null} for the first page. */
    public interface Fetch<T> {
        Page<T> page(@Nullable String continuation);
    }

    /** All items of a listing; each page is fetched when the one before is consumed. */
    public static <T> Stream<T> stream(Fetch<T> fetch) {
        Iterator<Page<T>> pages = new Iterator<>() {
            private @Nullable Page<T> last;

            @Override
            public boolean hasNext() {
                return last == null || last.continuation() != null;
            }

            @Override
            public Page<T> next() {
                Page<T> page = fetch.page(last == null ? null : last.continuation());
                last = page;
                return page;
            }
        };
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(pages, Spliterator.ORDERED), false)
                .flatMap(page -> page.items().stream());
    }
}
