package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.junit.jupiter.api.Test;

/** Checks campaigns under a limit of emails a second. */
class RateTests {

    private static final int RATE = 2;

    private final SimulatedWorld world = new SimulatedWorld();
    private final List<Instant> handedOver = new ArrayList<>();

    @Test
    void aCampaignKeepsTheRateAndEverybodyIsMailed() {
        world.rate = limit();
        world.restart();
        ListName list = world.list("slow", 41, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.beforeHandOver(this::remember);

        world.runToEnd();

        world.assertAccounted(ref, verified("slow", 41));
        assertThat(handedOver).as("lots of at most a second's worth").hasSizeGreaterThanOrEqualTo(41 / RATE);
        assertNoStretchIsFaster();
    }

    @Test
    void aLimitThatIsTakenOffLetsTheRestGoAtOnce() {
        RateLimit page = limit();
        world.rate = limit();
        world.restart();
        ListName list = world.list("slow", 21, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.beforeHandOver(() -> page.change(Limits.NONE));

        world.runToEnd();

        world.assertAccounted(ref, verified("slow", 21));
        assertThat(world.transport.handOvers()).isLessThan(21 / RATE);
    }

    @Test
    void aDaysLimitHoldsTheRestBackUntilItsTimeAndThePageSaysWhen() {
        world.rate = limit(new Limits(0, 0, 0, 10));
        world.restart();
        ListName list = world.list("slow", 25, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);

        turns(30, Duration.ofSeconds(10));

        assertThat(world.transport.taken()).as("the first day").hasSize(10);
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .allSatisfy(note -> assertThat(note)
                        .asString()
                        .startsWith("the limit of recording is reached: 10 emails a day; sending continues at 2"));
        world.rate = limit(Limits.NONE);
        world.restart();
        turns(130, Duration.ofMinutes(10));
        assertThat(world.transport.taken()).as("a day later, after a restart").hasSize(10);
        turns(20, Duration.ofMinutes(10));
        assertThat(world.transport.taken()).as("the second day").hasSize(20);
        turns(160, Duration.ofMinutes(10));
        world.assertAccounted(ref, verified("slow", 25));
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void aMessageLeavesATwentiethOfADaysLimitToConfirmations() {
        world.rate = limit(new Limits(0, 0, 0, 40));
        world.restart();
        ListName list = world.list("slow", 45, 0);
        world.message(list, OnUnknown.HOLD);

        turns(30, Duration.ofSeconds(10));

        assertThat(world.transport.taken()).as("the first day").hasSize(38);
        assertThat(limit(Limits.NONE).take(2).isZero()).isTrue();
        assertThat(limit(Limits.NONE).take(1).isZero()).isFalse();
    }

    @Test
    void aRaisedDailyLimitReleasesCallersThatWaitForTheNextDay() {
        RateLimit page = limit();
        world.rate = limit(new Limits(0, 0, 0, 10));
        world.restart();
        ListName list = world.list("slow", 25, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        turns(30, Duration.ofSeconds(10));

        page.change(new Limits(0, 0, 0, 1_000));
        world.process.waiting.resume();
        world.process.drain(world.process.sender);

        assertThat(world.transport.taken()).hasSize(25);
        world.runToEnd();
        world.assertAccounted(ref, verified("slow", 25));
    }

    @Test
    void aCancelledMessageDoesNotWaitForTheNextDay() {
        world.rate = limit(new Limits(0, 0, 0, 10));
        world.restart();
        MessageRef ref = world.message(world.list("slow", 25, 0), OnUnknown.HOLD);
        turns(30, Duration.ofSeconds(10));

        world.process.control.cancel(ref);
        turns(3, Duration.ofSeconds(10));

        assertThat(world.process.messageStore.active()).isEmpty();
        assertThat(world.find(ref).result().counts().skipped()).isEqualTo(15);
    }

    private void turns(int count, Duration each) {
        for (int turn = 0; turn < count; turn++) {
            world.process.turn();
            world.time.advance(each);
        }
    }

    private RateLimit limit() {
        return limit(Limits.perSecond(RATE));
    }

    private RateLimit limit(Limits limits) {
        return new RateLimit(world.storage.storage(), world.time, "recording", limits);
    }

    private void remember() {
        handedOver.add(world.time.instant());
    }

    /** Checks every period. One lot, and the emails of one second, may have been saved up before it begins. */
    private void assertNoStretchIsFaster() {
        for (int from = 0; from < handedOver.size(); from++) {
            for (int to = from; to < handedOver.size(); to++) {
                int mails = (to - from + 1) * RATE;
                Duration took = Duration.between(handedOver.get(from), handedOver.get(to));
                assertThat(mails - RATE).isLessThanOrEqualTo((int) (took.toMillis() * RATE / 1000) + 2 * RATE);
            }
        }
    }
}
