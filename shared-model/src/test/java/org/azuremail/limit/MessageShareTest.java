package org.azuremail.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks the shares of the limits that the classes leave to each other (R16). */
class MessageShareTest {

    private static final Duration AGEING = Duration.ofMinutes(5);
    private static final Duration TENTH = Duration.ofMillis(100);
    private static final MessageShare LOW = new MessageShare(80, AGEING);

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);

    private RateLimit limit(Limits limits) {
        return new RateLimit(storage.storage(), time, "smtp", limits);
    }

    private static int taken(TokenSource tokens, int max) {
        int taken = 0;
        while (taken < max && tokens.take(1).isZero()) {
            taken++;
        }
        return taken;
    }

    @Test
    @DisplayName("R16: a class with a share leaves the rest of a second to the others")
    void r16_aShareLeavesTheRestOfASecond() {
        RateLimit limit = limit(Limits.perSecond(100));

        assertThat(taken(limit.forMessages(LOW), 200)).isEqualTo(80);
        assertThat(taken(limit.forMessages(MessageShare.ALL), 200)).isEqualTo(20);
    }

    @Test
    @DisplayName("R16: also the tokens that another class took beforehand are not for the smaller share")
    void r16_theReserveOfALargerShareIsNotForASmallerOne() {
        RateLimit limit = limit(Limits.perSecond(100));
        assertThat(taken(limit.forMessages(LOW), 200)).isEqualTo(80);
        assertThat(limit.forMessages(MessageShare.ALL).take(1).isZero()).isTrue();

        assertThat(limit.forMessages(LOW).take(1).isZero()).isFalse();
        assertThat(taken(limit, 200)).isEqualTo(19);
    }

    @Test
    @DisplayName("R16: nobody else needs them: a class with a share gets every token that comes")
    void r16_aloneAClassGetsTheWholeRate() {
        TokenSource low = limit(Limits.perSecond(100)).forMessages(LOW);
        taken(low, 200);
        int taken = 0;
        for (int tenth = 0; tenth < 600; tenth++) {
            time.advance(TENTH);
            taken += taken(low, 200);
        }

        assertThat(taken).isEqualTo(6000);
    }

    @Test
    @DisplayName("R16: of a day a class takes its share of what messages may take, and no more")
    void r16_aShareOfADay() {
        RateLimit limit = limit(new Limits(0, 0, 0, 100));

        assertThat(limit.forMessages(LOW).maxAtOnce(200)).isEqualTo(76);
        assertThat(taken(limit.forMessages(LOW), 200)).isEqualTo(76);
        assertThat(taken(limit.forMessages(MessageShare.ALL), 200)).isEqualTo(19);
        assertThat(taken(limit, 200)).isEqualTo(5);
    }

    /** Returns the seconds until a low lot gets its token while others take every token as soon as it is available. */
    private long secondsUntilLowGetsTokens(MessageShare share, Duration atMost) {
        RateLimit limit = limit(Limits.perSecond(10));
        taken(limit, 100);
        for (long tenth = 0; tenth < atMost.toSeconds() * 10; tenth++) {
            time.advance(TENTH);
            if (limit.forMessages(share).take(1).isZero()) {
                return tenth / 10;
            }
            taken(limit, 100);
        }
        return atMost.toSeconds();
    }

    @Test
    @DisplayName("P-2: where others take all tokens without end, a class with a share takes its turn after the bound")
    void p2_noClassStarvesForTokens() {
        assertThat(secondsUntilLowGetsTokens(LOW, Duration.ofHours(1)))
                .isBetween(AGEING.toSeconds() - 2, AGEING.toSeconds() + 2);
    }

    @Test
    @DisplayName("P-2: after its turn a class with a share waits for the bound again")
    void p2_aTurnIsOneLot() {
        RateLimit limit = limit(Limits.perSecond(10));
        taken(limit, 100);
        int turns = 0;
        for (long tenth = 0; tenth < AGEING.toSeconds() * 40; tenth++) {
            time.advance(TENTH);
            turns += limit.forMessages(LOW).take(1).isZero() ? 1 : 0;
            taken(limit, 100);
        }

        assertThat(turns).isEqualTo(3);
    }

    @Test
    void aSmallShareStarvesWithoutAgeing() {
        taken(limit(Limits.perSecond(10)), 100);
        MessageShare neverOld = new MessageShare(80, Duration.ofDays(365));

        assertThat(secondsUntilLowGetsTokens(neverOld, Duration.ofHours(1)))
                .isEqualTo(Duration.ofHours(1).toSeconds());
    }

    @Test
    void aCallerThatReturnsAfterALongPauseHasNotWaited() {
        Starvation hunger = new Starvation();
        hunger.requestFailed(AGEING, Duration.ofHours(1));

        assertThat(hunger.lasts(AGEING, Duration.ofHours(2))).isFalse();
        hunger.requestFailed(AGEING, Duration.ofHours(2));
        assertThat(hunger.lasts(AGEING, Duration.ofHours(2))).isFalse();
    }

    @Test
    void aShareOfALimitThatIsTooSmallToDivideIsOneEmail() {
        assertThat(limit(new Limits(0, 1, 0, 0)).forMessages(LOW).take(1).isZero())
                .isTrue();
    }

    @Test
    void aShareIsAPercentage() {
        assertThatThrownBy(() -> new MessageShare(0, AGEING)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MessageShare(101, AGEING)).isInstanceOf(IllegalArgumentException.class);
    }
}
