package org.azuremail.app;

/** The tasks of a process; any process may have any of them. */
public enum Role {
    /** Pages, subscribe API, links. */
    WEB,
    /** Worker A: fans due messages out, completes them, reconciles. */
    SCHEDULER,
    /** Worker B: hands mail over and archives outcomes; sends confirmations. */
    SENDER
}
