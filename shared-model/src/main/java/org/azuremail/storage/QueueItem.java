package org.azuremail.storage;

import java.time.Instant;

/**
 * One delivery of a queue item.
 *
 * @param id identifies the item in all its deliveries
 * @param receipt identifies this delivery; it becomes invalid when the item is delivered or updated again
 * @param dequeueCount the number of deliveries of the item, including this one
 * @param insertedAt the time at which the item was sent
 * @param visibleAt the time at which the item becomes visible again unless it is deleted or updated
 */
public record QueueItem(
        String id, String receipt, String text, int dequeueCount, Instant insertedAt, Instant visibleAt) {}
