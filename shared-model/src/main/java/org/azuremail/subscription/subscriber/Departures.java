package org.azuremail.subscription.subscriber;

import java.util.function.Supplier;
import java.util.stream.Stream;

/** Tells everybody who has to know that a person must not be mailed any more. */
public final class Departures {

    private final Supplier<Stream<DepartureListener>> listeners;

    public Departures(Supplier<Stream<DepartureListener>> listeners) {
        this.listeners = listeners;
    }

    public void tell(Subscriber gone) {
        listeners.get().forEach(listener -> listener.left(gone.list(), gone.shard(), gone.address()));
    }

    public boolean couldMailBoth(Subscriber now, Subscriber before) {
        return listeners.get().anyMatch(listener -> listener.couldMailBoth(now, before));
    }
}
