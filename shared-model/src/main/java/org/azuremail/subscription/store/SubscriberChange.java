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
 * @param extraWrites rows of the same partition that change in the same batch
 * @param result the caller's result from the stored subscriber, once the batch is durable
 */
public record SubscriberChange<R>(
        Kind kind,
        @Nullable Subscriber after,
        List<Write> extraWrites,
        Function<@Nullable Versioned<Subscriber>, R> result) {

    public enum Kind {
        NOTHING,
        STORE,
        REMOVE
    }

    public static <R> SubscriberChange<R> nothing(R result) {
        return new SubscriberChange<>(Kind.NOTHING, null, List.of(), stored -> result);
    }

    public static <R> SubscriberChange<R> store(Subscriber after, Function<Versioned<Subscriber>, R> result) {
        return store(after, List.of(), result);
    }

    public static <R> SubscriberChange<R> store(
            Subscriber after, List<Write> further, Function<Versioned<Subscriber>, R> result) {
        return new SubscriberChange<>(Kind.STORE, after, further, stored -> {
            if (stored == null) {
                throw new IllegalStateException("a stored subscriber has a version");
            }
            return result.apply(stored);
        });
    }

    public static <R> SubscriberChange<R> remove(R result) {
        return new SubscriberChange<>(Kind.REMOVE, null, List.of(), stored -> result);
    }

    public <S> SubscriberChange<S> map(Function<R, S> mapping) {
        return new SubscriberChange<>(kind, after, extraWrites, result.andThen(mapping));
    }
}
