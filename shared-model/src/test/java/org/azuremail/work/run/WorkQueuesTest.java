package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.id.IdSource;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkQueuesTest {

    private sealed interface Shape {}

    private record Circle(int radius) implements Shape {}

    private record Square(int side) implements Shape {}

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final List<String> signalled = new ArrayList<>();
    private final Signals signals = new Signals() {
        @Override
        public void workAvailable(String queue) {
            assertThat(storage.queues().peek(queue, 1))
                    .as("stored before the signal")
                    .isNotEmpty();
            signalled.add(queue);
        }

        @Override
        public void runSoon(String scheduledService) {
            throw new AssertionError("nobody asked for " + scheduledService);
        }
    };

    private WorkQueues queues(ItemType<?>... types) {
        Payloads payloads = new Payloads(storage.storage(), IdSource.secure(), InlineWork.OVERFLOW_OVER);
        return new WorkQueues(
                storage.storage(),
                payloads,
                new Partitions(storage.storage(), java.util.Map.of(), time),
                () -> List.of(types),
                signals);
    }

    @Test
    @DisplayName("K1: the queue is named by the item's class, and the producer needs nothing but the item")
    void k1_theQueueIsNamedByTheType() {
        ItemType<Circle> circles = ItemType.of(Circle.class);
        queues(circles).put(new Circle(7));

        assertThat(circles.queue()).isEqualTo("org-azuremail-work-run-workqueuestest-circle");
        assertThat(storage.queues().peek(circles.queue(), 1))
                .singleElement()
                .satisfies(item -> assertThat(circles.read(item.text())).isEqualTo(new Circle(7)));
    }

    @Test
    @DisplayName("K1: of a class with a very long name the queue has a name that storage takes")
    void k1_longNamesAreCut() {
        record RecordWithANameThatIsMuchLongerThanWhatAnyQueueOfThisWorldMayHave(int value) {}

        assertThat(ItemType.of(RecordWithANameThatIsMuchLongerThanWhatAnyQueueOfThisWorldMayHave.class)
                        .queue())
                .hasSizeBetween(60, 63)
                .endsWith("ofthisworldmayhave");
    }

    @Test
    @DisplayName("Q9: a signal is sent only after the item is stored")
    void q9_storedFirstSignalledThen() {
        queues(Sheet.TYPE).put(new Sheet("a"));

        assertThat(signalled).containsExactly("sheets");
    }

    @Test
    void anItemThatCouldNotBeStoredIsNotSignalled() {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
            }
        });

        assertThatThrownBy(() -> queues(Sheet.TYPE).put(new Sheet("a"))).isInstanceOf(StorageException.class);
        assertThat(signalled).isEmpty();
    }

    @Test
    void delayedItemsShowLaterAndWakeNobody() {
        queues(Sheet.TYPE).put(new Sheet("a"), Duration.ofMinutes(1));

        assertThat(signalled).isEmpty();
        assertThat(storage.queues().peek("sheets", 1)).isEmpty();
        time.advance(Duration.ofMinutes(1));
        assertThat(storage.queues().peek("sheets", 1)).hasSize(1);
    }

    @Test
    @DisplayName("K3: a queue is made once")
    void k3_theQueueIsMadeOnce() {
        WorkQueues queues = queues(Sheet.TYPE);
        queues.put(new Sheet("a"));
        queues.put(new Sheet("b"));

        assertThat(storage.calls(Call.Kind.CREATE_QUEUE)).isEqualTo(1);
    }

    @Test
    void aQueueThatSomebodyDeletesIsMadeAgain() {
        WorkQueues queues = queues(Sheet.TYPE);
        queues.put(new Sheet("a"));

        storage.deleteQueue("sheets");
        assertThatThrownBy(() -> queues.put(new Sheet("b"))).isInstanceOf(StorageException.class);
        queues.put(new Sheet("c"));
        assertThat(storage.queues().approximateCount("sheets")).isEqualTo(1);

        storage.deleteQueue("sheets");
        assertThatThrownBy(() -> queues.isEmpty("sheets")).isInstanceOf(StorageException.class);
        assertThat(queues.isEmpty("sheets")).isTrue();
    }

    @Test
    void severalKindsOfItemsMayShareAQueue() {
        ItemType<Shape> shapes = new ItemType<>("shapes", Shape.class, Shape::toString, text -> new Circle(1));
        WorkQueues queues = queues(shapes);

        queues.put(new Circle(7));
        queues.put(new Square(8));

        assertThat(signalled).containsExactly("shapes", "shapes");
    }

    @Test
    void anItemThatNobodyDeclaredIsRefused() {
        assertThatThrownBy(() -> queues(Sheet.TYPE).put(new Circle(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Circle");
    }

    @Test
    void aClassWithTwoQueuesIsRefused() {
        WorkQueues queues = queues(Sheet.TYPE, ItemType.json("other-sheets", Sheet.class));

        assertThatThrownBy(() -> queues.put(new Sheet("a"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anotherTypesTextIsNotRead() {
        assertThatThrownBy(() -> Sheet.TYPE.read("7")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Sheet.TYPE.read("null")).isInstanceOf(IllegalArgumentException.class);
    }
}
