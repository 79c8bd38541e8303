package org.azuremail.blobset;

import java.util.List;
import java.util.Optional;
import org.azuremail.blobset.BlobSet.Element;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/**
 * Combines two values into one, until a whole set is combined into one value.
 *
 * @param <T> the type of the values and of the result
 */
interface SetReducer<T> extends SetJob<T, T> {

    /** Returns the work item with the result. It is put on the queue of its class. */
    Object result(T value);

    /** Returns the result for an empty set. If this returns nothing, no item is put on a queue. */
    default Optional<T> ofNothing() {
        return Optional.empty();
    }

    @Override
    default TextCodec<T> results() {
        return values();
    }

    @Override
    default Step<T> work(SetJob.Piece piece, List<Element<T>> values, @Nullable T soFar) throws Exception {
        T sum = values.get(0).value();
        for (Element<T> element : values.subList(1, values.size())) {
            sum = reduce(sum, element.value());
        }
        return Step.last(sum, values.size());
    }

    @Override
    default void done(End<T> end) {
        end.result().or(this::ofNothing).map(this::result).ifPresent(end.queue());
    }
}
