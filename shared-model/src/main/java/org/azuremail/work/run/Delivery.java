package org.azuremail.work.run;

/** What a handler may ask about the delivery that it handles. */
public interface Delivery {

    /** Names the item for as long as it lives. */
    String itemId();

    /** How often the item was delivered, this time included; crashes and stops count here and nowhere else. */
    int dequeueCount();

    /** Whether the process wants to stop, somebody stopped the queue, its hours are over, or more urgent work waits: end soon with {@link WorkResult.RetryAfter}, in order. */
    boolean stopping();
}
