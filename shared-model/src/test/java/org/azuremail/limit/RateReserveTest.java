package org.azuremail.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks how a process reserves part of the rate in advance, so that not every lot costs a write. */
class RateReserveTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);

    private RateLimit limit(int perSecond) {
        return new RateLimit(storage.storage(), time, "smtp", Limits.perSecond(perSecond));
    }

    private static int lotsAtOnce(RateLimit limit, int lot) {
        int lots = 0;
        while (limit.take(lot).isZero()) {
            lots++;
        }
        return lots;
    }

    @Test
    @DisplayName("The rest of a lot's reserve is used by the next: a second's nine mails leave in lots of three")
    void nothingOfTheReserveIsLost() {
        assertThat(lotsAtOnce(limit(9), 3)).isEqualTo(3);
    }

    @Test
    @DisplayName("A process that needs one mail takes half a second's worth: the other half is there for the others")
    void aProcessTakesHalfASecondsWorthBeforehand() {
        assertThat(limit(100).take(1).isZero()).isTrue();

        assertThat(lotsAtOnce(limit(100), 1)).isEqualTo(50);
    }

    @Test
    @DisplayName("No more is taken beforehand than there is: what was not there yet is nobody's")
    void noMoreIsTakenThanThereIs() {
        RateLimit first = limit(100);
        first.take(90);

        assertThat(lotsAtOnce(first, 1)).isEqualTo(10);
    }

    @Test
    void aLowerRateCountsAtOnceInTheProcessThatSetsIt() {
        RateLimit limit = limit(100);
        limit.take(1);

        limit.change(Limits.perSecond(1));

        assertThat(lotsAtOnce(limit, 1)).isEqualTo(2);
    }

    @Test
    @DisplayName("A lot is never partly paid for with tokens that a new limit of a minute did not count")
    void theReserveIsNoPartOfALotThatANewMinuteCounts() {
        RateLimit sender = limit(100);
        sender.take(1);
        limit(100).change(new Limits(100, 10, 0, 0));

        assertThat(sender.take(50).isZero()).isFalse();
        assertThat(sender.take(10).isZero()).isTrue();
        assertThat(sender.take(1).isZero()).isFalse();
    }

    @Test
    @DisplayName("A limit that is set while there was none is kept by the next lot's size too, within seconds")
    void aNewLimitBoundsTheNextLot() {
        RateLimit sender = limit(0);
        assertThat(sender.maxAtOnce(250)).isEqualTo(250);
        limit(0).change(Limits.perSecond(10));

        time.advance(Duration.ofSeconds(5));

        assertThat(sender.maxAtOnce(250)).isEqualTo(10);
    }

    @Test
    @DisplayName("Writes that storage refuses end with its own error after four tries, not after fifty")
    void refusedWritesEndSoon() {
        RateLimit limit = limit(10);
        AtomicInteger writes = new AtomicInteger();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    writes.incrementAndGet();
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
                }
            }
        });

        assertThatThrownBy(() -> limit.take(1)).hasMessageContaining("out of reach");
        assertThat(writes).hasValue(2);
    }
}
