package org.azuremail.web.api;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** @param cursor the cursor for the next page; {@code null} on the last page. A page may have a cursor but no items */
public record Items<T>(List<T> items, @Nullable String cursor) {

    public static <S, T> Items<T> all(Collection<S> all, Function<? super S, T> body) {
        return new Items<>(all.stream().map(body).toList(), null);
    }
}
