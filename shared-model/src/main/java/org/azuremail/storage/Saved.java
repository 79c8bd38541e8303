package org.azuremail.storage;

import java.util.Optional;

/**
 * The result of a conditional change of one row. After a refused write, the row is read again, because the client
 * library may have repeated a write that took effect.
 */
public sealed interface Saved<T> {

    /**
     * The change is durable.
     *
     * @param written whether this call is known to have written the row. If not, the row was found with these values:
     *     another caller made the same change, or this call did and its answer was lost
     */
    record Done<T>(Versioned<T> now, boolean written) implements Saved<T> {}

    /** The row has other values, because another caller changed it. Nothing was written. */
    record Conflict<T>(Versioned<T> current) implements Saved<T> {}

    /** The row does not exist. Nothing was written. */
    record Missing<T>() implements Saved<T> {}

    /** Returns the value if the change is durable. */
    default Optional<Versioned<T>> done() {
        return this instanceof Done<T> done ? Optional.of(done.now()) : Optional.empty();
    }
}
