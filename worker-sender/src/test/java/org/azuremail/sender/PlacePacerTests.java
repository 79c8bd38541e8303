package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.MessageRef;
import org.azuremail.route.Attempt;
import org.azuremail.route.Route;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks a range whose transport has no free place: it waits, or tries again in its turn. */
class PlacePacerTests {

    private static final Duration BRIEF = Duration.ofMillis(499);
    private static final Duration LONG = Duration.ofMillis(500);
    private static final Duration APART = Duration.ofMillis(200);

    private final SimulatedWorld world = new SimulatedWorld();
    private PlacePacer turns;
    private Route full;

    @BeforeEach
    void twoTransports() {
        world.second = new RecordingTransport("second", 4);
        world.restart();
        turns = world.process.context.places();
        full = world.process.ways.get(0);
        assertThat(world.process.context.routes().enter(full)).isTrue();
    }

    @Test
    void aNewAttemptWaitsWhilePlacesMove() {
        Attempt attempt = attempt();
        world.time.advance(BRIEF);

        assertThat(later(1, attempt)).isEmpty();
    }

    @Test
    void aNewAttemptDoesNotWaitForAPlaceThatHasNotMovedForAMoment() {
        world.time.advance(LONG.plusMillis(1));

        assertThat(later(1, attempt())).isPresent();
    }

    /** Otherwise, the range would occupy its handler while other ranges come and go. */
    @Test
    void anAttemptDoesNotWaitForLongEvenIfPlacesMove() {
        Attempt attempt = attempt();
        world.time.advance(LONG);
        full.leave();

        assertThat(later(1, attempt)).isPresent();
        assertThat(later(1, attempt())).as("a new one").isEmpty();
    }

    @Test
    void nobodyElseNeedsTheHandlersOfASingleTransport() {
        world.second = null;
        world.restart();
        turns = world.process.context.places();
        full = world.process.ways.get(0);
        world.time.advance(LONG.plusMillis(1));

        assertThat(later(1, attempt())).isEmpty();
    }

    @Test
    void rangesTryAgainOneAfterTheOtherAtEachTransport() {
        world.time.advance(LONG.plusMillis(1));

        for (int number = 1; number <= 3; number++) {
            assertThat(later(number, attempt())).contains(APART.multipliedBy(number));
        }
        full = world.process.ways.get(1);
        assertThat(later(4, attempt())).as("at the other one").contains(APART);
    }

    private Attempt attempt() {
        return new Attempt("attempt", world.time, () -> true);
    }

    /** Returns how long the range is postponed. */
    private Optional<Duration> later(int number, Attempt attempt) {
        RangeKey range = new RangeKey(new ShardKey(new MessageRef(7), 0), number);
        return turns.findRetryTime(range, full, attempt).map(at -> Duration.between(world.time.instant(), at));
    }
}
