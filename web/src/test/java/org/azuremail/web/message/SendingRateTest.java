package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.web.message.SendingRate.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class SendingRateTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    @Test
    void theFirstLookKnowsNoSpeed() {
        Sample first = look(0, 500);

        assertThat(SendingRate.read(null, first).estimate(first, progress(500, 10_000), OptionalInt.empty()))
                .isEmpty();
    }

    @Test
    void theSecondLookTellsSpeedAndTimeLeft() {
        String seen = SendingRate.read(null, look(0, 500)).nextSamples(look(0, 500));

        assertThat(told(seen, look(2, 1_480), 10_000)).contains("490/second 0");
        assertThat(told(seen, look(2, 1_480), 1_000_000)).contains("490/second 33");
        assertThat(told(seen, look(2, 1_480), 10_000_000)).contains("490/second 340");
    }

    @ParameterizedTest
    @CsvSource({"1,30/minute", "2,1/second", "198,99/second", "24690,12000/second"})
    void speedIsToldToTwoDigitsAndByTheMinuteWhereItIsSlow(long done, String fast) {
        String seen = SendingRate.read(null, look(0, 0)).nextSamples(look(0, 0));

        assertThat(told(seen, look(2, done), 1_000_000).orElseThrow()).startsWith(fast + " ");
    }

    @Test
    void lotsThatAreRecordedTogetherDoNotMakeItFasterThanItsLimit() {
        String seen = SendingRate.read(null, look(0, 0)).nextSamples(look(0, 0));
        Sample now = look(4, 228);

        assertThat(SendingRate.read(seen, now).estimate(now, progress(228, 4_228), OptionalInt.of(40)))
                .contains(new SendingRate.Estimate(true, 40, 1L));
        assertThat(SendingRate.read(seen, now).estimate(now, progress(228, 4_228), OptionalInt.of(400)))
                .hasValueSatisfying(told -> assertThat(told.number()).isEqualTo(57));
    }

    @Test
    void whileRecipientsAreStillCountedNobodyKnowsHowManyAreLeft() {
        String seen = SendingRate.read(null, look(0, 0)).nextSamples(look(0, 0));
        Sample now = look(2, 100);

        assertThat(SendingRate.read(seen, now)
                        .estimate(
                                now,
                                new MessageProgress(5_000, false, false, counts(100), List.of()),
                                OptionalInt.empty()))
                .contains(new SendingRate.Estimate(true, 50, null));
    }

    @Test
    void emailsMoreThanHalfAMinuteAgoNoLongerCount() {
        String seen = null;
        for (int second = 0; second <= 60; second += 5) {
            Sample fast = look(second, second * 1_000L);
            seen = SendingRate.read(seen, fast).nextSamples(fast);
        }
        for (int second = 65; second <= 95; second += 5) {
            Sample slow = look(second, 60_000 + (second - 60) * 10L);
            seen = SendingRate.read(seen, slow).nextSamples(slow);
        }

        assertThat(told(seen, look(97, 60_370), 100_000).orElseThrow()).startsWith("10/second ");
    }

    @Test
    void aMessageThatHasNobodyLeftOrRestsHasNoSpeed() {
        String seen = SendingRate.read(null, look(0, 500)).nextSamples(look(0, 500));

        assertThat(told(seen, look(2, 700), 700)).isEmpty();
        assertThat(told(seen, look(2, 500), 700)).isEmpty();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "x", "1-2-3", "1-2-3-4-5", "9999999999999999-1-9999999999999999-1", "-1-2-3-4"})
    void anythingElseThanALookBeginsAnew(String seen) {
        assertThat(told(seen, look(2, 100), 1_000)).isEmpty();
    }

    @Test
    void looksThatCannotHaveBeenBeginAnew() {
        Sample now = look(10, 100);

        assertThat(told(written(look(8, 200), look(9, 200)), now, 1_000))
                .as("it was sent again")
                .isEmpty();
        assertThat(told(written(look(8, 50), look(12, 60)), now, 1_000))
                .as("of tomorrow")
                .isEmpty();
        assertThat(told(written(look(8, 50), look(7, 60)), now, 1_000))
                .as("in the wrong order")
                .isEmpty();
        assertThat(told(written(look(8, 50), look(9, 60)), now, 1_000)).isPresent();
    }

    private static Optional<String> told(String seen, Sample now, long recipients) {
        return SendingRate.read(seen, now)
                .estimate(now, progress(now.done(), recipients), OptionalInt.empty())
                .map(told -> told.number() + (told.perSecond() ? "/second " : "/minute ") + told.minutesLeft());
    }

    private static String written(Sample older, Sample newer) {
        return new SendingRate(older, newer).nextSamples(newer);
    }

    private static Sample look(int second, long done) {
        return new Sample(START.plusSeconds(second), done);
    }

    private static MessageProgress progress(long done, long recipients) {
        return new MessageProgress(recipients, true, false, counts(done), List.of());
    }

    private static OutcomeCounts counts(long sent) {
        return new OutcomeCounts(sent, 0, 0, 0);
    }
}
