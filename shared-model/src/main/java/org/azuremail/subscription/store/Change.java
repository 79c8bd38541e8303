package org.azuremail.subscription.store;

import java.util.List;
import java.util.function.Function;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;

/**
 * A decision about a subscriber. The writer derives the batch from the difference.
 *
 * @param further rows of the same partition that change in the same batch
 * @param result the caller's result from the stored subscriber, once the batch is durable
 */
public record Change<R>(
        Kind kind,
        @Nullable Subscriber after,
        List<Write> further,
        Function<@Nullable Versioned<Subscriber>, R> result) {

    public enum Kind {
        NOTHING,
        STORE,
        REMOVE
    }

    public static <R> Change<R> nothing(R result) {
        return new Change<>(Kind.NOTHING, null, List.of(), stored -> result);
    }

    public static <R> Change<R> store(Subscriber after, Function<Versioned<Subscriber>, R> result) {
        return store(after, List.of(), result);
    }

    public static <R> Change<R> store(
            Subscriber after, List<Write> further, Function<Versioned<Subscriber>, R> result) {
        return new Change<>(Kind.STORE, after, further, stored -> {
            if (stored == null) {
                throw new IllegalStateException("a stored subscriber has a version");
            }
            return result.apply(stored);
        });
    }

    public static <R> Change<R> remove(R result) {
        return new Change<>(Kind.REMOVE, null, List.of(), stored -> result);
    }

    public <S> Change<S> map(Function<R, S> mapping) {
        return new Change<>(kind, after, further, result.andThen(mapping));
    }
}
