package org.azuremail.storage;

/**
 * Tells whether this process fails to save data, for example because the disk is full or read-only. Asking costs no
 * storage call.
 */
@FunctionalInterface
public interface FailingCommits {

    /** Returns whether the last attempt to save failed and was less than a minute ago. */
    boolean now();

    /** For a storage that cannot tell; always false. */
    FailingCommits NONE = () -> false;
}
