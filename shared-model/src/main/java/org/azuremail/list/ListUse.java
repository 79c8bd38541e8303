package org.azuremail.list;

/** Tells whether the rows of a subscriber or a list are still needed, before they are removed. */
@FunctionalInterface
public interface ListUse {

    /** Returns whether any process may be about to email subscribers of the list. */
    boolean inUse(ListName list);

    /**
     * Ends the messages to a list that is being deleted, as far as that is possible at once. Repeatable.
     *
     * @return whether nothing that names the list is left
     */
    default boolean endMessages(ListName list) {
        return !inUse(list);
    }
}
