package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.junit.jupiter.api.Test;

/** Checks A72: a suppressed address gets no email from any list. It is still a recipient, and is Skipped. */
class SuppressedRecipientTests {

    private final SimulatedWorld world = new SimulatedWorld();
    private final ListName list = world.list("contoso1", 12, 0);

    private void suppress(String address) {
        world.process.suppressions.suppress(
                new EmailAddress(address), SuppressionReason.SUPPRESSED_COMPLAINT, world.time.instant(), "", "");
    }

    @Test
    void theFanOutMarksIt() {
        suppress("V03@contoso1.test");
        suppress("v07@contoso1.test");
        world.process.suppressions.release(new EmailAddress("v07@contoso1.test"), world.time.instant(), "ann", "");
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.runToEnd();
        assertThat(world.find(ref).result().counts()).isEqualTo(new OutcomeCounts(11, 0, 1, 0));
        assertThat(world.outcomes(ref)).containsEntry("v03@contoso1.test", Outcome.SKIPPED);
        assertThat(world.detail(ref, "v03@contoso1.test"))
                .isEqualTo("the address is suppressed: its owner marked an email as spam");
        assertThat(world.transport.attempts(ref, "v03@contoso1.test")).isZero();
    }

    @Test
    void soDoesSendingAgain() {
        world.transport.answer((mail, attempt) -> new Answer.Refused("552 5.2.2 full"));
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.runToEnd();
        world.transport.answer((mail, attempt) -> new Answer.Accepted("id"));
        suppress("v05@contoso1.test");
        world.process.reopening.reopen(ref, EnumSet.of(Outcome.FAILED));
        world.runToEnd();
        assertThat(world.find(ref).result().counts()).isEqualTo(new OutcomeCounts(11, 0, 1, 0));
        assertThat(world.transport.attempts(ref, "v05@contoso1.test")).isOne();
        world.assertAccounted(ref, List.copyOf(world.outcomes(ref).keySet()));
    }

    @Test
    void anAddressSuppressedAfterTheFanOutIsSkippedToo() {
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        suppress("v03@contoso1.test");
        suppress("V11@contoso1.test");
        world.runToEnd();
        assertThat(world.find(ref).result().counts()).isEqualTo(new OutcomeCounts(10, 0, 2, 0));
        assertThat(world.outcomes(ref))
                .containsEntry("v03@contoso1.test", Outcome.SKIPPED)
                .containsEntry("v11@contoso1.test", Outcome.SKIPPED);
        assertThat(world.detail(ref, "v03@contoso1.test"))
                .isEqualTo("the address is suppressed: its owner marked an email as spam");
        world.assertAccounted(ref, List.copyOf(world.outcomes(ref).keySet()));
    }

    /**
     * The address is suppressed between two lots of a long range. Recipients who are not yet handed over are
     * skipped after ten seconds at most.
     */
    @Test
    void anAddressSuppressedWhileTheRangeIsSentIsSkippedToo() {
        List<String> waiting = new ArrayList<>();
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.afterHandOver(() -> {
            if (waiting.isEmpty()) {
                IntStream.range(0, 12)
                        .mapToObj("v%02d@contoso1.test"::formatted)
                        .filter(address -> world.transport.attempts(ref, address) == 0)
                        .forEach(waiting::add);
                waiting.forEach(this::suppress);
                world.time.advance(Duration.ofSeconds(10));
            }
        });
        world.runToEnd();
        assertThat(waiting).isNotEmpty().allSatisfy(address -> assertThat(
                        world.outcomes(ref).get(address))
                .isEqualTo(Outcome.SKIPPED));
        assertThat(world.transport.handOvers()).isOne();
    }
}
