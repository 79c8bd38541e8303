package org.azuremail.delivery.range;

import java.time.Duration;
import org.azuremail.storage.TableStore;

/**
 * Sizes and times of the sending protocol. Simulations shrink them so that every boundary is crossed.
 *
 * @param batch the largest number of rows in one write, including control rows
 * @param page subscribers read at a time
 * @param range recipients in one range, at most 1,000: ten full batches
 * @param lease how long a claim lasts unless it is renewed
 * @param ownMargin how much earlier its holder considers it ended
 * @param skew how much later other processes consider it ended: the largest difference between two hosts' clocks
 * @param watch how long a lot that lapsed in Handing is watched before it is taken from its holder: longer than a
 *     holder needs to return after an outage of the storage
 * @param requeueAfter when an abandoned range is queued again
 */
public record DeliveryLimits(
        int batch,
        int page,
        int range,
        Duration lease,
        Duration ownMargin,
        Duration skew,
        Duration watch,
        Duration requeueAfter) {

    /** The limits for storage that several hosts share. */
    public static final DeliveryLimits SHARED = new DeliveryLimits(
            TableStore.MAX_BATCH,
            TableStore.MAX_PAGE,
            980,
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60));

    public DeliveryLimits {
        if (batch < 3 || batch > TableStore.MAX_BATCH || range < 1 || range > 1000) {
            throw new IllegalArgumentException("a batch holds 3 to 100 rows, a range 1 to 1,000 recipients");
        }
    }

    /**
     * Returns a copy with this skew. Without a skew, no other host uses the storage, so no holder has to be watched.
     */
    public DeliveryLimits withSkew(Duration value) {
        Duration watched = value.isZero() ? Duration.ZERO : watch;
        return new DeliveryLimits(batch, page, range, lease, ownMargin, value, watched, requeueAfter);
    }

    /** Returns how many email rows fit one fan-out batch beside S and R. */
    public int rowsPerFanOut() {
        return batch - 2;
    }

    /** Returns how many email rows one clearing batch deletes beside R. */
    public int rowsPerClear() {
        return batch - 1;
    }
}
