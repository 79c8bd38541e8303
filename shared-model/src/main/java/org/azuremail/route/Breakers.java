package org.azuremail.route;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/** The breakers of all transports, by name. Safe for use from many threads. */
public final class Breakers {

    private final Map<String, Breaker> byName = new ConcurrentHashMap<>();
    private final Supplier<List<String>> names;
    private final Function<String, Breaker> made;

    /**
     * @param names of all transports there are now
     * @param changed is told when one opens and when it closes
     */
    public Breakers(
            Storage storage, Time time, Supplier<List<String>> names, BiConsumer<String, BreakerState> changed) {
        this.names = names;
        this.made = name -> new Breaker(storage, time, name, changed);
    }

    /**
     * A transport that is left alone, or was and has not taken a lot since.
     *
     * @param state why, and until when
     */
    public record Waiting(String transport, BreakerState state) {}

    public Optional<Breaker> find(String transport) {
        return names.get().contains(transport) ? Optional.of(known(transport)) : Optional.empty();
    }

    private Breaker known(String transport) {
        return byName.computeIfAbsent(transport, made);
    }

    /** @throws IllegalArgumentException when there is no such transport */
    public Breaker of(String transport) {
        return find(transport).orElseThrow(() -> new IllegalArgumentException("no transport " + transport));
    }

    /** Those by which no mail flows; what is said is at most five seconds old and costs one storage call a transport. */
    public List<Waiting> waiting() {
        return names.get().stream()
                .map(name -> new Waiting(name, known(name).state()))
                .filter(waiting -> !waiting.state().closed())
                .toList();
    }
}
