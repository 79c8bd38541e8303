package org.azuremail.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

/** Checks limits that are stored with their list. */
class ListRateTest {

    private static final Limits TEN_A_MINUTE = new Limits(0, 10, 0, 0);

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final RateLimit limit = list("news");

    private RateLimit list(String name) {
        RateLimit limit = RateLimit.ofList(storage.storage(), time, name);
        limit.overrideLimits(TEN_A_MINUTE);
        return limit;
    }

    @Test
    void r16_allProcessesTogetherKeepTheLimitOfAListAndEachListHasItsOwn() {
        assertThat(limit.take(6).isZero()).isTrue();
        assertThat(list("news").take(5).isZero()).isFalse();
        assertThat(list("news").take(4).isZero()).isTrue();
        assertThat(limit.take(1).isZero()).isFalse();
        assertThat(list("other").take(10).isZero()).isTrue();
    }

    @Test
    void theLimitOfAMinuteIsNamedUntilItEnds() {
        limit.take(10);
        RateLimitWait wait = limit.take(1);

        time.advance(wait.duration().minusMillis(1));

        assertThat(limit.take(1)).isEqualTo(new RateLimitWait(Duration.ofMillis(1), wait.reason()));
        time.advance(Duration.ofMillis(1));
        assertThat(limit.take(1).isZero()).isTrue();
    }

    @Test
    void r16_aChangeTakesEffectAtOnceAndEarlierMailsCount() {
        limit.take(10);

        limit.overrideLimits(new Limits(0, 12, 0, 0));

        assertThat(limit.take(3).isZero()).isFalse();
        assertThat(limit.take(2).isZero()).isTrue();
        limit.overrideLimits(new Limits(0, 0, 5, 0));
        assertThat(limit.take(5).isZero()).as("an hour that begins now").isTrue();
        assertThat(limit.take(1).isZero()).isFalse();
    }

    @Test
    void r16_tokensThatAreGivenBackCanBeTakenByOthers() {
        Instant taken = time.instant();
        limit.take(10);

        limit.giveBack(7, taken);

        assertThat(list("news").take(8).isZero()).isFalse();
        assertThat(list("news").take(7).isZero()).isTrue();
    }

    @Test
    void r16_tokensAreGivenBackOnceAlthoughOthersTookSomeMeanwhile() {
        limit.take(2);
        limit.take(3);
        assertThat(list("news").take(3).isZero()).isTrue();

        limit.giveBack(2, time.instant());

        assertThat(list("news").take(5).isZero()).isFalse();
        assertThat(list("news").take(4).isZero()).isTrue();
    }

    @Test
    void r16_tokensAreGivenBackAfterAChangeOfTheLimit() {
        limit.take(10);
        limit.overrideLimits(new Limits(0, 12, 0, 0));

        limit.giveBack(7, time.instant());

        assertThat(limit.take(9).isZero()).isTrue();
    }

    @Test
    void r16_tokensThatAreGivenBackOpenNoMinuteToMoreThanItsLimit() {
        Instant taken = time.instant();
        limit.take(4);
        time.advance(Duration.ofSeconds(30));
        limit.take(6);

        limit.giveBack(4, taken);

        assertThat(limit.take(4).isZero()).isTrue();
        time.advance(Duration.ofSeconds(32));
        assertThat(limit.take(1).isZero()).as("all ten left in this minute").isFalse();
        limit.giveBack(9, taken.plusSeconds(5));
        assertThat(limit.take(1).isZero()).as("nothing counted there").isFalse();
    }

    @Test
    void onlyTheEmailsOfADeletedListAreForgotten() {
        limit.take(10);

        RateLimit.forgetList(storage.tables(), "news", () -> true);
        assertThat(list("news").take(1).isZero()).as("a new list has the name").isFalse();

        RateLimit.forgetList(storage.tables(), "news", () -> false);
        assertThat(list("news").take(10).isZero()).isTrue();
    }
}
