package org.azuremail.work.service;

import java.time.Duration;

/**
 * The result of handling an item. If a handler throws an exception instead, one failure is counted and the item is
 * retried.
 */
public sealed interface WorkResult {

    /** The item is finished and is deleted. */
    record Done() implements WorkResult {}

    /** The item cannot be handled yet. It becomes visible again after the delay, and no failure is counted. */
    record RetryAfter(Duration delay) implements WorkResult {}

    /** The item is pointless. It is deleted, and the reason is logged. */
    record Discard(String reason) implements WorkResult {}

    WorkResult DONE = new Done();
}
