package org.azuremail.work;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One item from its delivery to what becomes of it. The item is deleted last. */
final class Handling<T> {

    private static final Logger log = LoggerFactory.getLogger(Handling.class);
    private static final Duration STORAGE_REST = Duration.ofSeconds(10);

    /** What became of an item, as it is counted. */
    enum Outcome {
        DONE,
        RETRIED,
        DISCARDED,
        FAILED,
        DEAD
    }

    private final QueueService<T> service;
    private final ItemType<T> type;
    private final HeldItem held;
    private final Payloads payloads;
    private final Tries tries;
    private final DeadLetters deadLetters;
    private final Time time;

    Handling(
            QueueService<T> service,
            HeldItem held,
            Payloads payloads,
            Tries tries,
            DeadLetters deadLetters,
            Time time) {
        this.service = service;
        this.type = service.itemType();
        this.held = held;
        this.payloads = payloads;
        this.tries = tries;
        this.deadLetters = deadLetters;
        this.time = time;
    }

    /** @throws StorageException when a call of the storage failed: the item shows again by itself */
    Outcome handle() {
        Content content = Content.of(payloads, type.queue(), held.text());
        if (content instanceof Content.Text text) {
            return handle(text.text());
        }
        if (content instanceof Content.Lost lost) {
            return dead(held.text(), 0, lost.reason(), held.item().insertedAt());
        }
        log.info("{} came once more, its work is done", held);
        delete();
        return Outcome.DISCARDED;
    }

    private Outcome handle(String text) {
        T item;
        try {
            item = type.read(text);
        } catch (RuntimeException e) {
            return dead(text, 0, "unreadable: " + e.getMessage(), held.item().insertedAt());
        }
        Tries.Account account = accountOfRedelivery();
        if (account.failures() >= Failures.LIMIT) {
            return dead(text, account);
        }
        WorkResult result;
        try {
            result = Objects.requireNonNull(service.handle(item, held), "the handler returned nothing");
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return thrown(text, e);
        }
        return finish(result);
    }

    /** Nobody has failed at an item's first delivery, so that nothing has to be read then. */
    private Tries.Account accountOfRedelivery() {
        return service.deadLetters() && held.dequeueCount() > 1
                ? tries.of(type.queue(), held.itemId())
                : Tries.Account.CLEAN;
    }

    private Outcome finish(WorkResult result) {
        if (result instanceof WorkResult.RetryAfter retry) {
            return retryAfter(retry.delay());
        }
        delete();
        if (result instanceof WorkResult.Discard discard) {
            log.info("discarded {}: {}", held, discard.reason());
            return Outcome.DISCARDED;
        }
        return Outcome.DONE;
    }

    private Outcome retryAfter(Duration delay) {
        payloads.waits(type.queue(), held.text());
        held.showAfter(delay);
        return Outcome.RETRIED;
    }

    /** The interrupt has done its work, and would only hinder the call that shows the item again. */
    private Outcome handBack() {
        boolean interrupted = Thread.interrupted();
        log.debug("{} is handed back, interrupted: {}", held, interrupted);
        return retryAfter(Duration.ZERO);
    }

    private Outcome thrown(String text, Throwable thrown) {
        if (held.stopping() || thrown instanceof InterruptedException) {
            log.info("{} was ended early: {}", held, thrown.toString());
            return handBack();
        }
        if (thrown instanceof StorageException storage && storage.retryable()) {
            log.warn("{} waits for the storage: {}", held, thrown.toString());
            return retryAfter(STORAGE_REST);
        }
        if (!service.deadLetters()) {
            return failed(thrown, held.dequeueCount());
        }
        Tries.Account account =
                tries.fail(type.queue(), held.itemId(), held.dequeueCount(), thrown.toString(), time.instant());
        return account.failures() >= Failures.LIMIT ? dead(text, account) : failed(thrown, account.failures());
    }

    private Outcome failed(Throwable thrown, int failures) {
        Duration rest = Failures.restAfter(failures);
        log.warn("{} failed, comes again in {} s: {}", held, rest.toSeconds(), thrown.toString());
        log.debug("failure {} of {}", failures, held, thrown);
        payloads.waits(type.queue(), held.text());
        held.showAfter(rest);
        return Outcome.FAILED;
    }

    private Outcome dead(String text, Tries.Account account) {
        return dead(text, account.failures(), account.reason(), account.at());
    }

    /** The time is that of the last failure and not now: who repeats this after a crash makes the same dead letter. */
    private Outcome dead(String text, int failures, String reason, Instant at) {
        log.error("{} is a dead letter after {} failures: {}", held, failures, reason);
        deadLetters.add(DeadLetter.of(type.queue(), held.itemId(), text, reason, at, failures));
        delete();
        return Outcome.DEAD;
    }

    /** Failures are forgotten only after the item: until then they tell who gets it next. */
    private void delete() {
        Optional<String> payload = payload();
        payload.ifPresent(token -> payloads.done(type.queue(), token, time.instant()));
        if (!held.delete()) {
            log.debug("{} was delivered to somebody else meanwhile", held);
            return;
        }
        if (service.deadLetters() && held.dequeueCount() > 1) {
            tries.forget(type.queue(), held.itemId());
        }
        payload.ifPresent(token -> payloads.remove(type.queue(), token));
    }

    private Optional<String> payload() {
        return Payloads.tokenOf(held.text());
    }
}
