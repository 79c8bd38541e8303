package org.azuremail.subscription.subscriber;

import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;

/**
 * Told of everybody who must not be mailed any more, after that is durable and before anybody is told so. Whoever has
 * already taken recipients from the list makes sure here that nobody hands this one over. A throw fails the departure's
 * call; repeating the call tells the listeners again.
 */
@FunctionalInterface
public interface DepartureListener {

    /** The address has a {@code left:} row in this shard of the list. */
    void left(ListName list, int shard, EmailAddress address);

    /**
     * Whether somebody who goes back to where they were before could be mailed at both places: there, what was taken from the
     * list before they left still waits.
     */
    default boolean couldMailBoth(Subscriber now, Subscriber before) {
        return false;
    }
}
