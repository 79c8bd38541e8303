package org.azuremail.watcher;

import org.azuremail.id.AsciiWord;

/**
 * The states of a watcher, by the names of the orchestrator of endless tasks. Rows contain these names: never rename
 * one.
 */
public enum WatcherStatus {
    /** No process has taken it up yet. */
    CREATED("Created"),
    /** A process takes its turns, or did so until it died and another one takes over. */
    PROCESSING("Processing"),
    /** Its process has been asked to stop it. */
    ON_DELETING("OnDeleting"),
    /** It never runs again. */
    DELETED("Deleted");

    private final String stored;

    WatcherStatus(String stored) {
        this.stored = stored;
    }

    public String stored() {
        return stored;
    }

    /** Returns whether a watcher in this state needs a place on a process. */
    public boolean runs() {
        return this == CREATED || this == PROCESSING;
    }

    static WatcherStatus of(String stored) {
        return AsciiWord.find(WatcherStatus.class, WatcherStatus::stored, stored)
                .orElseThrow(() -> new IllegalArgumentException("no state of a watcher: " + stored));
    }
}
