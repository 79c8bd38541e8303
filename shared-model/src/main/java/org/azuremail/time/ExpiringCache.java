package org.azuremail.time;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Values that are read again after a limited time. Two threads that need the same value at the same time may both read
 * it, so that neither waits for the other's storage call. Safe for use from many threads.
 */
public final class ExpiringCache<K, V> {

    private final Duration ttl;
    private final int maxEntries;
    private final Time time;
    private final Map<K, Entry<V>> entries = new ConcurrentHashMap<>();

    private record Entry<V>(V value, Duration untilElapsed) {}

    /** @param maxEntries the number of entries at which a further one replaces them all */
    public ExpiringCache(Duration ttl, int maxEntries, Time time) {
        this.ttl = ttl;
        this.maxEntries = maxEntries;
        this.time = time;
    }

    /** Returns the value of a key, which is read if it is unknown or was read too long ago. */
    public V get(K key, Function<? super K, ? extends V> read) {
        Duration now = time.elapsed();
        Entry<V> known = entries.get(key);
        if (known == null || known.untilElapsed().compareTo(now) <= 0) {
            known = new Entry<>(read.apply(key), now.plus(ttl));
            if (entries.size() >= maxEntries) {
                entries.clear();
            }
            entries.put(key, known);
        }
        return known.value();
    }
}
