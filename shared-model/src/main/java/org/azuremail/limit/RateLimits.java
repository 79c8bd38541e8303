package org.azuremail.limit;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.mail.TransportKinds;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/** The limits of all transports, by name. Safe for use from many threads. */
public final class RateLimits {

    private final Map<String, RateLimit> byName = new ConcurrentHashMap<>();
    private final Storage storage;
    private final Time time;
    private final TransportDirectory transports;
    private final TransportKinds kinds;

    RateLimits(Storage storage, Time time, TransportDirectory transports, TransportKinds kinds) {
        this.storage = storage;
        this.time = time;
        this.transports = transports;
        this.kinds = kinds;
    }

    public Optional<RateLimit> find(String transport) {
        return transports
                .recent()
                .find(transport)
                .map(one -> byName.computeIfAbsent(
                        transport,
                        name -> new RateLimit(
                                storage,
                                time,
                                name,
                                new Limits(kinds.startingRate(one), one.perMinute(), one.perHour(), one.perDay()))));
    }

    /** @throws IllegalArgumentException if there is no such transport */
    public RateLimit of(String transport) {
        return find(transport).orElseThrow(() -> new IllegalArgumentException("no transport " + transport));
    }
}
