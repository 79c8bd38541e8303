package org.azuremail.limit;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/** The limits of all transports, by name. Safe for use from many threads. */
public final class RateLimits {

    private final Map<String, RateLimit> byName = new ConcurrentHashMap<>();
    private final Storage storage;
    private final Time time;
    private final Function<String, Optional<Limits>> starting;

    /** @param starting what a transport starts with, by name; empty where there is none of this name */
    public RateLimits(Storage storage, Time time, Function<String, Optional<Limits>> starting) {
        this.storage = storage;
        this.time = time;
        this.starting = starting;
    }

    public Optional<RateLimit> find(String transport) {
        return starting.apply(transport)
                .map(limits -> byName.computeIfAbsent(transport, name -> new RateLimit(storage, time, name, limits)));
    }

    /** @throws IllegalArgumentException when there is no such transport */
    public RateLimit of(String transport) {
        return find(transport).orElseThrow(() -> new IllegalArgumentException("no transport " + transport));
    }
}
