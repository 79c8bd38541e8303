package org.azuremail.route;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/** The breakers of all transports, by the names that the settings give them. */
public final class Breakers {

    private final Map<String, Breaker> byName = new LinkedHashMap<>();

    public Breakers(Storage storage, Time time, List<String> transports) {
        transports.forEach(name -> byName.put(name, new Breaker(storage, time, name)));
    }

    /**
     * A transport that is left alone, or was and has not taken a lot since.
     *
     * @param state why, and until when
     */
    public record Waiting(String transport, BreakerState state) {}

    /** The breaker of a transport, if there is one of this name. */
    public Optional<Breaker> find(String transport) {
        return Optional.ofNullable(byName.get(transport));
    }

    /** @throws IllegalArgumentException when there is no such transport */
    public Breaker of(String transport) {
        return find(transport).orElseThrow(() -> new IllegalArgumentException("no transport " + transport));
    }

    /** Those by which no mail flows; what is said is at most five seconds old and costs one storage call a transport. */
    public List<Waiting> waiting() {
        return byName.entrySet().stream()
                .map(entry -> new Waiting(entry.getKey(), entry.getValue().state()))
                .filter(waiting -> !waiting.state().closed())
                .toList();
    }
}
