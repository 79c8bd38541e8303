package org.azuremail.work.run;

import java.time.Duration;
import java.util.Objects;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
import org.azuremail.work.queue.ItemContent;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles one item from its delivery to its end. The item is deleted last. */
final class ItemHandling<T> {

    private static final Logger LOG = LoggerFactory.getLogger(ItemHandling.class);

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
    private final WorkRuntime runtime;
    private final Settlement settlement;

    ItemHandling(QueueService<T> service, HeldItem held, WorkRuntime runtime) {
        this.service = service;
        this.type = service.itemType();
        this.held = held;
        this.runtime = runtime;
        this.settlement = new Settlement(service, held, runtime);
    }

    /** @throws StorageException if a call of the storage failed; the item becomes visible again by itself */
    Outcome handle() {
        ItemContent content = ItemContent.of(runtime.queues().payloads(), type.queue(), held.text());
        if (content instanceof ItemContent.Text text) {
            return handle(text.text());
        }
        if (content instanceof ItemContent.Batch batch) {
            return new BatchHandling<>(service, held, settlement, runtime, batch).handle();
        }
        if (content instanceof ItemContent.Lost lost) {
            return settlement.dead(held.text(), 0, lost.reason(), held.item().insertedAt());
        }
        LOG.info("{} came once more, its work is done", held);
        return settlement.delete(Outcome.DISCARDED);
    }

    private Outcome handle(String text) {
        T item;
        try {
            item = type.read(text);
        } catch (RuntimeException e) {
            Reason reason = Reason.of(ReasonCode.ITEM_UNREADABLE, e.toString());
            return settlement.dead(text, 0, reason, held.item().insertedAt());
        }
        FailureCounts.FailureRecord failures = accountOfRedelivery();
        if (failures.failures() >= RetryPolicy.MAX_FAILURES) {
            return dead(text, failures);
        }
        WorkResult result;
        try {
            result = Objects.requireNonNull(service.handle(item, held), "the handler returned nothing");
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return thrown(text, e);
        }
        return finish(result);
    }

    /** Returns the failures of an item. At its first delivery there are none, so nothing is read then. */
    private FailureCounts.FailureRecord accountOfRedelivery() {
        return service.deadLetters() && held.dequeueCount() > 1
                ? runtime.failureCounts().of(type.queue(), held.itemId())
                : FailureCounts.FailureRecord.CLEAN;
    }

    private Outcome finish(WorkResult result) {
        if (result instanceof WorkResult.RetryAfter retry) {
            return settlement.showAfter(retry.delay(), Outcome.RETRIED);
        }
        if (result instanceof WorkResult.Discard discard) {
            settlement.delete(Outcome.DISCARDED);
            LOG.info("discarded {}: {}", held, discard.reason());
            return Outcome.DISCARDED;
        }
        return settlement.delete(Outcome.DONE);
    }

    private Outcome thrown(String text, Throwable thrown) {
        if (held.stopping() || thrown instanceof InterruptedException) {
            LOG.info("{} was ended early: {}", held, thrown.toString());
            return settlement.handBack();
        }
        if (thrown instanceof StorageException storage && storage.postponesWork()) {
            if (runtime.failures().shouldLogItem(type.queue(), thrown)) {
                LOG.warn("{} waits for the storage: {}", held, thrown.toString());
            }
            return settlement.showAfter(Settlement.restAfter(storage), Outcome.RETRIED);
        }
        if (!service.deadLetters()) {
            return failed(thrown, held.dequeueCount());
        }
        FailureCounts.FailureRecord failures = runtime.failureCounts()
                .fail(
                        type.queue(),
                        held.itemId(),
                        held.dequeueCount(),
                        thrown.toString(),
                        runtime.time().instant());
        return failures.failures() >= RetryPolicy.MAX_FAILURES
                ? dead(text, failures)
                : failed(thrown, failures.failures());
    }

    private Outcome failed(Throwable thrown, int failures) {
        Duration rest = RetryPolicy.backoffAfter(failures);
        if (runtime.failures().shouldLogItem(type.queue(), thrown)) {
            LOG.warn("{} failed, comes again in {} s: {}", held, rest.toSeconds(), thrown.toString());
        }
        LOG.debug("failure {} of {}", failures, held, thrown);
        return settlement.showAfter(rest, Outcome.FAILED);
    }

    private Outcome dead(String text, FailureCounts.FailureRecord failures) {
        Reason reason = Reason.of(ReasonCode.ITEM_FAILED, failures.thrown());
        return settlement.dead(text, failures.failures(), reason, failures.at());
    }
}
