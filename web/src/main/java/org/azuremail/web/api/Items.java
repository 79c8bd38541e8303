package org.azuremail.web.api;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** @param cursor goes into the next call; {@code null} at the end. A page may have no items and a cursor */
public record Items<T>(List<T> items, @Nullable String cursor) {

    public static <S, T> Items<T> all(Collection<S> all, Function<? super S, T> body) {
        return new Items<>(all.stream().map(body).toList(), null);
    }
}
