package org.azuremail.web.key;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/**
 * Limits the calls a second of each subscribe key, over all web processes. A process takes up to half a second's calls
 * at once from the key's row, so that most calls cost no storage call. While a key exceeds its quota, the process asks
 * the storage at most four times a second, however many calls arrive. Safe for use from many threads.
 */
public final class KeyQuotas {

    /**
     * The answer to a call.
     *
     * @param limit the quota in calls a second
     * @param left the remaining calls, as far as this process knows; 0 for a refused call
     */
    public record Answer(boolean granted, int limit, int left) {}

    /** The time for which a refusal holds without asking the storage. Calls that become free meanwhile are not lost. */
    private static final Duration REFUSED_FOR = Duration.ofMillis(250);

    /** The most keys in memory. Beyond that, all are dropped from memory. */
    private static final int KEYS = 10_000;

    private final Storage storage;
    private final Time time;
    private final int defaultPerSecond;
    private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

    private static final class Known {

        private final RateLimit limit;
        private final int perSecond;
        private volatile Duration refusedUntil = Duration.ZERO;

        private Known(RateLimit limit, int perSecond) {
            this.limit = limit;
            this.perSecond = perSecond;
        }
    }

    KeyQuotas(Storage storage, Time time, KeyProperties settings) {
        this.storage = storage;
        this.time = time;
        this.defaultPerSecond = settings.requestsPerSecond();
    }

    public Answer call(ApiKey key) {
        if (known.size() >= KEYS) {
            known.clear();
        }
        Known quota = known.computeIfAbsent(key.id(), id -> begin(key));
        if (time.elapsed().compareTo(quota.refusedUntil) < 0) {
            return new Answer(false, quota.perSecond, 0);
        }
        RateLimitWait wait = quota.limit.take(1);
        if (!wait.isZero()) {
            quota.refusedUntil = time.elapsed().plus(REFUSED_FOR);
            return new Answer(false, quota.perSecond, 0);
        }
        return new Answer(true, quota.perSecond, Math.min(quota.perSecond, quota.limit.knownRemaining()));
    }

    static String limitOf(String id) {
        return "key." + id;
    }

    /**
     * Starts limiting a key. The quota comes from the key or the settings, while the row may still have an older quota.
     */
    private Known begin(ApiKey key) {
        int perSecond = key.requestsPerSecond() > 0 ? key.requestsPerSecond() : defaultPerSecond;
        Limits limits = Limits.perSecond(perSecond);
        RateLimit limit = new RateLimit(storage, time, limitOf(key.id()), limits);
        if (!limit.limits().equals(limits)) {
            limit.change(limits);
        }
        return new Known(limit, perSecond);
    }
}
