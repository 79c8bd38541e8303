package org.azuremail.work.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
import org.azuremail.work.queue.BatchProgress;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.ItemContent;
import org.azuremail.work.run.ItemHandling.Outcome;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the items of a batch one after another. The progress is stored now and then. After a crash the remaining
 * items are handled, and at most those that were done since the progress was last stored are repeated. An item that
 * fails or is postponed leaves the batch: it is put on the queue by itself, with all its tries left, and holds up no
 * other item.
 */
final class BatchHandling<T> {

    /** The number of items after which the progress is stored, unless they take long. */
    static final int SAVE_AFTER_ITEMS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(BatchHandling.class);
    private static final Duration SAVE_INTERVAL = Duration.ofSeconds(5);

    private final QueueService<T> service;
    private final String queue;
    private final HeldItem held;
    private final Settlement settlement;
    private final WorkRuntime runtime;
    private final ItemContent.Batch batch;
    private final BatchProgress progress;
    private Duration savedElapsed;

    BatchHandling(
            QueueService<T> service,
            HeldItem held,
            Settlement settlement,
            WorkRuntime runtime,
            ItemContent.Batch batch) {
        this.service = service;
        this.queue = service.queue();
        this.held = held;
        this.settlement = settlement;
        this.runtime = runtime;
        this.batch = batch;
        this.progress = runtime.queues().payloads().progress(queue, batch.token());
        this.savedElapsed = runtime.time().elapsed();
    }

    /** One item of the batch, as its handler sees it. */
    private record Part(String itemId, int dequeueCount, Delivery whole) implements Delivery {
        @Override
        public boolean stopping() {
            return whole.stopping();
        }
    }

    private enum Step {
        NEXT,
        NOT_NOW,
        STOP
    }

    Outcome handle() {
        int size = batch.texts().size();
        int from = progress.isDone() ? size : progress.next();
        for (int i = from; i < size; i++) {
            Step step = held.stopping() ? Step.STOP : handle(i, batch.texts().get(i));
            if (step != Step.NEXT) {
                return stopEarly(i, step);
            }
            if (isSaveDue(i + 1) && !saveProgress(i + 1)) {
                LOG.info("{} is somebody else's by now", held);
                return Outcome.RETRIED;
            }
        }
        return settlement.delete(Outcome.DONE);
    }

    /** Ends the handling early. The remaining items are delivered again, and finished items stay finished. */
    private Outcome stopEarly(int next, Step step) {
        boolean interrupted = Thread.interrupted();
        LOG.info("{} goes on later from item {}, interrupted: {}", held, next, interrupted);
        if (next > progress.next() && !saveProgress(next)) {
            return Outcome.RETRIED;
        }
        return settlement.showAfter(step == Step.STOP ? Duration.ZERO : Settlement.STORAGE_REST, Outcome.RETRIED);
    }

    private Step handle(int index, String text) {
        Part part = new Part(batch.token() + "." + index, held.dequeueCount(), held);
        try {
            T item;
            try {
                item = service.itemType().read(text);
            } catch (RuntimeException e) {
                return unreadable(part, text, e);
            }
            WorkResult result = Objects.requireNonNull(service.handle(item, part), "the handler returned nothing");
            return after(part, text, result);
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return thrown(part, text, e);
        }
    }

    private Step after(Part part, String text, WorkResult result) {
        if (result instanceof WorkResult.RetryAfter retry) {
            requeueAlone(text, retry.delay());
        } else if (result instanceof WorkResult.Discard discard) {
            LOG.info("discarded item {} of {}: {}", part.itemId(), queue, discard.reason());
        }
        return Step.NEXT;
    }

    private Step thrown(Part part, String text, Throwable thrown) {
        if (held.stopping() || thrown instanceof InterruptedException) {
            return Step.STOP;
        }
        if (thrown instanceof StorageException storage && storage.postponesWork()) {
            if (runtime.failures().shouldLogItem(queue, thrown)) {
                LOG.warn("{} waits for the storage: {}", held, thrown.toString());
            }
            return Step.NOT_NOW;
        }
        if (runtime.failures().shouldLogItem(queue, thrown)) {
            LOG.warn("item {} of {} failed and goes on alone: {}", part.itemId(), queue, thrown.toString());
        }
        requeueAlone(text, RetryPolicy.backoffAfter(1));
        return Step.NEXT;
    }

    private Step unreadable(Part part, String text, RuntimeException problem) {
        Reason reason = Reason.of(ReasonCode.ITEM_UNREADABLE, problem.toString());
        LOG.error("item {} of {} is a dead letter: {}", part.itemId(), queue, reason);
        Instant at = held.item().insertedAt();
        runtime.deadLetters().add(DeadLetter.of(queue, part.itemId(), text, reason, at, 0));
        return Step.NEXT;
    }

    private void requeueAlone(String text, Duration delay) {
        runtime.queues().putText(queue, text, HeldItem.bounded(delay));
    }

    private boolean isSaveDue(int next) {
        boolean longAgo = runtime.time().elapsed().minus(savedElapsed).compareTo(SAVE_INTERVAL) >= 0;
        return next < batch.texts().size() && (longAgo || next - progress.next() >= SAVE_AFTER_ITEMS);
    }

    private boolean saveProgress(int next) {
        savedElapsed = runtime.time().elapsed();
        return progress.save(next);
    }
}
