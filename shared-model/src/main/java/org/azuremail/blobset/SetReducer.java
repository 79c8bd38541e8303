package org.azuremail.blobset;

import java.util.Optional;

/**
 * Makes one value of two, until a whole set is one. The order is any, so it has to hold that {@code x⊙y = y⊙x} and
 * {@code (x⊙y)⊙z = x⊙(y⊙z)}. Results that grow with what went in only cost time.
 *
 * @param <T> the values, and the result
 */
public interface SetReducer<T> {

    /** Unique and stable. */
    String name();

    TextForm<T> form();

    T reduce(T one, T other) throws Exception;

    /** The work item that says the result; it is put on the queue of its class. */
    Object result(T value);

    /** The result of an empty set; empty: then no item is put. */
    default Optional<T> ofNothing() {
        return Optional.empty();
    }
}
