package org.azuremail.work.run;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.azuremail.id.AsciiWord;
import org.azuremail.storage.QueueItem;
import org.azuremail.work.service.QueueService;

/** The metrics of the runtime, by queue or scheduled service. */
public final class WorkMetrics {

    private final MeterRegistry registry;
    private final Workload workload = new Workload();

    public WorkMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Returns the counts of queues in a form that this process itself can read. */
    public Workload workload() {
        return workload;
    }

    /** Counts one call that asked for items. */
    void received(String queue, int items) {
        workload.received(queue, items);
        registry.counter("azuremail.work.receives", "queue", queue, "empty", Boolean.toString(items == 0))
                .increment();
    }

    /**
     * Counts an item that is about to be handled. The time that it waited is counted at its first delivery.
     *
     * @param aged whether it was taken only because its queue had aged
     */
    void begun(QueueService<?> service, QueueItem item, Instant now, boolean aged) {
        String queue = service.queue();
        if (aged) {
            workload.starved(queue);
            registry.counter("azuremail.work.starved", "queue", queue).increment();
        }
        if (item.dequeueCount() == 1) {
            Duration waited =
                    item.insertedAt().isBefore(now) ? Duration.between(item.insertedAt(), now) : Duration.ZERO;
            boolean late = !service.target().isZero() && waited.compareTo(service.target()) > 0;
            workload.begun(queue, waited, late);
            registry.timer("azuremail.work.waits", "queue", queue, "late", Boolean.toString(late))
                    .record(waited);
        }
    }

    /** Records the time from an item's delivery to its result. */
    void handled(String queue, ItemHandling.Outcome outcome, Duration took) {
        workload.handled(queue, outcome, took);
        registry.timer("azuremail.work.items", "queue", queue, "outcome", AsciiWord.of(outcome))
                .record(took);
    }

    /** Records one run of a scheduled service. */
    void ran(String service, boolean succeeded, Duration took) {
        registry.timer("azuremail.work.runs", "service", service, "outcome", succeeded ? "done" : "failed")
                .record(took);
    }

    /** Counts a removed payload that was not needed any longer. */
    void orphanRemoved(String container) {
        registry.counter("azuremail.work.orphans", "container", container).increment();
    }

    /** Counts a turn of a loop that ended in an error, mostly because the storage is out of reach. */
    void loopFailed(String loop) {
        registry.counter("azuremail.work.loop.failures", "loop", loop).increment();
    }
}
