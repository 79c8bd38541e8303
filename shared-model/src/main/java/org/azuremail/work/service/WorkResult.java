package org.azuremail.work.service;

import java.time.Duration;

/** The answer of a handler to an item. An exception means: try again later, and count one failure. */
public sealed interface WorkResult {

    /** Finished: the item is deleted. */
    record Done() implements WorkResult {}

    /** Not now, and nobody's fault: the item shows again after the delay; nothing is counted. */
    record RetryAfter(Duration delay) implements WorkResult {}

    /** Pointless: the item is deleted and the reason logged. */
    record Discard(String reason) implements WorkResult {}

    WorkResult DONE = new Done();
}
