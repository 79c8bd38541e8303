package org.azuremail.subscription.subscriber;

import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;

/**
 * Hears of every subscriber who must get no more emails, after that is saved and before anybody is told so. A feature that has
 * already taken recipients from the list makes sure here that this one is not handed over. If it throws, the call that ends
 * the subscription fails, and its repetition tells the listener again.
 */
@FunctionalInterface
public interface DepartureListener {

    /** The address has a {@code left:} row in this shard of the list. */
    void left(ListName list, int shard, EmailAddress address);

    default void tell(Subscriber gone) {
        left(gone.list(), gone.shard(), gone.address());
    }

    /**
     * Returns whether somebody who goes back to where they were before could be mailed at both places: there, what was taken
     * from the list before they left still waits.
     */
    default boolean couldMailBoth(Subscriber now, Subscriber before) {
        return false;
    }
}
