package org.azuremail.work.run;

import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Tuning;
import org.azuremail.work.signal.Signals;

/** The runtime of one process on any storage, with its own queue, so that many tests may share an account. */
public final class WorkBench {

    private static final String RUN = HexFormat.of().formatHex(IdSource.secure().bytes(4));
    private static final AtomicLong NEXT = new AtomicLong();

    final Storage storage;
    final Time time;
    final String queue;
    public final ItemType<Sheet> type;
    final Payloads payloads;
    public final WorkQueues queues;
    final DeadLetters deadLetters;
    final StopFlag stopFlag = new StopFlag();
    final WorkRuntime runtime;

    public WorkBench(Storage storage, Time time) {
        this(storage, time, "w" + RUN + "n" + NEXT.incrementAndGet(), 1);
    }

    private WorkBench(Storage storage, Time time, String queue, int count) {
        this.storage = storage;
        this.time = time;
        this.queue = queue;
        this.type = ItemType.json(queue, Sheet.class);
        this.payloads = new Payloads(storage, IdSource.secure(), InlineWork.OVERFLOW_OVER);
        Partitions partitions = new Partitions(storage, Map.of(queue, count), time);
        this.queues = new WorkQueues(storage, payloads, partitions, () -> List.of(type), Signals.NONE);
        this.deadLetters = new DeadLetters(storage, queues);
        Leases leases = InlineWork.leases(storage, time, IdSource.secure(), Duration.ZERO);
        this.runtime = InlineWork.runtime(storage, deadLetters, leases, time, stopFlag);
    }

    /** Returns another process on the same queue, whose storage may have faults. */
    WorkBench process(Storage itsStorage) {
        return new WorkBench(itsStorage, time, queue, 1);
    }

    /** Returns another process on the same queue, with its own clock. */
    WorkBench process(Time clock) {
        return new WorkBench(storage, clock, queue, 1);
    }

    /** Returns another process on the same queue, with this number of partitions in its settings. */
    WorkBench withPartitions(int count) {
        return withPartitions(storage, count);
    }

    WorkBench withPartitions(Storage itsStorage, int count) {
        return new WorkBench(itsStorage, time, queue, count);
    }

    /** Returns the number of items in each partition, including hidden ones. */
    List<Long> itemsByPartition(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    storage.queues().createQueue(Partitions.name(queue, i));
                    return storage.queues().approximateCount(Partitions.name(queue, i));
                })
                .toList();
    }

    public QueueRunner<Sheet> runner(SheetService.Script script) {
        return InlineWork.runner(runtime, new SheetService(script, type));
    }

    /** Returns a runtime whose handlers run on threads of their own, as in production. */
    WorkRuntime onThreads(Executor handlers) {
        return InlineWork.runtime(storage, deadLetters, runtime.leases(), time, handlers, stopFlag, Tuning.NONE);
    }

    /** Returns the number of items, including hidden ones. */
    public long itemsLeft() {
        storage.queues().createQueue(queue);
        return storage.queues().approximateCount(queue);
    }

    List<String> textsInQueue() {
        return storage.queues().peek(queue, 32).stream()
                .map(item -> item.text())
                .toList();
    }

    /** Returns the dead letters of this queue. */
    public List<DeadLetter> deadLetterPage() {
        return deadLetters.page(1000, null).items().stream()
                .filter(letter -> letter.queue().equals(queue))
                .toList();
    }

    /** Returns the names of the payloads of this queue. */
    List<String> payloadBlobs() {
        return blobs(Payloads.CONTAINER, queue + "/");
    }

    List<String> deadPayloadBlobs() {
        return blobs(DeadLetters.PAYLOADS, "").stream()
                .filter(name -> name.contains("." + queue + "."))
                .toList();
    }

    private List<String> blobs(String container, String prefix) {
        storage.blobs().createContainer(container);
        return storage.blobs().list(container, prefix, 1000, null).items().stream()
                .map(BlobInfo::name)
                .toList();
    }
}
