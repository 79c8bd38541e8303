package org.azuremail.work.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.run.Handling.Outcome;
import org.azuremail.work.service.QueueService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a delivery: its item goes, shows again, or becomes a dead letter, each in an order that survives a crash. */
record Settlement(QueueService<?> service, HeldItem held, WorkRuntime runtime) {

    private static final Logger log = LoggerFactory.getLogger(Settlement.class);

    /** The rest of an item whose handler could not reach the storage. */
    static final Duration STORAGE_REST = Duration.ofSeconds(10);

    /** A deleted table or queue stays away for longer than an outage lasts. */
    static Duration restAfter(StorageException failure) {
        return failure.retryable() ? STORAGE_REST : Failures.LONGEST_REST;
    }

    /** Failures are forgotten only after the item: until then they tell who gets it next. A payload goes last. */
    Outcome delete(Outcome outcome) {
        Payloads payloads = runtime.queues().payloads();
        Optional<String> payload = Payloads.tokenOf(held.text());
        payload.ifPresent(token -> payloads.done(queue(), token, runtime.time().instant()));
        if (!held.delete()) {
            log.debug("{} was delivered to somebody else meanwhile", held);
            return outcome;
        }
        if (service.deadLetters() && held.dequeueCount() > 1) {
            runtime.tries().forget(queue(), held.itemId());
        }
        payload.ifPresent(token -> payloads.remove(queue(), token));
        return outcome;
    }

    Outcome showAfter(Duration delay, Outcome outcome) {
        runtime.queues().payloads().waits(queue(), held.text());
        held.showAfter(delay);
        return outcome;
    }

    /** The interrupt has done its work, and would only hinder the call that shows the item again. */
    Outcome handBack() {
        boolean interrupted = Thread.interrupted();
        log.debug("{} is handed back, interrupted: {}", held, interrupted);
        return showAfter(Duration.ZERO, Outcome.RETRIED);
    }

    /**
     * @param at of the last failure and not now: repeated after a crash, this makes the same dead letter
     */
    Outcome dead(String text, int failures, Reason reason, Instant at) {
        log.error("{} is a dead letter after {} failures: {}", held, failures, reason);
        runtime.deadLetters().add(DeadLetter.of(queue(), held.itemId(), text, reason, at, failures));
        return delete(Outcome.DEAD);
    }

    private String queue() {
        return service.itemType().queue();
    }
}
