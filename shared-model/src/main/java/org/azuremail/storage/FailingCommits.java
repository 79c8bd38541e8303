package org.azuremail.storage;

/** Whether this process tries to save and cannot, as while the disk is full or read-only. Asking costs no call. */
@FunctionalInterface
public interface FailingCommits {

    /** Returns whether the last attempt to save failed, within a minute. */
    boolean now();

    /** A storage that does not know. */
    FailingCommits NONE = () -> false;
}
