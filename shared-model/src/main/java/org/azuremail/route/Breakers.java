package org.azuremail.route;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.sending.TransportHistory;
import org.azuremail.sending.TransportHistory.EventKind;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;

/** The breakers of all transports, by name. Safe for use from many threads. */
public final class Breakers {

    private final Map<String, Breaker> byName = new ConcurrentHashMap<>();
    private final Storage storage;
    private final Time time;
    private final TransportDirectory transports;
    private final Breaker.Changes changes;

    Breakers(Storage storage, Time time, TransportDirectory transports, TransportHistory history, Signals signals) {
        this.storage = storage;
        this.time = time;
        this.transports = transports;
        this.changes = new Breaker.Changes() {
            @Override
            public void changed(String transport, BreakerState state) {
                history.note(transport, state.closed() ? EventKind.WORKS : EventKind.FAILED, "", state.reason());
                signals.needAttention();
            }

            @Override
            public void mayHaveChanged() {
                signals.needAttention();
            }
        };
    }

    /** A transport that is unavailable, or that was and has not taken a lot since then. */
    public record Waiting(String transport, BreakerState state) {}

    public Optional<Breaker> find(String transport) {
        return transports.names().contains(transport) ? Optional.of(known(transport)) : Optional.empty();
    }

    private Breaker known(String transport) {
        return byName.computeIfAbsent(transport, name -> new Breaker(storage, time, name, changes));
    }

    /** @throws IllegalArgumentException when no such transport exists */
    public Breaker of(String transport) {
        return find(transport).orElseThrow(() -> new IllegalArgumentException("no transport " + transport));
    }

    /** Returns the transports that send no emails; at most five seconds old, one storage call for each transport. */
    public List<Waiting> waiting() {
        return transports.names().stream()
                .map(name -> new Waiting(name, known(name).state()))
                .filter(waiting -> !waiting.state().closed())
                .toList();
    }
}
