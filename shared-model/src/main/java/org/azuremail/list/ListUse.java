package org.azuremail.list;

/** Tells, before the rows of a subscriber or a list are removed, whether they are still needed. */
@FunctionalInterface
public interface ListUse {

    /** Returns whether somebody may be about to mail subscribers of the list. */
    boolean inUse(ListName list);

    /**
     * The list is being deleted: ends what is to go to it, as far as that can be done at once. Repeatable.
     *
     * @return whether nothing is left that names the list
     */
    default boolean release(ListName list) {
        return !inUse(list);
    }
}
