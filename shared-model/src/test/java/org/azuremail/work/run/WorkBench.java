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

/** One process's runtime on any storage, with a queue of its own, so that many tests may share an account. */
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
    final StopFlag stopping = new StopFlag();
    final WorkRuntime runtime;

    public WorkBench(Storage storage, Time time) {
        this(storage, time, "w" + RUN + "n" + NEXT.incrementAndGet(), 1);
    }

    private WorkBench(Storage storage, Time time, String queue, int count) {
        this.storage = storage;
        this.time = time;
        this.queue = queue;
        this.type = ItemType.json(queue, Sheet.class);
        this.payloads = new Payloads(storage, IdSource.secure(), Payloads.OVERFLOW_OVER);
        Partitions partitions = new Partitions(storage, Map.of(queue, count), time);
        this.queues = new WorkQueues(storage, payloads, partitions, () -> List.of(type), Signals.NONE);
        this.deadLetters = new DeadLetters(storage, queues);
        Leases leases = InlineWork.leases(storage, time, IdSource.secure(), Duration.ZERO);
        this.runtime = InlineWork.runtime(storage, deadLetters, leases, time, stopping);
    }

    /** Another process on the same queue; its storage may do something wrong. */
    WorkBench process(Storage itsStorage) {
        return new WorkBench(itsStorage, time, queue, 1);
    }

    /** Another process on the same queue, with a clock of its own. */
    WorkBench process(Time clock) {
        return new WorkBench(storage, clock, queue, 1);
    }

    /** Another process on the same queue, which its settings say has so many partitions. */
    WorkBench withPartitions(int count) {
        return withPartitions(storage, count);
    }

    WorkBench withPartitions(Storage itsStorage, int count) {
        return new WorkBench(itsStorage, time, queue, count);
    }

    /** Items by partition; hidden ones count as well. */
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

    /** Works like a process: handlers run on their own threads. */
    WorkRuntime onThreads(Executor handlers) {
        return InlineWork.runtime(storage, deadLetters, runtime.leases(), time, handlers, stopping, Tuning.NONE);
    }

    /** Hidden items count as well. */
    public long itemsLeft() {
        storage.queues().createQueue(queue);
        return storage.queues().approximateCount(queue);
    }

    List<String> textsInQueue() {
        return storage.queues().peek(queue, 32).stream()
                .map(item -> item.text())
                .toList();
    }

    /** Of this queue. */
    public List<DeadLetter> deadLetterPage() {
        return deadLetters.page(1000, null).items().stream()
                .filter(letter -> letter.queue().equals(queue))
                .toList();
    }

    /** Payloads that travel beside this queue. */
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
