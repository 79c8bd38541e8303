package org.azuremail.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.embedded.OnEmbedded;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CompactIdsTest {

    private final SimulatedStorage storage = new SimulatedStorage(new ManualTime());

    @Nested
    class Simulated implements CompactIdsContract {
        @Override
        public Storage storage() {
            return storage.storage();
        }
    }

    @Nested
    class Embedded extends OnEmbedded implements CompactIdsContract {

        Embedded() {
            super(new ManualTime());
        }
    }

    private CompactIds process() {
        return new CompactIds(storage.storage());
    }

    @Test
    @DisplayName("K19: 2^20 numbers of one process cost 20 writes and no read")
    void k19_aMillionNumbersCostTwentyWrites() {
        CompactIds ids = process();
        long last = LongStream.range(0, 1L << 20).map(i -> ids.next("message")).reduce(0, (a, b) -> b);

        assertThat(last).isEqualTo(1L << 20);
        assertThat(storage.calls(Call.Kind.WRITE)).isEqualTo(20);
        assertThat(storage.calls(Call.Kind.GET)).isZero();
    }

    @Test
    @DisplayName("K19: numbers begin at 1 and follow each other in one process; counters know nothing of each other")
    void k19_numbersAreCompact() {
        CompactIds ids = process();

        assertThat(LongStream.range(0, 100).map(i -> ids.next("message")).toArray())
                .containsExactly(LongStream.rangeClosed(1, 100).toArray());
        assertThat(ids.next("import/ü#1")).isEqualTo(1);
    }

    @Test
    void aGapIsLeftOnceHoweverOftenItIsAskedFor() {
        CompactIds before = process();
        before.next("message");
        long first = process().firstUnused("message") + 1_000;

        process().skipTo("message", first);
        before.skipTo("message", first);

        assertThat(before.next("message")).isEqualTo(first);
        assertThat(process().next("message")).isEqualTo(first + 4);
        process().skipTo("message", first);
        assertThat(process().next("message")).isGreaterThan(first + 4);
    }

    @Test
    void aCounterThatNobodyUsedMayBeginBehindAGap() {
        assertThat(process().firstUnused("revision")).isEqualTo(1);

        process().skipTo("revision", 1_001);

        assertThat(process().next("revision")).isEqualTo(1_001);
    }

    @Test
    @DisplayName("I6: a write whose answer is lost wastes its block and nothing else")
    void lostAnswersOnlyWasteABlock() {
        CompactIds ids = process();
        Set<Long> issued = new HashSet<>();
        storage.hook(new LoseEverySecondAnswer());

        for (int i = 0; i < 1_000; i++) {
            assertThat(issued.add(ids.next("message"))).isTrue();
        }

        storage.hook(CallHook.NONE);
        assertThat(issued).doesNotContain(process().next("message"));
    }

    @Test
    void nothingIsIssuedWhileTheStorageIsOutOfReach() {
        CompactIds ids = process();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new StorageException(Reason.UNAVAILABLE, "out of reach", null);
            }
        });

        assertThatThrownBy(() -> ids.next("message")).isInstanceOf(StorageException.class);

        storage.hook(CallHook.NONE);
        assertThat(ids.next("message")).isEqualTo(1);
    }

    private static final class LoseEverySecondAnswer implements CallHook {

        private int writes;

        @Override
        public void after(Call call) {
            if (call.kind() == Call.Kind.WRITE && ++writes % 2 == 1) {
                throw new StorageException(Reason.TIMED_OUT, "the answer is lost", null);
            }
        }
    }
}
