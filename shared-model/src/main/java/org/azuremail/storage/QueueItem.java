package org.azuremail.storage;

import java.time.Instant;

/**
 * One delivery of a queue item.
 *
 * @param id names the item for as long as it lives
 * @param receipt proves this delivery; dead as soon as the item is delivered or updated again
 * @param dequeueCount how often the item was delivered, this time included
 * @param insertedAt when it was sent
 * @param visibleAt when it becomes visible again unless it is deleted or updated
 */
public record QueueItem(
        String id, String receipt, String text, int dequeueCount, Instant insertedAt, Instant visibleAt) {}
