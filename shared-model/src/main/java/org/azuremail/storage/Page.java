package org.azuremail.storage;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing. An empty page is not necessarily the last one: only a missing continuation marks the end.
 *
 * @param continuation an opaque value for the next call of the same listing; {@code null} at the end
 */
public record Page<T>(List<T> items, @Nullable String continuation) {

    /** Reads the page at a continuation, which is {@code null} for the first page. */
    public interface Fetch<T> {
        Page<T> page(@Nullable String continuation);
    }

    /** Returns all items of a listing. Each page is fetched when the previous one is consumed. */
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

    /** Returns the same page with its items converted. */
    public <R> Page<R> map(Function<? super T, ? extends R> converter) {
        return new Page<>(items.stream().<R>map(converter).toList(), continuation);
    }

    /** Returns the same page with only some of its items. */
    public Page<T> filter(Predicate<? super T> wanted) {
        return new Page<>(items.stream().filter(wanted).toList(), continuation);
    }

    public boolean last() {
        return continuation == null;
    }
}
