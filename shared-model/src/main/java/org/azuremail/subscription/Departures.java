package org.azuremail.subscription;

import java.util.function.Supplier;
import java.util.stream.Stream;

/** Tells everybody who has to know that a person must not be mailed any more. */
final class Departures {

    private final Supplier<Stream<DepartureListener>> listeners;

    Departures(Supplier<Stream<DepartureListener>> listeners) {
        this.listeners = listeners;
    }

    void tell(Subscriber gone) {
        listeners.get().forEach(listener -> listener.left(gone.list(), gone.shard(), gone.address()));
    }

    boolean couldMailBoth(Subscriber now, Subscriber before) {
        return listeners.get().anyMatch(listener -> listener.couldMailBoth(now, before));
    }
}
