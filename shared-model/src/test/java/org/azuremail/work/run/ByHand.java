package org.azuremail.work.run;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;

/**
 * Parts of the runtime that a test runs itself: the {@link ItemHandling} of an item that it took off its queue, and the
 * daily sweeps.
 */
public final class ByHand {

    private ByHand() {}

    /** @throws org.azuremail.storage.StorageException if the result could not be stored */
    public static <T> void handle(
            WorkRuntime runtime, QueueService<T> service, QueueItem item, BooleanSupplier stopping) {
        String queue = service.itemType().queue();
        HeldItem held = new HeldItem(runtime.storage().queues(), queue, service.visibility(), item, stopping);
        new ItemHandling<>(service, held, runtime).handle();
    }

    /** Returns the runtime's daily sweeps. */
    public static Stream<ScheduledService> sweeps(Storage storage, DeadLetters deadLetters, Time time) {
        WorkMetrics metrics = new WorkMetrics(new SimpleMeterRegistry());
        return Stream.of(
                new PayloadSweep(storage, deadLetters, time, metrics),
                HousekeepingConfiguration.partitionSweep(deadLetters.queues()));
    }
}
