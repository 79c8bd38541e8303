package org.azuremail.subscription.subscriber;

import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;

/**
 * Called for every subscriber who must get no more emails, after that is saved and before the caller is told. A feature that has
 * already read recipients from the list makes sure here that this one is skipped. If it throws, the call that ends the
 * subscription fails, and its repetition calls the listener again.
 */
@FunctionalInterface
public interface DepartureListener {

    /** Called when the address has a {@code left:} row in this shard of the list. */
    void left(ListName list, int shard, EmailAddress address);

    default void tell(Subscriber gone) {
        left(gone.list(), gone.shard(), gone.address());
    }

    /**
     * Returns whether a person who moves back could be mailed at both places, because emails to the former place have been waiting
     * since before the person left it.
     */
    default boolean couldMailBoth(Subscriber now, Subscriber before) {
        return false;
    }
}
