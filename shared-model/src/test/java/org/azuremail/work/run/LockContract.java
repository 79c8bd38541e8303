package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.work.InlineWork;
import org.azuremail.work.WorkContract;
import org.azuremail.work.lease.FencedRow;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.lease.Lock;
import org.azuremail.work.lease.Locks;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of locks over all processes. */
public interface LockContract extends WorkContract {

    /** Slightly more than the time that a holder reserves for the end. */
    Duration TTL = Leases.EARLY.plusSeconds(1);

    /** Returns the locks of one process. */
    default Locks locks() {
        return new Locks(InlineWork.leases(storage(), time(), IdSource.secure(), Duration.ZERO), time());
    }

    default Lock acquire(String name) {
        return now(locks(), name).orElseThrow();
    }

    static Optional<Lock> now(Locks locks, String name) {
        try {
            return locks.acquire(name, TTL, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String fresh() {
        return bench().queue;
    }

    @Test
    @DisplayName("K18: while one holds a lock no other gets it; closed, it is free at once, with a higher token")
    default void k18_oneHoldsItUntilItIsClosed() {
        String name = fresh();
        Lock lock = acquire(name);
        assertThat(lock.held()).isTrue();
        assertThat(now(locks(), name)).isEmpty();
        assertThat(now(locks(), name + "/another")).isPresent();

        lock.close();

        assertThat(lock.held()).isFalse();
        assertThat(lock.refresh()).isFalse();
        assertThat(acquire(name).token()).isGreaterThan(lock.token());
    }

    @Test
    @DisplayName("L-8: of eight who race for a free lock one wins, each time")
    default void l8_oneOfManyWins() throws Exception {
        ExecutorService racers = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 5; round++) {
                assertThat(race(racers, fresh())).as("round %d", round).isEqualTo(1);
            }
        } finally {
            racers.shutdownNow();
        }
    }

    private long race(ExecutorService racers, String name) throws Exception {
        CyclicBarrier start = new CyclicBarrier(8);
        List<Future<Boolean>> outcomes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Locks locks = locks();
            Callable<Boolean> racer = () -> {
                start.await();
                return now(locks, name).isPresent();
            };
            outcomes.add(racers.submit(racer));
        }
        long winners = 0;
        for (Future<Boolean> outcome : outcomes) {
            winners += outcome.get() ? 1 : 0;
        }
        return winners;
    }

    @Test
    @DisplayName("L-7: the holder dies; the next gets the lock when it ended; revived, the old one can write nothing")
    default void l7_aRevivedHolderCannotWrite() {
        String name = fresh();
        FencedRow row = new FencedRow(new Table(storage().tables(), "lockcontract"), "fenced", name);
        Lock old = acquire(name);
        assertThat(row.update(old.token(), values -> values.with("By", "old")))
                .isInstanceOf(FencedRow.Result.Written.class);
        assertThat(now(locks(), name)).isEmpty();

        letPass(TTL.plusSeconds(1));
        assertThat(old.held()).isFalse();
        Lock next = acquire(name);
        assertThat(next.token()).isGreaterThan(old.token());
        row.update(next.token(), values -> values.with("By", "next"));

        assertThat(old.refresh()).isFalse();
        assertThat(row.update(old.token(), values -> values.with("By", "old again")))
                .isEqualTo(new FencedRow.Result.Outdated(next.token()));
        assertThat(new Table(storage().tables(), "lockcontract")
                        .get("fenced", name)
                        .orElseThrow()
                        .values()
                        .string("By"))
                .isEqualTo("next");
    }

    @Test
    @DisplayName("K18: a lock that is refreshed in time is kept beyond its end")
    default void k18_aRefreshedLockIsKept() {
        String name = fresh();
        Lock lock = acquire(name);
        letPass(Duration.ofSeconds(3));
        assertThat(lock.refresh()).isTrue();
        letPass(Duration.ofSeconds(4));

        assertThat(now(locks(), name)).isEmpty();
        lock.close();
    }

    @Test
    @DisplayName("L-7: a fenced row counts up once for each change, whoever makes it")
    default void l7_changesBuildOnEachOther() {
        String name = fresh();
        FencedRow row = new FencedRow(new Table(storage().tables(), "lockcontract"), "fenced", name);
        for (int i = 0; i < 3; i++) {
            row.update(i, values -> values.with("Count", values.integer("Count", 0) + 1));
        }

        assertThat(row.update(3, values -> values))
                .isEqualTo(new FencedRow.Result.Written(Values.of("Count", 3).with("Fence", 3L)));
    }
}
