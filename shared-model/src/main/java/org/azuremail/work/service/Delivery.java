package org.azuremail.work.service;

/** The delivery of an item, as seen by its handler. */
public interface Delivery {

    /** Returns the item's id, which stays the same across deliveries. */
    String itemId();

    /**
     * Returns the number of deliveries of the item, including this one. Deliveries that ended with a crash or a stop
     * count too; no other count includes those.
     */
    int dequeueCount();

    /**
     * Returns whether the handler should end soon, in order, with {@link WorkResult.RetryAfter}. It should if the
     * process stops, an admin stopped the queue, the hours of the service are over, or more urgent work waits.
     */
    boolean stopping();
}
