package org.azuremail.work.run;

import java.time.Duration;
import java.util.List;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;

/** A simulated storage and driven time, with the runtime of one process. */
public final class Workshop {

    public final ManualTime time = new ManualTime();
    public final SimulatedStorage storage = new SimulatedStorage(time);
    public final WorkQueues queues = InlineWork.queues(storage.storage(), Sheet.TYPE);
    final DeadLetters deadLetters = new DeadLetters(storage.storage(), queues);
    final StopFlag stopFlag = new StopFlag();
    public final WorkRuntime runtime = process(time, Duration.ZERO, 1);

    /** Returns the runtime of another process, with its own clock. */
    public WorkRuntime process(ManualTime clock, Duration foreignGrace, long seed) {
        Leases leases = InlineWork.leases(storage.storage(), clock, new SeededIds(seed), foreignGrace);
        return InlineWork.runtime(storage.storage(), deadLetters, leases, clock, stopFlag);
    }

    /** Returns the number of items, including hidden ones. */
    public long itemsLeft() {
        return storage.queues().approximateCount(Sheet.TYPE.queue());
    }

    boolean isVisible(String text) {
        return storage.queues().peek(Sheet.TYPE.queue(), 32).stream()
                .map(QueueItem::text)
                .anyMatch(Sheet.TYPE.write(new Sheet(text))::equals);
    }

    List<DeadLetter> deadLetterPage() {
        return deadLetters.page(100, null).items();
    }

    /** Returns the number of items with a record of their failures. */
    long triesRows() {
        storage.tables().createTable("work");
        return Rows.all(storage.tables(), "work", KeyRange.partition("tries.sheets"))
                .size();
    }
}
