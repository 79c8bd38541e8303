package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.azuremail.storage.StorageCalls.CallKind;
import org.azuremail.storage.StorageCalls.Count;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Outcome;
import org.azuremail.storage.StorageCalls.Store;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StorageCallsTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage simulated = new SimulatedStorage(time);
    private final StorageCalls calls = new StorageCalls("scheduler+sender");
    private final Storage storage = calls.around(simulated.storage());

    @BeforeEach
    void places() {
        simulated.tables().createTable("table");
        simulated.queues().createQueue("queue");
        simulated.blobs().createContainer("container");
    }

    @Test
    void batchIsOneCallAndItsRowsAreCounted() {
        List<Write> batch = IntStream.range(0, 100)
                .<Write>mapToObj(n -> Write.insert("r" + n, Values.none()))
                .toList();

        storage.tables().write("table", "p", batch);
        storage.tables().query("table", KeyRange.partition("p"), 30, null);
        storage.tables().get("table", "p", "r7");
        storage.tables().get("table", "p", "nobody");

        assertThat(calls.snapshot())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        table(Operation.WRITE, Outcome.OK), new Count(1, 100),
                        table(Operation.QUERY, Outcome.OK), new Count(1, 30),
                        table(Operation.GET, Outcome.OK), new Count(2, 1)));
    }

    @Test
    void refusedConditionsAreCountedSeparately() throws IOException {
        storage.tables().write("table", "p", Write.insert("r", Values.none()));
        storage.tables().write("table", "p", Write.insert("r", Values.none()));
        storage.queues().send("queue", "x");
        QueueItem item =
                storage.queues().receive("queue", 1, Duration.ofMinutes(1)).get(0);
        storage.queues().renew("queue", item, Duration.ofMinutes(1));
        storage.queues().renew("queue", item, Duration.ofMinutes(1));
        storage.queues().delete("queue", item);
        storage.blobs().put("container", "b", InputStream.nullInputStream(), BlobStore.ABSENT);
        storage.blobs().put("container", "b", new byte[1], BlobStore.ABSENT);
        storage.blobs().delete("container", "nobody", BlobStore.ALWAYS);

        assertThat(count(Store.TABLE, "table", Operation.WRITE, Outcome.OK)).isEqualTo(1);
        assertThat(count(Store.TABLE, "table", Operation.WRITE, Outcome.REFUSED))
                .isEqualTo(1);
        assertThat(count(Store.QUEUE, "queue", Operation.RENEW, Outcome.OK)).isEqualTo(1);
        assertThat(count(Store.QUEUE, "queue", Operation.RENEW, Outcome.REFUSED))
                .isEqualTo(1);
        assertThat(count(Store.QUEUE, "queue", Operation.DELETE, Outcome.REFUSED))
                .isEqualTo(1);
        assertThat(count(Store.BLOB, "container", Operation.PUT, Outcome.OK)).isEqualTo(1);
        assertThat(count(Store.BLOB, "container", Operation.PUT, Outcome.REFUSED))
                .isEqualTo(1);
        assertThat(count(Store.BLOB, "container", Operation.DELETE, Outcome.REFUSED))
                .isEqualTo(1);
    }

    @Test
    void exceptionIsCountedAndPassedOnUnchanged() {
        for (Throwable failure :
                List.of(new StorageException(StorageException.Reason.TIMED_OUT, "late", null), new ProcessDied())) {
            simulated.hook(new CallHook() {
                @Override
                public void after(Call call) {
                    StorageCallsTest.<RuntimeException>doThrow(failure);
                }
            });
            assertThatThrownBy(() -> storage.queues().send("queue", "x")).isSameAs(failure);
            assertThatThrownBy(() -> storage.blobs().read("container", "b")).isSameAs(failure);
        }
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the sender hung up");
            }
        };
        assertThatThrownBy(() -> storage.blobs().put("container", "b", broken, BlobStore.ALWAYS))
                .isInstanceOf(IOException.class);

        assertThat(count(Store.QUEUE, "queue", Operation.SEND, Outcome.FAILED)).isEqualTo(2);
        assertThat(count(Store.BLOB, "container", Operation.OPEN, Outcome.FAILED))
                .isEqualTo(2);
        assertThat(count(Store.BLOB, "container", Operation.PUT, Outcome.FAILED))
                .isEqualTo(1);
        assertThat(total()).isEqualTo(5);
    }

    @Test
    void callThatBreaksALimitIsNotCounted() {
        assertThatIllegalArgumentException().isThrownBy(() -> storage.tables().write("table", "p", List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> storage.queues().send("queue", "x".repeat(QueueStore.MAX_TEXT_BYTES + 1)));

        assertThat(total()).isZero();
    }

    @Test
    void aRegistrySeesEarlierAndLaterCounts() {
        storage.queues().peek("queue", 1);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        calls.bindTo(registry);
        storage.queues().peek("queue", 1);
        storage.tables()
                .write("table", "p", List.of(Write.upsert("a", Values.none()), Write.upsert("b", Values.none())));

        assertThat(registry.get("azuremail.storage.calls")
                        .tags("store", "queue", "name", "queue", "operation", "peek", "outcome", "ok")
                        .tag("roles", "scheduler+sender")
                        .functionCounter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("azuremail.storage.entities")
                        .tags("name", "table", "operation", "write", "outcome", "ok")
                        .functionCounter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void manyThreadsLoseNoCount() throws InterruptedException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        calls.bindTo(registry);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        IntStream.range(0, 8)
                .forEach(n -> threads.execute(() ->
                        IntStream.range(0, 1000).forEach(i -> storage.tables().get("table", "p", "r"))));
        threads.shutdown();

        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(total()).isEqualTo(8000);
        assertThat(registry.get("azuremail.storage.calls").functionCounter().count())
                .isEqualTo(8000);
    }

    @Test
    void namesBeyondTheLimitAreCountedTogether() {
        for (int n = 0; n < StorageCalls.MAX_NAMES + 10; n++) {
            storage.queues().createQueue("queue" + n);
        }

        assertThat(calls.snapshot()).hasSize(StorageCalls.MAX_NAMES + 1);
        assertThat(count(Store.QUEUE, StorageCalls.OTHERS, Operation.CREATE, Outcome.OK))
                .isEqualTo(10);
    }

    private static CallKind table(Operation operation, Outcome outcome) {
        return new CallKind(Store.TABLE, "table", operation, outcome);
    }

    private long total() {
        return calls.snapshot().values().stream().mapToLong(Count::calls).sum();
    }

    private long count(Store store, String name, Operation operation, Outcome outcome) {
        return calls.snapshot()
                .getOrDefault(new CallKind(store, name, operation, outcome), new Count(0, 0))
                .calls();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void doThrow(Throwable any) throws E {
        throw (E) any;
    }
}
