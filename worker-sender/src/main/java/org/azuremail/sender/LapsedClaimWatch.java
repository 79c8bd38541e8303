package org.azuremail.sender;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.service.Delivery;

/**
 * Watches a lot that lapsed in Handing before it is taken from its holder: the holder may be alive and only unable to
 * renew its lease, because the storage was away for all processes. If the holder writes anything during the watch, it
 * keeps the range. An outage ends for both at the same time, and a holder needs much less time to come back than the
 * watch lasts.
 */
record LapsedClaimWatch(DeliveryStore store, Time time) {

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /**
     * Returns the range as it may be claimed after the watch.
     *
     * @param lapsed a range without a valid lease
     * @return empty when its holder has written to it or this process stops
     */
    Optional<Versioned<Range>> watch(Versioned<Range> lapsed, Delivery delivery) {
        Range before = lapsed.value();
        if (!before.inDoubt()
                || before.claim().nonce().isEmpty()
                || store.limits().watch().isZero()) {
            return Optional.of(lapsed);
        }
        Duration end = time.elapsed().plus(store.limits().watch());
        while (time.elapsed().compareTo(end) < 0) {
            if (delivery.stopping() || !time.pause(CHECK_INTERVAL)) {
                return Optional.empty();
            }
        }
        return store.range(before.key()).filter(now -> untouched(before, now.value()));
    }

    /**
     * Returns whether the holder has written nothing. A holder changes the end of its lease with every write; processes
     * that rewrite R from outside do not.
     */
    private static boolean untouched(Range before, Range now) {
        return now.inDoubt() && now.claim().equals(before.claim());
    }
}
