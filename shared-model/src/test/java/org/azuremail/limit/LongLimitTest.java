package org.azuremail.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks limits of emails a minute, an hour and a day. */
class LongLimitTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final List<Instant> left = new ArrayList<>();

    private RateLimit limit(Limits limits) {
        return limit(time, limits);
    }

    private RateLimit limit(ManualTime clock, Limits limits) {
        return new RateLimit(storage.storage(), clock, "smtp", limits);
    }

    /** Sends like a sender, as many emails at once as allowed. Returns whether the limit allowed it. */
    private boolean send(RateLimit limit, int max) {
        int lot = limit.maxAtOnce(max);
        if (!limit.take(lot).isZero()) {
            return false;
        }
        for (int mail = 0; mail < lot; mail++) {
            left.add(time.instant());
        }
        return true;
    }

    /**
     * Checks that no period of this length contains more emails. It is enough to check the periods that begin with an
     * email.
     */
    private void assertNoStretchSawMoreThan(int limit, Duration length) {
        for (int first = 0; first + limit < left.size(); first++) {
            Duration took = Duration.between(left.get(first), left.get(first + limit));
            assertThat(took).as("from mail %d on", first).isGreaterThan(length);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 30, 0, 0", "0, 0, 120, 0", "0, 0, 0, 500", "3, 30, 120, 500", "0, 1, 0, 0", "100, 7, 50, 90"})
    @DisplayName("No minute, hour or day sees more than its limit, whoever asks when for how many; and it is used")
    void noStretchSeesMore(int second, int minute, int hour, int day) {
        Limits limits = new Limits(second, minute, hour, day);
        Random random = new Random(7);
        List<RateLimit> senders = new ArrayList<>(List.of(limit(limits), limit(limits), limit(limits)));
        Duration end = time.elapsed().plus(Duration.ofHours(60));
        while (time.elapsed().compareTo(end) < 0) {
            int who = random.nextInt(3);
            if (random.nextInt(50) == 0) {
                senders.set(who, limit(limits));
            }
            if (!send(senders.get(who), 1 + random.nextInt(99))) {
                Duration wait = senders.get(who).take(1).duration();
                left.addAll(wait.isZero() ? List.of(time.instant()) : List.of());
                time.advance(wait.plusMillis(random.nextInt(30_000)));
            }
        }

        int everyDay = day > 0 ? day : Integer.MAX_VALUE;
        int everyHour = hour > 0 ? Math.min(hour * 24, everyDay) : everyDay;
        int used = minute > 0 ? Math.min(minute * 60 * 24, everyHour) : everyHour;
        assertNoStretchSawMoreThan(minute > 0 ? minute : left.size(), Duration.ofMinutes(1));
        assertNoStretchSawMoreThan(hour > 0 ? hour : left.size(), Duration.ofHours(1));
        assertNoStretchSawMoreThan(day > 0 ? day : left.size(), Duration.ofDays(1));
        assertThat(left.size()).isGreaterThanOrEqualTo(used);
    }

    @Test
    void aCallerThatWaitsAsLongAsToldGetsItsTokens() {
        RateLimit limit = limit(new Limits(0, 0, 0, 100));
        assertThat(send(limit, 60)).isTrue();
        time.advance(Duration.ofHours(5));
        assertThat(limit.maxAtOnce(99)).as("what is left of the day").isEqualTo(40);
        assertThat(send(limit, 99)).isTrue();

        assertThat(limit.maxAtOnce(70)).as("what may ever go at once").isEqualTo(70);
        RateLimitWait wait = limit.take(60);
        assertThat(wait.duration())
                .isBetween(Duration.ofHours(19), Duration.ofHours(19).plusMinutes(24));
        time.advance(wait.duration().minusMillis(1));
        assertThat(limit.take(60).duration()).isEqualTo(Duration.ofMillis(1));
        time.advance(Duration.ofMillis(1));

        assertThat(limit.take(60).isZero()).isTrue();
        assertThat(limit.take(1).duration()).isGreaterThan(Duration.ofHours(4));
    }

    @Test
    @DisplayName(
            "Of several limits that are reached, who asks waits for the one that lasts longest, and is told its name")
    void theLongestIsWaitedFor() {
        RateLimit limit = limit(new Limits(0, 10, 20, 20));
        send(limit, 10);
        time.advance(Duration.ofMinutes(30));
        send(limit, 10);

        RateLimitWait wait = limit.take(1);

        assertThat(wait.duration()).isGreaterThan(Duration.ofHours(23));
        assertThat(wait.reason()).asString().contains("20 emails a day");
    }

    @Test
    @DisplayName("The answer names the limit that is waited for, and for long ones the time at which it goes on")
    void theAnswerNamesTheLimit() {
        RateLimit limit = limit(new Limits(0, 0, 0, 500));
        send(limit, 500);

        RateLimitWait wait = limit.take(1);

        Instant shown = time.instant().plus(wait.duration()).plusSeconds(59);
        String clock = shown.toString().substring(11, 16);
        assertThat(wait.reason())
                .asString()
                .startsWith("the limit of smtp is reached: 500 emails a day; sending continues at ")
                .endsWith(clock + " UTC");
        limit.change(new Limits(0, 0, 20, 0));
        send(limit, 20);
        assertThat(limit.take(1).reason()).asString().contains("20 emails an hour; sending continues at ");
        limit.change(Limits.perSecond(2));
        send(limit, 2);
        send(limit, 2);
        assertThat(limit.take(2).reason()).asString().isEqualTo("the limit of smtp is reached: 2 emails a second");
    }

    @Test
    @DisplayName("A twentieth of a day's limit is left to whoever waits for a single mail, and a message is told so")
    void messagesLeaveATwentieth() {
        RateLimit limit = limit(new Limits(0, 0, 0, 100));
        TokenSource messages = limit.forMessages(MessageShare.ALL);

        assertThat(messages.maxAtOnce(200)).isEqualTo(95);
        assertThat(messages.take(95).isZero()).isTrue();
        RateLimitWait wait = messages.take(1);

        assertThat(wait.reason())
                .asString()
                .startsWith(
                        "the limit of smtp is reached: 100 emails a day, of which 5 are reserved; sending continues at ");
        assertThat(limit.take(5).isZero()).as("a confirmation's tokens").isTrue();
        assertThat(limit.take(1).isZero()).as("all of the limit").isFalse();
        time.advance(messages.take(1).duration());
        assertThat(messages.take(1).isZero())
                .as("as long as told, though others took what is kept")
                .isTrue();
    }

    @Test
    void messagesMayTakeAllOfALimitThatIsTooSmallToDivide() {
        RateLimit limit = limit(new Limits(0, 0, 19, 0));

        assertThat(limit.forMessages(MessageShare.ALL).take(19).isZero()).isTrue();
        assertThat(limit.take(1).isZero()).isFalse();
    }

    @Test
    void aCallerUnderALoweredLimitIsToldTheWholeWait() {
        RateLimit limit = limit(new Limits(0, 0, 0, 100));
        assertThat(limit.take(30).isZero()).isTrue();
        time.advance(Duration.ofHours(2));
        assertThat(limit.take(30).isZero()).isTrue();
        limit.change(new Limits(0, 0, 0, 20));

        time.advance(limit.take(1).duration());

        assertThat(limit.take(1).isZero()).isTrue();
    }

    @Test
    void aRestartKeepsThePast() {
        send(limit(new Limits(0, 0, 50, 0)), 50);
        time.advance(Duration.ofMinutes(30));

        RateLimit after = limit(Limits.NONE);

        assertThat(after.limits()).isEqualTo(new Limits(0, 0, 50, 0));
        assertThat(after.take(1).duration()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(31));
    }

    @Test
    void aNewLimitThatNobodyUsedYetIsKeptByAllProcesses() {
        limit(Limits.NONE).change(new Limits(0, 10, 0, 0));
        RateLimit other = limit(Limits.NONE);

        assertThat(other.take(10).isZero()).isTrue();
        assertThat(other.take(1).isZero()).isFalse();
    }

    @Test
    @DisplayName("A limit that is changed keeps its past; one that is new begins now")
    void changedLimitsKeepTheirPast() {
        RateLimit limit = limit(new Limits(0, 0, 50, 0));
        send(limit, 50);

        limit.change(new Limits(0, 0, 80, 100));

        assertThat(limit.maxAtOnce(99)).isEqualTo(30);
        assertThat(send(limit, 99)).isTrue();
        time.advance(Duration.ofMinutes(62));
        assertThat(limit.maxAtOnce(99)).as("the day counts from the change on").isEqualTo(70);
        limit.change(new Limits(0, 0, 10, 0));
        assertThat(limit.maxAtOnce(99)).isEqualTo(10);
    }

    @Test
    @DisplayName("A clock that goes back, or is behind, opens nothing early; one that was years ahead stops nobody")
    void clocksOpenNothingEarly() {
        ManualTime behind = ManualTime.at(time.instant().minusSeconds(60));
        RateLimit other = limit(behind, new Limits(0, 0, 50, 0));
        RateLimit limit = limit(new Limits(0, 0, 50, 0));
        send(limit, 40);
        assertThat(other.maxAtOnce(99)).isEqualTo(10);
        assertThat(other.take(10).isZero()).isTrue();
        time.advance(Duration.ofMinutes(59));
        assertThat(limit.take(1).isZero()).isFalse();
        time.shiftWallClock(Duration.ofMinutes(-30));
        assertThat(limit.take(1).isZero()).isFalse();
        time.advance(Duration.ofMinutes(20));
        assertThat(limit.take(1).isZero())
                .as("set back by 30 minutes, the hour ends later")
                .isFalse();

        ManualTime wild = ManualTime.at(time.instant().plus(Duration.ofDays(3_000)));
        limit(wild, Limits.NONE).take(50);
        assertThat(limit(Limits.NONE).take(1).duration()).isLessThan(Duration.ofMinutes(62));
    }

    @Test
    @DisplayName("I6: tokens of a lost answer stay lost, and no hour sees more for it")
    void lostAnswersLoseTokens() {
        RateLimit limit = limit(new Limits(0, 0, 100, 0));
        storage.hook(new CallHook() {
            private int writes;

            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE && ++writes % 3 == 0) {
                    throw new StorageException(StorageException.Reason.TIMED_OUT, "the answer is lost", null);
                }
            }
        });
        for (int minute = 0; minute < 600; minute++) {
            send(limit, 30);
            time.advance(Duration.ofMinutes(1));
        }

        assertNoStretchSawMoreThan(100, Duration.ofHours(1));
        assertThat(left.size()).isGreaterThan(500);
    }

    @Test
    @DisplayName("A lot costs one write, whatever the number of limits, and nothing is read while the process is alone")
    void aLotCostsOneWrite() {
        RateLimit limit = limit(new Limits(0, 100_000, 1_000_000, 10_000_000));
        send(limit, 99);
        long before = storage.calls();

        for (int lot = 0; lot < 100; lot++) {
            assertThat(send(limit, 99)).isTrue();
        }

        assertThat(storage.calls() - before).isEqualTo(100);
    }
}
