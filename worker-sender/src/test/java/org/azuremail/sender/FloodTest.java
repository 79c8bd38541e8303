package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks confirmations beside a message that uses all capacity of the provider. */
class FloodTest {

    private static final Duration STEP = Duration.ofMillis(100);

    private final ConfirmationWorld world = new ConfirmationWorld();
    private Instant nextLot = Instant.MIN;

    @ParameterizedTest
    @ValueSource(ints = {5, 50, 500})
    void p6_aConfirmationLeavesWithinTenSecondsWhileListMailTakesEveryToken(int rate) {
        world.rate = new RateLimit(world.simulated.storage(), world.time, "outbox", Limits.perSecond(rate));
        world.restart(world.simulated.storage());
        RateLimit listMail = new RateLimit(world.simulated.storage(), world.time, "outbox", Limits.perSecond(rate));
        long taken = 0;
        for (int step = 0; step < 300; step++) {
            taken += takeAllThereIs(listMail);
            world.time.advance(STEP);
        }
        assertThat(taken).as("mails of the list in 30 s").isGreaterThan(20L * rate);

        Instant asked = world.time.instant();
        world.subscribeBob();
        for (int step = 0; step < 600 && world.transport.taken.isEmpty(); step++) {
            takeAllThereIs(listMail);
            world.drain();
            world.time.advance(STEP);
        }

        assertThat(world.transport.taken).hasSize(1);
        assertThat(Duration.between(asked, world.time.instant())).isLessThan(Duration.ofSeconds(10));
    }

    private long takeAllThereIs(RateLimit limit) {
        int lot = limit.maxAtOnce(99);
        long mails = 0;
        while (!nextLot.isAfter(world.time.instant())) {
            Duration wait = limit.take(lot).duration();
            mails += wait.isZero() ? lot : 0;
            nextLot = world.time.instant().plus(wait);
            if (!wait.isZero()) {
                break;
            }
        }
        return mails;
    }
}
