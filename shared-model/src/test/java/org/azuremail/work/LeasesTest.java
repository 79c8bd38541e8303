package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeasesTest {

    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final ManualTime otherTime = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final Leases leases = leases(time, A_MINUTE, 1);
    private final Leases others = leases(otherTime, A_MINUTE, 2);

    private Leases leases(ManualTime clock, Duration grace, long seed) {
        return new Leases(storage.storage(), clock, new SeededIds(seed), grace);
    }

    private void pass(Duration duration) {
        time.advance(duration);
        otherTime.advance(duration);
    }

    @Test
    void aFreeLeaseIsAcquiredAndHeld() {
        Lease lease = acquire(leases);

        assertThat(lease.held()).isTrue();
        assertThat(lease.epoch()).isEqualTo(1);
        assertThat(others.acquire("pump", HALF_A_MINUTE)).isEmpty();
        assertThat(leases.acquire("pump", HALF_A_MINUTE)).isEmpty();
    }

    @Test
    void leasesOfOtherNamesAreIndependent() {
        acquire(leases);

        assertThat(others.acquire("pump/ü#2", HALF_A_MINUTE)).isPresent();
    }

    @Test
    @DisplayName("L-7: a holder's death lets the next one in after the end and the grace, not before")
    void l7_expiredLeaseCanBeTakenAgain() {
        acquire(leases);

        pass(Duration.ofSeconds(89));
        assertThat(others.acquire("pump", HALF_A_MINUTE)).isEmpty();
        pass(Duration.ofSeconds(1));

        assertThat(others.acquire("pump", HALF_A_MINUTE)).isPresent();
    }

    @Test
    void onOneMachineALeaseIsFreeAtItsEnd() {
        Leases first = leases(time, Duration.ZERO, 1);
        Leases second = leases(time, Duration.ZERO, 2);
        acquire(first);

        time.advance(Duration.ofSeconds(29));
        assertThat(second.acquire("pump", HALF_A_MINUTE)).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(second.acquire("pump", HALF_A_MINUTE)).isPresent();
    }

    @Test
    @DisplayName("L-7: a holder that comes back finds its lease stolen: it holds nothing and renews nothing")
    void l7_aRevivedHolderNotices() {
        Lease old = acquire(leases);
        pass(Duration.ofSeconds(90));
        Lease successor = acquire(others);

        assertThat(old.held()).isFalse();
        assertThat(old.renew(HALF_A_MINUTE)).isFalse();
        old.release();

        assertThat(successor.epoch()).isGreaterThan(old.epoch());
        assertThat(successor.held()).isTrue();
        assertThat(successor.renew(HALF_A_MINUTE)).isTrue();
        assertThat(leases.acquire("pump", HALF_A_MINUTE)).isEmpty();
    }

    @Test
    void anOwnLeaseIsOverFiveSecondsEarly() {
        Lease lease = acquire(leases);

        pass(Duration.ofSeconds(25).minusMillis(1));
        assertThat(lease.held()).isTrue();
        pass(Duration.ofMillis(1));
        assertThat(lease.held()).isFalse();
    }

    @Test
    void theLaterOfTheTwoClocksEndsTheOwnLease() {
        Lease byWallClock = acquire(leases);
        time.shiftWallClock(Duration.ofSeconds(26));
        assertThat(byWallClock.held()).isFalse();

        byWallClock.release();
        Lease byMonotonicClock = acquire(leases);
        time.advance(Duration.ofSeconds(26));
        time.shiftWallClock(Duration.ofSeconds(-26));
        assertThat(byMonotonicClock.held()).isFalse();
    }

    @Test
    @DisplayName("With clocks a minute apart, two instances never hold a lease at the same moment")
    void clocksAMinuteApartNeverShareALease() {
        for (Duration ahead : List.of(A_MINUTE, A_MINUTE.negated())) {
            ManualTime mine = new ManualTime();
            ManualTime skewed = ManualTime.at(ManualTime.START.plus(ahead));
            Leases first = leases(mine, A_MINUTE, 3);
            Leases second = leases(skewed, A_MINUTE, 4);
            String name = "skew" + ahead;
            Lease held = first.acquire(name, HALF_A_MINUTE).orElseThrow();
            Optional<Lease> next = Optional.empty();
            int seconds = 0;
            for (; next.isEmpty() && seconds < 600; seconds++) {
                assertThat(held.held()).isEqualTo(seconds < 25);
                mine.advance(Duration.ofSeconds(1));
                skewed.advance(Duration.ofSeconds(1));
                next = second.acquire(name, HALF_A_MINUTE);
            }
            assertThat(next).as("ahead by %s", ahead).isPresent();
            assertThat(seconds).isBetween(30, 150);
        }
    }

    @Test
    void aRenewedLeaseLastsOn() {
        Lease lease = acquire(leases);
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofSeconds(15));
            assertThat(lease.renew(HALF_A_MINUTE)).isTrue();
            assertThat(others.acquire("pump", HALF_A_MINUTE)).isEmpty();
        }
        assertThat(lease.held()).isTrue();
        assertThat(lease.epoch()).isEqualTo(1);
    }

    @Test
    void aLeaseThatRanOutUntakenIsRevivedByRenewal() {
        Lease lease = acquire(leases);
        pass(Duration.ofMinutes(10));
        assertThat(lease.held()).isFalse();

        assertThat(lease.renew(HALF_A_MINUTE)).isTrue();
        assertThat(lease.held()).isTrue();
    }

    @Test
    void aReleasedLeaseIsFreeAtOnceAndCannotBeRenewed() {
        Lease lease = acquire(leases);
        lease.release();

        assertThat(lease.held()).isFalse();
        assertThat(lease.renew(HALF_A_MINUTE)).isFalse();
        assertThat(acquire(others).epoch()).isEqualTo(2);
    }

    @Test
    @DisplayName("L-8: of many who race for a free lease exactly one wins, again and again")
    void l8_ofManyWhoRaceOneWins() throws Exception {
        int racers = 8;
        ExecutorService threads = Executors.newFixedThreadPool(racers);
        for (int round = 1; round <= 25; round++) {
            CyclicBarrier start = new CyclicBarrier(racers);
            List<Callable<Optional<Lease>>> race = IntStream.range(0, racers)
                    .<Callable<Optional<Lease>>>mapToObj(racer -> () -> {
                        Leases own = new Leases(storage.storage(), time, IdSource.secure(), Duration.ZERO);
                        start.await();
                        return own.acquire("race", HALF_A_MINUTE);
                    })
                    .toList();
            List<Lease> winners = winners(threads.invokeAll(race));
            assertThat(winners).hasSize(1);
            assertThat(winners.get(0).epoch()).isEqualTo(round);
            time.advance(HALF_A_MINUTE);
        }
        threads.shutdown();
    }

    @Test
    @DisplayName("I6: acquiring, renewing and releasing survive a lost answer at each call")
    void lostAnswersAreNoFailures() {
        LoseAnswers lost = new LoseAnswers();
        storage.hook(lost);
        Lease lease = acquire(leases);
        assertThat(lease.held()).isTrue();

        pass(Duration.ofSeconds(20));
        assertThat(lease.renew(HALF_A_MINUTE)).isTrue();
        pass(Duration.ofSeconds(20));
        assertThat(lease.held()).isTrue();
        assertThat(others.acquire("pump", HALF_A_MINUTE)).isEmpty();

        lease.release();
        assertThat(acquire(others).epoch()).isEqualTo(2);
        assertThat(lost.count).isGreaterThanOrEqualTo(4);
    }

    @Test
    void aLeaseOutOfReachIsHeldUntilItsOwnEnd() {
        Lease lease = acquire(leases);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
            }
        });
        pass(Duration.ofSeconds(20));

        assertThatThrownBy(() -> lease.renew(HALF_A_MINUTE)).isInstanceOf(StorageException.class);
        assertThat(lease.held()).isTrue();
        pass(Duration.ofSeconds(5));
        assertThat(lease.held()).isFalse();

        storage.hook(CallHook.NONE);
        assertThat(lease.renew(HALF_A_MINUTE)).isTrue();
    }

    @Test
    void aLeaseTooShortForTheClocksIsRefused() {
        assertThatThrownBy(() -> leases.acquire("pump", Leases.EARLY)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Lease acquire(Leases leases) {
        return leases.acquire("pump", HALF_A_MINUTE).orElseThrow();
    }

    private static List<Lease> winners(List<Future<Optional<Lease>>> race) throws Exception {
        List<Lease> winners = new java.util.ArrayList<>();
        for (Future<Optional<Lease>> racer : race) {
            racer.get().ifPresent(winners::add);
        }
        return winners;
    }

    /** Every write is done and its answer lost. */
    private static final class LoseAnswers implements CallHook {

        private int count;

        @Override
        public void after(Call call) {
            if (call.kind() == Call.Kind.WRITE) {
                count++;
                throw new StorageException(StorageException.Reason.TIMED_OUT, "the answer is lost", null);
            }
        }
    }
}
