package org.azuremail.sender;

import java.time.Duration;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.azuremail.work.service.Delivery;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits while the storage is away and an attempt knows something that is recorded nowhere else. The wait lasts an hour
 * at most, and ends when the process stops. The pauses do not grow, for two reasons: the storage client has already
 * paused between its own tries, and after an outage the holder of a range must be back before a sender that watches the
 * range ({@link LapsedClaimWatch}) takes it.
 */
final class StorageWait {

    private static final Logger LOG = LoggerFactory.getLogger(StorageWait.class);
    private static final Duration MAX_OUTAGE = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Time time;
    private final Delivery delivery;

    /** When the present failures began; {@code null} after a success. */
    private @Nullable Duration since;

    StorageWait(Time time, Delivery delivery) {
        this.time = time;
        this.delivery = delivery;
    }

    /** Pauses before the next try, or rethrows the failure when the wait must end. */
    void pauseOrRethrow(StorageException failure) {
        Duration now = time.elapsed();
        if (since == null) {
            since = now;
            LOG.warn("{} waits for the storage, in the middle of a lot: {}", delivery.itemId(), failure.toString());
        }
        if (delivery.stopping() || now.minus(since).compareTo(MAX_OUTAGE) > 0 || !time.pause(PAUSE)) {
            throw failure;
        }
    }

    void reset() {
        since = null;
    }
}
