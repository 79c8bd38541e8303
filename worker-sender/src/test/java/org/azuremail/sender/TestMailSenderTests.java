package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.delivery.testmail.TestMail;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.delivery.testmail.TestMails.State;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.Test;

/** Checks that the process that sends a test email records its result. */
class TestMailSenderTests {

    private final SimulatedWorld world = new SimulatedWorld();
    private final TestMails results = new TestMails(world.storage.storage(), world.time);
    private final ForwardedReplies forwarded = new ForwardedReplies(world.storage.storage());
    private final MessageRef ref = world.message(world.list("contoso1", 1, 1, 0), OnUnknown.HOLD);

    private TestMailSender sender() {
        return new TestMailSender(
                world.process.context,
                new ReplyForwarder(world.process.context, world.process.lists, forwarded, SimulatedProcess.SETTINGS),
                results);
    }

    private State handle(String id) {
        results.ask(ref, id, new EmailAddress("me@example.org"));
        assertThat(sender().handle(new TestMail(ref.value(), "me@example.org", id), null))
                .isEqualTo(WorkResult.DONE);
        return results.find(ref, id).orElseThrow().result().state();
    }

    @Test
    void theProvidersAnswerIsNotedWithItsReason() {
        assertThat(handle("taken")).isEqualTo(State.HANDED_OVER);
        world.transport.answer((mail, attempt) -> new Answer.Refused("550 no such user"));
        assertThat(handle("refused")).isEqualTo(State.REFUSED);
        assertThat(results.find(ref, "refused").orElseThrow().result().detail())
                .asString()
                .contains("550 no such user");
        world.transport.answer((mail, attempt) -> new Answer.Unknown(Reason.ofText("502")));
        assertThat(handle("unknown")).isEqualTo(State.UNKNOWN);
    }

    @Test
    void confirmationsAndTestEmailsAreTheMostUrgentAndRepeatedQuestionsTheLeast() {
        ConfirmationWorld confirmations = new ConfirmationWorld();

        assertThat(sender().mailClass()).hasToString("High");
        assertThat(confirmations.sender.mailClass()).hasToString("High");
        assertThat(confirmations.sender.target()).isEqualTo(Duration.ofSeconds(10));
        assertThat(confirmations.askAgain().mailClass()).hasToString("Low");
    }

    @Test
    void anItemThatComesTwiceIsSentOnce() {
        handle("twice");
        int handOvers = world.transport.handOvers();

        handle("twice");

        assertThat(world.transport.handOvers()).isEqualTo(handOvers);
    }

    @Test
    void anItemOfTheVersionBeforeNamesNoRowAndIsSent() {
        int handOvers = world.transport.handOvers();

        assertThat(sender().handle(
                                TestMail.TYPE.read(
                                        "{\"messageRef\": %d, \"address\": \"me@example.org\"}".formatted(ref.value())),
                                null))
                .isEqualTo(WorkResult.DONE);

        assertThat(world.transport.handOvers()).isEqualTo(handOvers + 1);
        assertThat(results.newest(ref, 10)).isEqualTo(List.of());
    }
}
