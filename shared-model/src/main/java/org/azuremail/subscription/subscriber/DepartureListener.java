package org.azuremail.subscription.subscriber;

import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;

/**
 * A listener for every subscriber who must get no more emails. It is called after that is saved and before the caller
 * gets the result. A feature that has already read recipients from the list makes sure here that this one is skipped.
 * If the listener throws, the call that ends the subscription fails, and a repetition of that call calls the listener
 * again.
 */
@FunctionalInterface
public interface DepartureListener {

    /** Called when the address has a {@code left:} row in this shard of the list. */
    void onDeparture(ListName list, int shard, EmailAddress address);

    default void notifyDeparture(Subscriber gone) {
        onDeparture(gone.list(), gone.shard(), gone.address());
    }

    /**
     * Returns whether a person who moves back could get emails at both places, because emails to the former place have
     * been waiting since before the person left it.
     */
    default boolean mayEmailBoth(Subscriber now, Subscriber before) {
        return false;
    }
}
