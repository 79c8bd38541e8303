package org.azuremail.storage;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads a listing page by page; each page is fetched when the one before is consumed. */
final class Pages {

    private Pages() {}

    /** Reads a page from a continuation, which is {@code null} for the first page. */
    interface Fetch<P> {
        P page(@Nullable String continuation);
    }

    /** The continuation behind a page; {@code null} at the end. */
    interface Continuation<P> {
        @Nullable
        String of(P page);
    }

    static <P, T> Stream<T> stream(Fetch<P> fetch, Function<P, List<T>> items, Continuation<P> continuation) {
        Iterator<P> pages = new Iterator<>() {
            private @Nullable String next;
            private boolean started;

            @Override
            public boolean hasNext() {
                return !started || next != null;
            }

            @Override
            public P next() {
                P page = fetch.page(next);
                started = true;
                next = continuation.of(page);
                return page;
            }
        };
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(pages, Spliterator.ORDERED), false)
                .flatMap(page -> items.apply(page).stream());
    }
}
