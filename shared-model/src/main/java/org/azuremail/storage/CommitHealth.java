package org.azuremail.storage;

/**
 * Tells whether this process fails to save data, for example because the disk is full or read-only. Checking this makes
 * no storage call.
 */
@FunctionalInterface
public interface CommitHealth {

    /** Returns whether the last attempt to save failed and was less than a minute ago. */
    boolean isFailing();

    /** The implementation for a storage that does not track failures; it always returns false. */
    CommitHealth NONE = () -> false;
}
