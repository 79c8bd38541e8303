package org.azuremail.web.key;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.limit.Wait;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/**
 * Limits the calls a second of a key that subscribes people, over all web processes: a row for each key, of which a process
 * takes up to half a second's worth at once. So most calls cost no call of the storage, and while a key is beyond its quota the
 * storage is asked four times a second at most, however many calls come. Safe for use from many threads.
 */
public final class KeyQuotas {

    /**
     * Whether a call may go on.
     *
     * @param limit calls a second
     * @param left of them, as far as this process knows; 0 when the call may not go on
     */
    public record Answer(boolean granted, int limit, int left) {}

    /** The time for which a refusal holds without another look; the calls that become free meanwhile are kept for the key. */
    private static final Duration REFUSED_FOR = Duration.ofMillis(250);

    /** Keys that are remembered; more begin anew. */
    private static final int KEYS = 10_000;

    private final Storage storage;
    private final Time time;
    private final int usually;
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
        this.usually = settings.requestsPerSecond();
    }

    public Answer call(ApiKey key) {
        if (known.size() >= KEYS) {
            known.clear();
        }
        Known quota = known.computeIfAbsent(key.id(), id -> begin(key));
        if (time.elapsed().compareTo(quota.refusedUntil) < 0) {
            return new Answer(false, quota.perSecond, 0);
        }
        Wait wait = quota.limit.take(1);
        if (!wait.isZero()) {
            quota.refusedUntil = time.elapsed().plus(REFUSED_FOR);
            return new Answer(false, quota.perSecond, 0);
        }
        return new Answer(true, quota.perSecond, Math.min(quota.perSecond, quota.limit.leftAsFarAsKnown()));
    }

    static String limitOf(String id) {
        return "key." + id;
    }

    /** The key, or the settings of this process, say how many; the row may be of other settings. */
    private Known begin(ApiKey key) {
        int perSecond = key.requestsPerSecond() > 0 ? key.requestsPerSecond() : usually;
        Limits limits = Limits.perSecond(perSecond);
        RateLimit limit = new RateLimit(storage, time, limitOf(key.id()), limits);
        if (!limit.limits().equals(limits)) {
            limit.change(limits);
        }
        return new Known(limit, perSecond);
    }
}
