package org.azuremail.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.embedded.OnEmbedded;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);

    @Nested
    class Simulated implements RateLimitContract {
        @Override
        public Storage storage() {
            return storage.storage();
        }
    }

    @Nested
    class Embedded extends OnEmbedded implements RateLimitContract {

        Embedded() {
            super(new ManualTime());
        }
    }

    private RateLimit limit(int startingRate) {
        return limit(time, startingRate);
    }

    private RateLimit limit(ManualTime clock, int startingRate) {
        return new RateLimit(storage.storage(), clock, "smtp", Limits.perSecond(startingRate));
    }

    /** Makes all senders ask for lots repeatedly, and returns the number of emails that were allowed. */
    private int mailsIn(Duration duration, int lot, List<RateLimit> senders, ManualTime... clocks) {
        int mails = 0;
        for (long millis = 0; millis < duration.toMillis(); millis += 50) {
            for (RateLimit sender : senders) {
                mails += sender.take(lot).isZero() ? lot : 0;
            }
            time.advance(Duration.ofMillis(50));
            for (ManualTime clock : clocks) {
                clock.advance(Duration.ofMillis(50));
            }
        }
        return mails;
    }

    @ParameterizedTest
    @CsvSource({"10, 1, 1", "10, 99, 1", "10, 99, 4", "50, 99, 2", "1000, 99, 3", "1000, 250, 2", "1, 1000, 1"})
    @DisplayName("Any number of senders together keep the rate, whatever they ask for at once, and use it")
    void theRateIsKeptAndUsed(int rate, int lot, int senders) {
        List<RateLimit> all = java.util.stream.IntStream.range(0, senders)
                .mapToObj(i -> limit(rate))
                .toList();
        int seconds = 4000 / rate + 60;

        int mails = mailsIn(Duration.ofSeconds(seconds), lot, all);

        int once = rate + lot + senders * rate / 2;
        assertThat(mails).isLessThanOrEqualTo(rate * seconds + once);
        assertThat(mails).isGreaterThan(rate * (seconds - 2) - once);
    }

    @Test
    void theAnswerSaysHowLongToWait() {
        RateLimit limit = limit(10);
        assertThat(limit.take(10).isZero()).isTrue();

        assertThat(limit.take(99).duration()).isEqualTo(Duration.ofMillis(9_900));
        time.advance(Duration.ofMillis(9_899));
        assertThat(limit.take(99).duration()).isEqualTo(Duration.ofMillis(1));
        time.advance(Duration.ofMillis(1));
        assertThat(limit.take(99).isZero()).isTrue();
    }

    @Test
    @DisplayName("A caller who needs many at once is not starved by those who need few")
    void smallTakersDoNotStarveLargeOnes() {
        RateLimit small = limit(10);
        RateLimit large = limit(10);
        int lots = 0;
        for (int second = 0; second < 300; second++) {
            small.take(5);
            lots += large.take(99).isZero() ? 1 : 0;
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(lots).isGreaterThan(5);
    }

    @Test
    @DisplayName("A restart keeps the tokens and the rate that was set; the setting is only the first value")
    void aRestartKeepsWhatWasSet() {
        RateLimit before = limit(10);
        before.change(Limits.perSecond(20));
        time.advance(Duration.ofSeconds(10));
        while (before.take(20).isZero()) {
            assertThat(storage.calls()).as("an end of the tokens").isLessThan(100);
        }

        RateLimit after = limit(10);

        assertThat(after.limits().perSecond()).isEqualTo(20);
        assertThat(after.take(20).duration()).isPositive();
    }

    @Test
    void zeroIsNoLimit() {
        RateLimit limit = limit(0);

        for (int i = 0; i < 1_000; i++) {
            assertThat(limit.take(1_000).isZero()).isTrue();
        }
        assertThat(limit.limits()).isEqualTo(Limits.NONE);
        assertThat(storage.calls(Call.Kind.WRITE)).isZero();
        assertThat(storage.calls(Call.Kind.GET)).isLessThan(5);
    }

    @Test
    @DisplayName("A limit that is set while there was none reaches all senders within seconds")
    void aNewLimitReachesEverybody() {
        RateLimit sender = limit(0);
        sender.take(100);
        limit(0).change(Limits.perSecond(10));

        time.advance(Duration.ofSeconds(5));

        assertThat(mailsIn(Duration.ofSeconds(60), 10, List.of(sender))).isBetween(590, 620);
    }

    @Test
    void aChangedRateHoldsForAllSendersAndCanBeTakenOff() {
        RateLimit sender = limit(10);
        RateLimit page = limit(10);
        mailsIn(Duration.ofSeconds(20), 10, List.of(sender));
        page.change(Limits.perSecond(100));
        assertThat(page.limits().perSecond()).isEqualTo(100);
        assertThat(mailsIn(Duration.ofSeconds(60), 10, List.of(sender))).isBetween(5_900, 6_150);

        page.change(Limits.NONE);

        assertThat(mailsIn(Duration.ofSeconds(10), 1_000, List.of(sender))).isGreaterThan(100_000);
    }

    @Test
    void aPersonChangesOnlyTheLimitsThatThePageShowed() {
        RateLimit limit = limit(10);
        Limits shown = limit.limits();
        assertThat(limit(10).change(shown, Limits.perSecond(20))).isTrue();

        assertThat(limit.change(shown, Limits.perSecond(30))).isFalse();
        assertThat(limit.limits()).isEqualTo(Limits.perSecond(20));
        assertThat(limit.change(shown, Limits.perSecond(20))).as("done already").isTrue();
    }

    @Test
    @DisplayName("The time without a limit, or at a lower rate, is not made up for afterwards")
    void thePastIsNotMadeUpFor() {
        RateLimit limit = limit(0);
        limit.take(1);
        time.advance(Duration.ofHours(10));
        limit.change(Limits.perSecond(10));

        assertThat(mailsIn(Duration.ofSeconds(10), 1, List.of(limit))).isLessThanOrEqualTo(115);
        time.advance(Duration.ofHours(10));
        limit.change(Limits.perSecond(1_000));
        assertThat(mailsIn(Duration.ofMillis(50), 1, List.of(limit))).isLessThanOrEqualTo(1_050);
    }

    @Test
    @DisplayName("A clock that goes back fills nothing twice, and a minute's difference gives no more than the rate")
    void clocksThatDifferGiveNoMoreThanTheRate() {
        ManualTime ahead = ManualTime.at(time.instant().plusSeconds(60));
        List<RateLimit> senders = List.of(limit(10), limit(ahead, 10));

        int mails = mailsIn(Duration.ofSeconds(100), 10, senders, ahead);
        assertThat(mails).isBetween(950, 1_030);

        RateLimit set = limit(10);
        for (int i = 0; i < 60; i++) {
            time.shiftWallClock(Duration.ofSeconds(-30));
            assertThat(mailsIn(Duration.ofSeconds(1), 10, List.of(set))).isLessThanOrEqualTo(20);
            time.shiftWallClock(Duration.ofSeconds(30));
        }
        assertThat(mailsIn(Duration.ofSeconds(10), 10, List.of(set))).isLessThanOrEqualTo(120);
    }

    @Test
    @DisplayName("A clock that was years ahead stops nobody for years")
    void aWildClockIsNotWaitedFor() {
        ManualTime wild = ManualTime.at(time.instant().plus(Duration.ofDays(3_000)));
        limit(wild, 10).take(10);

        assertThat(mailsIn(Duration.ofSeconds(10), 10, List.of(limit(10)))).isBetween(90, 120);
    }

    @Test
    @DisplayName("I6: tokens of a lost answer stay lost, and nobody gets through twice for them")
    void lostAnswersLoseTokens() {
        RateLimit limit = limit(100);
        storage.hook(new CallHook() {
            private int writes;

            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE && ++writes % 3 == 0) {
                    throw new StorageException(StorageException.Reason.TIMED_OUT, "the answer is lost", null);
                }
            }
        });

        int mails = mailsIn(Duration.ofSeconds(60), 50, List.of(limit));

        assertThat(mails).isBetween(3_000, 6_150);
    }

    @Test
    void storageOutOfReachIsSaid() {
        RateLimit limit = limit(10);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
            }
        });

        assertThatThrownBy(() -> limit.take(1)).isInstanceOf(StorageException.class);
    }

    @Test
    @DisplayName("A hundred thousand mails at a high rate cost a write per half second, not per lot")
    void tokensAreTakenInChunks() {
        RateLimit limit = limit(10_000);

        int mails = mailsIn(Duration.ofSeconds(10), 99, List.of(limit));
        while (mails < 20_000) {
            mails += limit.take(99).isZero() ? 99 : 0;
            time.advance(Duration.ofMillis(5));
        }

        assertThat(storage.calls(Call.Kind.WRITE)).isLessThan(mails / 99 / 10);
    }

    @Test
    void noMoreThanOneSecondsWorthShouldLeaveAtOnce() {
        assertThat(limit(0).maxAtOnce(250)).isEqualTo(250);
        RateLimit limit = limit(10);
        assertThat(limit.maxAtOnce(250)).isEqualTo(10);
        assertThat(limit.maxAtOnce(3)).isEqualTo(3);
        assertThat(limit.take(10).isZero()).isTrue();
    }

    @Test
    void senselessValuesAreRefused() {
        assertThatThrownBy(() -> limit(10).take(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Limits(0, 0, -1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
