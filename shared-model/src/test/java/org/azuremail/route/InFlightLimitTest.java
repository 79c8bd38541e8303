package org.azuremail.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks eight ranges with a slow provider, and a storage that records one lot after the other. */
class InFlightLimitTest {

    private static final int RANGES = 8;
    private static final int MAILS = 400_000;

    private double storageIsFreeAt;
    private double now;

    private record Event(double at, int mails, boolean answered) {}

    @ParameterizedTest
    @ValueSource(ints = {50, 100, 200, 500})
    void aSlowProviderGetsAsMuchAsItTakesAndNothingIsLost(int millis) {
        InFlightLimit air = new InFlightLimit(RANGES, 250, false);

        double rate = mailsASecond(air, millis, 60_000, RANGES, MAILS);

        assertThat(air.lot()).isGreaterThan(200);
        assertThat(air.places()).isEqualTo(RANGES);
        assertThat(rate).isGreaterThan(0.95 * mailsASecond(allOfIt(), millis, 60_000, RANGES, MAILS));
    }

    @ParameterizedTest
    @CsvSource({"1, 40000, 300", "5, 40000, 500", "20, 40000, 1300", "35, 8000, 600", "35, 3000, 300", "500, 300, 400"})
    void noMoreMailsAreInTheAirThanRaiseTheRate(int millis, int storage, int atMost) {
        InFlightLimit air = new InFlightLimit(RANGES, 250, false);

        double rate = mailsASecond(air, millis, storage, RANGES, MAILS);

        assertThat(air.lot() * air.places()).isLessThanOrEqualTo(atMost);
        assertThat(rate).isGreaterThan(0.85 * mailsASecond(allOfIt(), millis, storage, RANGES, MAILS));
    }

    @Test
    void theFirstLotsAreFewAndSmall() {
        InFlightLimit air = new InFlightLimit(RANGES, 250, false);

        assertThat(air.lot()).isEqualTo(99);
        assertThat(air.places()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"1, 40000", "20, 40000", "35, 8000", "100, 8000", "100, 60000", "500, 60000"})
    void noLotCostsABatchForAFewMails(int millis, int storage) {
        InFlightLimit air = new InFlightLimit(RANGES, 250, false);
        Set<Integer> lots = new TreeSet<>();

        for (int round = 0; round < 40; round++) {
            mailsASecond(air, millis, storage, RANGES, MAILS / 40);
            lots.add(air.lot());
        }

        assertThat(lots).isSubsetOf(99, 198, 250);
    }

    /**
     * Raising 198 to 250 increases the rate here by a tenth, emails in doubt by a quarter, and storage calls by a
     * fifth.
     */
    @Test
    void partsOfBatchesAreTakenOnlyWhereTheyBringMuch() {
        InFlightLimit air = new InFlightLimit(RANGES, 250, false);

        mailsASecond(air, 65, 24_000, RANGES, MAILS);

        assertThat(air.lot()).isEqualTo(198);
    }

    @Test
    void itFollowsAProviderThatGetsSlowerAndQuickAgain() {
        InFlightLimit air = new InFlightLimit(RANGES, 250, false);
        mailsASecond(air, 5, 8_000, RANGES, MAILS);
        int quick = air.lot() * air.places();

        mailsASecond(air, 300, 8_000, RANGES, MAILS);
        assertThat(air.lot() * air.places()).isGreaterThan(2 * quick).isGreaterThan(1500);

        mailsASecond(air, 5, 8_000, RANGES, MAILS);
        assertThat(air.lot() * air.places()).isLessThan(500);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 60})
    void aSmallerLotThanABatchIsTheLargest(int max) {
        InFlightLimit air = new InFlightLimit(RANGES, max, false);

        mailsASecond(air, 200, 40_000, RANGES, 40 * RANGES * max);

        assertThat(air.lot()).isEqualTo(max);
        assertThat(air.places()).isEqualTo(RANGES);
    }

    @Test
    void aTransportThatNotesEachMailGetsAllFromTheBeginning() {
        InFlightLimit air = new InFlightLimit(9, 99, true);

        mailsASecond(air, 1, 1_000, RANGES, 20_000);

        assertThat(air.lot()).isEqualTo(99);
        assertThat(air.places()).isEqualTo(9);
    }

    @Test
    void nothingIsLearnedWhileFewerRangesThanAllowedAreUnderWay() {
        InFlightLimit air = new InFlightLimit(RANGES, 250, false);

        mailsASecond(air, 100, 40_000, 2, MAILS);

        assertThat(air.lot() * air.places()).isEqualTo(4 * 99);
    }

    @Test
    void anHourBetweenTwoMessagesIsNotMistakenForASlowProvider() {
        InFlightLimit air = new InFlightLimit(RANGES, 250, false);
        int max = 0;

        for (int message = 0; message < 100; message++) {
            mailsASecond(air, 1, 40_000, RANGES, 1_000 + 100 * message);
            max = message < 10 ? 0 : Math.max(max, air.lot() * air.places());
            now += 3_600;
        }

        assertThat(max).isLessThanOrEqualTo(300);
    }

    @Test
    void aPlaceThatIsTakenOrGivenBackMovesTheOthersUp() {
        InFlightLimit air = new InFlightLimit(RANGES, 250, true);
        assertThat(air.movedSince(Duration.ZERO)).isFalse();

        assertThat(air.tryAcquire(1, Duration.ofSeconds(1))).isTrue();
        assertThat(air.movedSince(Duration.ofSeconds(1))).isTrue();
        assertThat(air.tryAcquire(1, Duration.ofSeconds(2))).as("all are taken").isFalse();
        assertThat(air.movedSince(Duration.ofSeconds(2))).isFalse();

        air.release(Duration.ofSeconds(3));
        assertThat(air.movedSince(Duration.ofSeconds(3))).isTrue();
        assertThat(air.movedSince(Duration.ofSeconds(3).plusNanos(1))).isFalse();
    }

    private static InFlightLimit allOfIt() {
        return new InFlightLimit(RANGES, 250, true);
    }

    private double mailsASecond(InFlightLimit air, int answerMillis, int storageMailsASecond, int ranges, int mails) {
        PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingDouble(Event::at));
        double begun = now;
        int waiting = ranges;
        int sent = 0;
        while (sent < mails) {
            while (waiting > 0 && air.tryAcquire(RANGES, Duration.ofNanos((long) (now * 1e9)))) {
                waiting--;
                events.add(new Event(now + answerMillis / 1e3, air.lot(), true));
            }
            Event next = events.remove();
            now = next.at();
            if (next.answered()) {
                storageIsFreeAt = Math.max(now, storageIsFreeAt) + (double) next.mails() / storageMailsASecond;
                events.add(new Event(storageIsFreeAt, next.mails(), false));
            } else {
                sent += next.mails();
                air.recorded(next.mails(), Duration.ofNanos((long) (now * 1e9)));
                air.release(Duration.ofNanos((long) (now * 1e9)));
                waiting++;
            }
        }
        events.forEach(left -> air.release(Duration.ofNanos((long) (now * 1e9))));
        return sent / (now - begun);
    }
}
