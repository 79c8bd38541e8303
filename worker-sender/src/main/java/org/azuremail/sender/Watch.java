package org.azuremail.sender;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.service.Delivery;

/**
 * Before a lot that lapsed in Handing is taken from its holder: a holder that lives may only have been unable to renew its
 * lease, because the storage was away for everybody. So whoever finds such a lot watches it first, and leaves it to its
 * holder if that writes anything meanwhile. An outage ends for both at the same time, and the holder needs much less than
 * the watch to come back.
 */
record Watch(DeliveryStore store, Time time) {

    private static final Duration LOOK = Duration.ofSeconds(1);

    /**
     * The range as it may be claimed now.
     *
     * @param lapsed a range that nobody holds by its lease
     * @return empty when its holder came back, or this process stops
     */
    Optional<Versioned<Range>> over(Versioned<Range> lapsed, Delivery delivery) {
        Range before = lapsed.value();
        if (!before.inDoubt()
                || before.claim().nonce().isEmpty()
                || store.limits().watch().isZero()) {
            return Optional.of(lapsed);
        }
        Duration end = time.elapsed().plus(store.limits().watch());
        while (time.elapsed().compareTo(end) < 0) {
            if (delivery.stopping() || interrupted()) {
                return Optional.empty();
            }
        }
        return store.range(before.key()).filter(now -> untouched(before, now.value()));
    }

    /**
     * A process that rewrites R from the outside changes none of these; its holder changes the end of its lease with every
     * write.
     */
    private static boolean untouched(Range before, Range now) {
        return now.inDoubt() && now.claim().equals(before.claim());
    }

    private boolean interrupted() {
        try {
            time.sleep(LOOK);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
