package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.Lease;
import org.azuremail.work.lease.Leases;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Checks leases where this requires the simulated storage or many steps of the clocks. {@link LeasesContract} checks
 * the rest.
 */
class LeasesTest {

    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final ManualTime otherTime = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final Leases leases = leases(time, A_MINUTE, 1);
    private final Leases others = leases(otherTime, A_MINUTE, 2);

    private Leases leases(ManualTime clock, Duration grace, long seed) {
        return InlineWork.leases(storage.storage(), clock, new SeededIds(seed), grace);
    }

    private void pass(Duration duration) {
        time.advance(duration);
        otherTime.advance(duration);
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
    void noLeaseIsTakenOrRenewedOnceANewerProgramHasUpgradedTheStorage() {
        AtomicBoolean upgraded = new AtomicBoolean();
        Holders holders = Holders.anywhere(new SeededIds(9));
        Leases gated = new Leases(storage.storage(), time, holders, A_MINUTE, old -> !upgraded.get());
        Lease lease = acquire(gated);
        assertThat(lease.renew(HALF_A_MINUTE)).isTrue();

        upgraded.set(true);

        assertThat(lease.renew(HALF_A_MINUTE)).isFalse();
        assertThat(gated.acquire("another", HALF_A_MINUTE)).isEmpty();
        assertThat(gated.read("another")).isEmpty();
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
    void aRenewalThatNeverReachedTheRowMovesNoEnd() {
        Lease lease = acquire(leases);
        pass(Duration.ofSeconds(20));
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "not written", null);
                }
            }
        });

        assertThat(lease.renew(HALF_A_MINUTE)).isFalse();

        assertThat(lease.held()).isTrue();
        pass(Duration.ofSeconds(5));
        assertThat(lease.held()).isFalse();
    }

    @Test
    void aLeaseTooShortForTheClocksIsRefused() {
        assertThatThrownBy(() -> leases.acquire("pump", Leases.EARLY)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Lease acquire(Leases leases) {
        return leases.acquire("pump", HALF_A_MINUTE).orElseThrow();
    }

    /** Executes every write and loses its answer. */
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
