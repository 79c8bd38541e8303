package org.azuremail.app;

/** The tasks of a process; any process may have any of them. */
public enum Role {
    /** Serves pages, the subscribe API and links. */
    WEB,
    /** Worker A: fans due messages out, completes and reconciles them. */
    SCHEDULER,
    /** Worker B: hands emails over, archives outcomes and sends confirmations. */
    SENDER
}
