package org.azuremail.limit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/** The limits of all transports, by the names that the settings give them. */
public final class RateLimits {

    private final Map<String, RateLimit> byName = new LinkedHashMap<>();

    /** @param starting what each starts with, by name */
    public RateLimits(Storage storage, Time time, Map<String, Limits> starting) {
        starting.forEach((name, limits) -> byName.put(name, new RateLimit(storage, time, name, limits)));
    }

    public Optional<RateLimit> find(String transport) {
        return Optional.ofNullable(byName.get(transport));
    }

    /** @throws IllegalArgumentException when there is no such transport */
    public RateLimit of(String transport) {
        return find(transport).orElseThrow(() -> new IllegalArgumentException("no transport " + transport));
    }
}
