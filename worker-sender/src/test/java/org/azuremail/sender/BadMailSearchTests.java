package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks a range with one email that cannot be built: how often it is tried, and in which lots the others are sent. */
class BadMailSearchTests {

    private static final int RECIPIENTS = 6;

    /** The number of exceptions after which the search for the bad email begins. */
    private static final int MOST_TRIES = 5;

    /** The first letters of the addresses of each lot that was handed over. */
    private final List<List<String>> lots = new ArrayList<>();

    private SimulatedWorld world;
    private MessageRef ref;

    private void fannedOut(int lotSize) {
        world = new SimulatedWorld(lotSize);
        ref = world.message(world.list("contoso1", 1, RECIPIENTS, 0), OnUnknown.HOLD);
        world.transport.beforeHandOver(() -> lots.add(new ArrayList<>()));
        world.transport.answer((mail, attempt) -> {
            lots.get(lots.size() - 1).add(mail.to().address().value().substring(0, 3));
            return new Answer.Accepted("id");
        });
        world.process.look();
        world.process.drain(world.process.fanOut);
    }

    @Test
    @DisplayName(
            "A lot is halved until the bad mail is alone; the other half goes together, and so does whoever comes after")
    void everybodyElseGoesInLots() {
        fannedOut(RECIPIENTS);
        poison("v03");

        world.runToEnd();

        assertThat(lots).containsExactly(List.of("v00", "v01", "v02"), List.of("v04", "v05"));
        assertThat(world.deadLetters()).hasSize(1);
        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(world.outcomes(ref)).containsEntry("v03@contoso1.test", Outcome.FAILED);
    }

    @Test
    void theSearchIsNotBegunAgainByAHalfThatWentOut() {
        fannedOut(RECIPIENTS);
        poison("v03");

        int tries = 0;
        while (lots.isEmpty()) {
            oneTry();
            tries++;
        }

        assertThat(tries).isEqualTo(MOST_TRIES);
        assertThat(lots).as("all in the try that began the search").hasSize(2);
    }

    @Test
    void aLotThatWentOutGivesTheNextOneAllItsTries() {
        fannedOut(3);
        poison("v01");
        failsUntilOneTryIsLeft();
        assertThat(lots).isEmpty();
        world.process.poisoned.clear();
        world.transport.afterHandOver(() -> {
            if (lots.size() == 1) {
                poison("v04");
            }
        });
        oneTry();
        assertThat(lots).hasSize(1);
        assertThat(range().search().tries()).as("the next lot's first").isOne();

        failsUntilOneTryIsLeft();
        world.process.poisoned.clear();
        world.runToEnd();

        assertThat(lots).containsExactly(List.of("v00", "v01", "v02"), List.of("v03", "v04", "v05"));
        assertThat(world.deadLetters()).isEmpty();
        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
    }

    private void poison(String start) {
        world.process.poisoned.add(start + "@contoso1.test");
    }

    private void failsUntilOneTryIsLeft() {
        while (range().search().tries() < MOST_TRIES - 1) {
            oneTry();
            assertThat(range().search().lotLimit()).as("not looked for yet").isZero();
        }
    }

    private void oneTry() {
        assertThat(world.time.elapsed()).as("in bounded time").isLessThan(Duration.ofHours(1));
        world.process.drain(world.process.sender);
        world.time.advance(Duration.ofMinutes(1));
        world.process.look();
    }

    private Range range() {
        return world.process
                .deliveries
                .controls(new ShardKey(ref, 0))
                .ranges()
                .get(0)
                .value();
    }
}
