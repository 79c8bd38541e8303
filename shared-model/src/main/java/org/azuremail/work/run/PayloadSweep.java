package org.azuremail.work.run;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.Container;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.ScheduledService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes, once a week, payloads that are not needed any longer: their item was never sent or is done, or their dead
 * letter is deleted. Payloads younger than seven days stay, and so do those that an item or a dead letter still needs,
 * however old. Each removed payload is counted and logged as a warning, because it may be work that was lost.
 */
final class PayloadSweep implements ScheduledService {

    static final Duration ORPHAN_AFTER = Duration.ofDays(7);

    private static final Logger LOG = LoggerFactory.getLogger(PayloadSweep.class);
    private final Table work;
    private final Container payloads;
    private final Container dead;
    private final DeadLetters deadLetters;
    private final WorkQueues queues;
    private final Time time;
    private final WorkMetrics metrics;

    PayloadSweep(Storage storage, DeadLetters deadLetters, Time time, WorkMetrics metrics) {
        this.work = new Table(storage.tables(), "work");
        this.payloads = new Container(storage.blobs(), Payloads.CONTAINER);
        this.dead = new Container(storage.blobs(), DeadLetters.PAYLOADS);
        this.deadLetters = deadLetters;
        this.queues = deadLetters.queues();
        this.time = time;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "payload-sweep";
    }

    @Override
    public Duration interval() {
        return Duration.ofDays(7);
    }

    @Override
    public void run() {
        Instant young = time.instant().minus(ORPHAN_AFTER);
        sweep(payloads, young, this::isWaitedFor);
        sweep(dead, young, blob -> deadLetters.find(blob.name()).isPresent());
        forgetDone(young);
    }

    private void sweep(Container container, Instant young, Predicate<BlobInfo> needed) {
        container.stream("")
                .filter(blob -> blob.modifiedAt().isBefore(young))
                .filter(needed.negate())
                .forEach(blob -> remove(container, blob));
    }

    private void remove(Container container, BlobInfo blob) {
        container.delete(blob);
        metrics.orphanRemoved(container.name());
        LOG.warn(
                "removed payload {} of {} bytes, stored at {}: no work item and no dead letter asks for it",
                blob.name(),
                blob.size(),
                blob.modifiedAt());
    }

    /**
     * Returns whether an item waits for the payload. This is true for names that are not a payload's, so that they are
     * left alone. It is false if the queue is empty, whatever was recorded.
     */
    private boolean isWaitedFor(BlobInfo blob) {
        int slash = blob.name().indexOf('/');
        if (slash < 0) {
            return true;
        }
        String queue = blob.name().substring(0, slash);
        return queues.payloads()
                        .state(queue, blob.name().substring(slash + 1))
                        .filter(Payloads.State.WAITING::equals)
                        .isPresent()
                && !queues.isEmpty(queue);
    }

    private void forgetDone(Instant young) {
        KeyRange all = KeyRange.partitions(Payloads.PARTITION, KeyRange.afterPrefix(Payloads.PARTITION));
        work.stream(all)
                .filter(row -> isDoneBefore(row, young))
                .forEach(row -> work.write(row.key().partition(), Write.delete(row)));
    }

    private static boolean isDoneBefore(Row row, Instant young) {
        Instant doneAt = row.values().instant(Payloads.AT);
        return doneAt != null && doneAt.isBefore(young);
    }
}
