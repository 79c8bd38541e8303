package org.azuremail.work.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.run.ItemHandling.Outcome;
import org.azuremail.work.service.QueueService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a delivery: deletes its item, makes it visible again, or turns it into a dead letter. Each is done in an order
 * that survives a crash.
 */
record Settlement(QueueService<?> service, HeldItem held, WorkRuntime runtime) {

    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    /** The rest of an item whose handler could not reach the storage. */
    static final Duration STORAGE_REST = Duration.ofSeconds(10);

    /**
     * Returns the rest after a failure of the storage. It is longer if a table or queue was deleted, because that lasts
     * longer than an outage.
     */
    static Duration restAfter(StorageException failure) {
        return failure.retryable() ? STORAGE_REST : RetryPolicy.MAX_REST;
    }

    /**
     * Deletes the item, then its failures, and its payload last. The failures are needed until the item is deleted,
     * because another process may receive it.
     */
    Outcome delete(Outcome outcome) {
        Payloads payloads = runtime.queues().payloads();
        Optional<String> payload = Payloads.tokenOf(held.text());
        payload.ifPresent(token ->
                payloads.markDone(service.queue(), token, runtime.time().instant()));
        if (!held.delete()) {
            LOG.debug("{} was delivered to somebody else meanwhile", held);
            return outcome;
        }
        if (service.deadLetters() && held.dequeueCount() > 1) {
            runtime.failureCounts().forget(service.queue(), held.itemId());
        }
        payload.ifPresent(token -> payloads.remove(service.queue(), token));
        return outcome;
    }

    Outcome showAfter(Duration delay, Outcome outcome) {
        runtime.queues().payloads().markWaiting(service.queue(), held.text());
        held.showAfter(delay);
        return outcome;
    }

    /**
     * Makes the item visible again immediately. Clears the thread's interrupt first, because it would disturb the
     * storage call.
     */
    Outcome handBack() {
        boolean interrupted = Thread.interrupted();
        LOG.debug("{} is handed back, interrupted: {}", held, interrupted);
        return showAfter(Duration.ZERO, Outcome.RETRIED);
    }

    /**
     * @param at the time of the last failure, not the present time, so that a repetition after a crash creates the same
     *     dead letter
     */
    Outcome dead(String text, int failures, Reason reason, Instant at) {
        LOG.error("{} is a dead letter after {} failures: {}", held, failures, reason);
        runtime.deadLetters().add(DeadLetter.of(service.queue(), held.itemId(), text, reason, at, failures));
        return delete(Outcome.DEAD);
    }
}
