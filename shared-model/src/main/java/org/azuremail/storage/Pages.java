package org.azuremail.storage;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Iterates over pages of a storage; each page is fetched when the one before is consumed. */
final class Pages {

    private Pages() {}

    /** Reads a page from a continuation, which is {@code null} for the first page. */
    interface Fetch<P> {
        P page(@Nullable String continuation);
    }

    /** The continuation behind a page; {@code null} at the end. */
    interface Behind<P> {
        @Nullable
        String of(P page);
    }

    static <P, T> Stream<T> stream(Fetch<P> fetch, Function<P, List<T>> items, Behind<P> behind) {
        Iterable<T> all = () -> new Iterator<>() {
            private Iterator<T> page = List.<T>of().iterator();
            private @Nullable String continuation;
            private boolean started;

            @Override
            public boolean hasNext() {
                while (!page.hasNext() && (!started || continuation != null)) {
                    P next = fetch.page(continuation);
                    started = true;
                    page = items.apply(next).iterator();
                    continuation = behind.of(next);
                }
                return page.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return page.next();
            }
        };
        return StreamSupport.stream(all.spliterator(), false);
    }
}
