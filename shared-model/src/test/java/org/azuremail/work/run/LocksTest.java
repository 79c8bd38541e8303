package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Table;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.FencedRow;
import org.azuremail.work.lease.Lock;
import org.azuremail.work.lease.Locks;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks waiting for a lock, and losing one during a write. */
class LocksTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final ManualTime time = ManualTime.thatSleepsByItself();
    private final SimulatedStorage storage = new SimulatedStorage(time);

    private Locks process(long seed) {
        return new Locks(InlineWork.leases(storage.storage(), time, new SeededIds(seed), Duration.ZERO), time);
    }

    @Test
    @DisplayName("K18: a waiting process gets the lock when its dead holder's time is over")
    void k18_aWaitingProcessGetsTheLockAfterTheEnd() throws Exception {
        Lock dead = process(1).acquire("nightly", TTL, Duration.ZERO).orElseThrow();
        Duration began = time.elapsed();

        Optional<Lock> next = process(2).acquire("nightly", TTL, Duration.ofMinutes(5));

        assertThat(next).hasValueSatisfying(lock -> assertThat(lock.token()).isGreaterThan(dead.token()));
        assertThat(time.elapsed().minus(began)).isBetween(TTL, TTL.plusSeconds(3));
        assertThat(dead.held()).isFalse();
    }

    @Test
    @DisplayName("K18: nobody waits longer than it says, nor looks all the time")
    void k18_waitingIsBounded() throws Exception {
        process(1).acquire("nightly", TTL, Duration.ZERO).orElseThrow();
        Duration began = time.elapsed();
        storage.resetCounters();

        assertThat(process(2).acquire("nightly", TTL, Duration.ofSeconds(20))).isEmpty();

        assertThat(time.elapsed().minus(began)).isEqualTo(Duration.ofSeconds(20));
        assertThat(storage.calls(Call.Kind.GET)).isLessThan(20);
    }

    @Test
    @DisplayName("L-7: frozen between its look and its write, the old holder still changes nothing")
    void l7_frozenInTheMiddleOfAWrite() throws Exception {
        FencedRow row = new FencedRow(new Table(storage.tables(), "things"), "p", "r");
        Lock old = process(1).acquire("nightly", TTL, Duration.ZERO).orElseThrow();
        row.update(old.token(), values -> values.with("By", "old"));
        storage.hook(new CallHook() {
            private boolean frozen;

            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE && call.place().equals("things") && !frozen) {
                    frozen = true;
                    time.advance(TTL);
                    row.update(takeOver().token(), values -> values.with("By", "next"));
                }
            }
        });

        assertThat(row.update(old.token(), values -> values.with("By", "old again")))
                .isInstanceOf(FencedRow.Result.Outdated.class);
        assertThat(storage.tables()
                        .get("things", "p", "r")
                        .orElseThrow()
                        .values()
                        .string("By"))
                .isEqualTo("next");
    }

    private Lock takeOver() {
        try {
            return process(2).acquire("nightly", TTL, Duration.ZERO).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
