package org.azuremail.list;

import java.util.function.Supplier;
import java.util.stream.Stream;

/** Asked before a subscriber's or a list's rows are removed; answered by whoever still needs them. */
@FunctionalInterface
public interface ListUse {

    /** Whether somebody may be about to mail subscribers of the list. */
    boolean inUse(ListName list);

    /**
     * The list is being deleted: ends what is to go to it, as far as that can be done at once. Repeatable.
     *
     * @return whether nothing is left that names the list
     */
    default boolean release(ListName list) {
        return !inUse(list);
    }

    /** Of all of them at once; asked for again at each call. */
    static ListUse of(Supplier<Stream<ListUse>> users) {
        return new ListUse() {
            @Override
            public boolean inUse(ListName list) {
                return users.get().anyMatch(user -> user.inUse(list));
            }

            @Override
            public boolean release(ListName list) {
                return users.get().map(user -> user.release(list)).reduce(true, Boolean::logicalAnd);
            }
        };
    }
}
