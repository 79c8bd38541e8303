package org.azuremail.storage.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStoreContract;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.QueueStoreContract;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.TableStoreContract;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SimulatedStorageTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);

    @Nested
    class Tables implements TableStoreContract {
        @Override
        public TableStore tables() {
            return storage.tables();
        }
    }

    @Nested
    class TablesWithShortPages implements TableStoreContract {

        private final SimulatedStorage shortPages = new SimulatedStorage(time, 3);

        @Override
        public TableStore tables() {
            return shortPages.tables();
        }
    }

    @Nested
    class TablesForMillions implements TableStoreContract {

        private final SimulatedStorage millions = SimulatedStorage.forMillions(time);

        @Override
        public TableStore tables() {
            return millions.tables();
        }
    }

    @Nested
    class Queues implements QueueStoreContract {
        @Override
        public QueueStore queues() {
            return storage.queues();
        }

        @Override
        public void letPass(Duration duration) {
            time.advance(duration);
        }
    }

    @Nested
    class Blobs implements BlobStoreContract {
        @Override
        public BlobStore blobs() {
            return storage.blobs();
        }
    }

    @Nested
    class BlobsWithShortPages implements BlobStoreContract {

        private final SimulatedStorage shortPages = new SimulatedStorage(time, 2);

        @Override
        public BlobStore blobs() {
            return shortPages.blobs();
        }
    }

    @Test
    void hookThatThrowsBeforeACallLeavesItUndone() {
        storage.tables().createTable("table");
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new IllegalStateException(call.description());
            }
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> storage.tables().write("table", "p", Write.insert("r", Values.none())))
                .withMessage("Insert r");
        storage.hook(CallHook.NONE);
        assertThat(storage.tables().get("table", "p", "r")).isEmpty();
    }

    @Test
    void hookThatThrowsAfterACallLosesOnlyItsAnswer() {
        storage.tables().createTable("table");
        storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                throw new IllegalStateException();
            }
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> storage.tables().write("table", "p", Write.insert("r", Values.none())));
        storage.hook(CallHook.NONE);
        assertThat(storage.tables().get("table", "p", "r")).isPresent();
    }

    @Test
    void hookMayCallTheStorageItself() {
        storage.tables().createTable("table");
        List<Long> numbers = new ArrayList<>();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                numbers.add(call.number());
                if (call.kind() == Kind.GET) {
                    storage.tables().write("table", "p", Write.upsert("r", Values.none()));
                }
            }
        });
        assertThat(storage.tables().get("table", "p", "r")).isPresent();
        assertThat(numbers).containsExactly(2L, 3L);
    }

    @Test
    void callsAreCountedByKind() {
        storage.tables().createTable("table");
        storage.queues().createQueue("queue");
        storage.queues().send("queue", "x");
        storage.queues().send("queue", "y");
        assertThat(storage.calls()).isEqualTo(4);
        assertThat(storage.calls(Kind.SEND)).isEqualTo(2);
        assertThat(storage.callsByKind()).containsEntry(Kind.CREATE_TABLE, 1L).doesNotContainKey(Kind.GET);
        storage.resetCounters();
        assertThat(storage.calls()).isZero();
        assertThat(storage.callsByKind()).isEmpty();
    }

    @Test
    void shortPagesAreSometimesEmptyAndContinue() {
        SimulatedStorage shortPages = new SimulatedStorage(time, 1);
        shortPages.tables().createTable("table");
        shortPages.tables().write("table", "p", Write.insert("r", Values.none()));
        Page<Row> page = shortPages.tables().query("table", KeyRange.everything(), 10, null);
        assertThat(page.items()).isEmpty();
        assertThat(page.last()).isFalse();
    }
}
