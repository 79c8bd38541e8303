package org.azuremail.delivery;

import java.time.Duration;
import org.azuremail.storage.TableStore;

/**
 * Sizes and times of the sending protocol. Simulations shrink them so that every boundary is crossed.
 *
 * @param batch most rows in one write, control rows included
 * @param page subscribers read at a time
 * @param range recipients in one range, at most 1,000: ten full batches
 * @param lease how long a claim lasts unless it is renewed
 * @param ownMargin how much earlier its holder considers it ended
 * @param skew how much later others consider it ended: the most that two hosts' clocks differ
 * @param requeueAfter when a range that nobody works on is queued again
 */
public record DeliveryLimits(
        int batch, int page, int range, Duration lease, Duration ownMargin, Duration skew, Duration requeueAfter) {

    /** For storage that several hosts share. */
    public static final DeliveryLimits SHARED = new DeliveryLimits(
            TableStore.MAX_BATCH,
            TableStore.MAX_PAGE,
            980,
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60));

    public DeliveryLimits {
        if (batch < 3 || batch > TableStore.MAX_BATCH || range < 1 || range > 1000) {
            throw new IllegalArgumentException("a batch holds 3 to 100 rows, a range 1 to 1,000 recipients");
        }
    }

    public DeliveryLimits withSkew(Duration value) {
        return new DeliveryLimits(batch, page, range, lease, ownMargin, value, requeueAfter);
    }

    /** E-mail rows that fit one fan-out batch beside S and R. */
    public int rowsPerFanOut() {
        return batch - 2;
    }

    /** E-mail rows that one clearing batch deletes beside R. */
    public int rowsPerClear() {
        return batch - 1;
    }
}
