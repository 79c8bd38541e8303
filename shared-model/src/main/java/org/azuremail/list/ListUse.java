package org.azuremail.list;

/** Asked before a list's rows are removed; answered by whoever still needs them. */
@FunctionalInterface
public interface ListUse {

    /** Whether a message of the list is not final yet. */
    boolean inUse(ListName list);
}
