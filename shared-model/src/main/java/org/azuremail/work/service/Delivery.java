package org.azuremail.work.service;

/** The delivery that a handler handles, as far as the handler may ask about it. */
public interface Delivery {

    /** Names the item for as long as it lives. */
    String itemId();

    /** The number of deliveries of the item, this one included; crashes and stops count here and nowhere else. */
    int dequeueCount();

    /**
     * Returns whether the process wants to stop, somebody stopped the queue, its hours are over, or more urgent work waits: end
     * soon with {@link WorkResult.RetryAfter}, in order.
     */
    boolean stopping();
}
