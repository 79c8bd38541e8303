package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.transport.smtp.ScriptedSmtpServer;
import org.azuremail.transport.smtp.SmtpTransport;
import org.azuremail.transport.smtp.ToScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks campaigns to a server that breaks off at some recipients. These fail, and all others get their email. */
class BrokenConversationIT {

    private static final int RECIPIENTS = 40;

    private final SimulatedWorld world = new SimulatedWorld();
    private final ScriptedSmtpServer server = new ScriptedSmtpServer();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"421 4.3.2 closing", "454 4.7.1 not you", "hang up", "garbage", "250xOK", "354 go ahead"})
    void i1_anAddressThatBreaksEveryConversationFailsAfterFiveTriesAndHoldsNobodyUp(String reply) {
        server.reply("RCPT TO:<v07", reply);
        MessageRef ref = campaign();

        world.process.turn();

        assertThat(world.outcomes(ref)).as("after one turn, all the others").hasSize(RECIPIENTS - 1);
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(breakerIsClosed()).isTrue();
        world.runToEnd();
        assertFailed(ref, Set.of("v07@contoso1.test"));
        assertThat(timesNamed("v07"))
                .as("one conversation for nothing, then five tries; two at most each")
                .isBetween(6L, 12L);
        assertThat(breakerIsClosed()).isTrue();
    }

    /** The addresses follow each other. There are more of them than it takes for the server itself to look broken. */
    @Test
    void i1_manySuchAddressesInARowHoldNobodyUpForLong() {
        for (int i = 3; i < 12; i++) {
            server.reply("RCPT TO:<v%02d".formatted(i), "421 4.3.2 closing");
        }
        MessageRef ref = campaign();

        turns(30);

        assertThat(world.outcomes(ref).values())
                .as("after five minutes")
                .filteredOn(Outcome.SENT::equals)
                .hasSize(31);
        turns(200);
        world.runToEnd();
        assertFailed(ref, verified("contoso1", 12).stream().skip(3).collect(Collectors.toSet()));
    }

    @Test
    void aServerThatBreaksOffAtEverybodyChargesNobody() {
        server.reply("RCPT", "421 4.3.2 closing");
        MessageRef ref = campaign();

        turns(400);

        assertThat(world.outcomes(ref)).isEmpty();
        assertThat(breakerIsClosed()).isFalse();
        assertThat(timesNamed("v")).as("in an hour").isLessThan(480);
        server.reply("RCPT", "250 2.1.5 Ok");
        world.runToEnd();
        assertFailed(ref, Set.of());
    }

    @Test
    void aConversationThatBreaksOnceCostsNobodyATry() {
        server.replyOnce("RCPT TO:<v07", "421 4.3.2 closing").replyOnce("RCPT TO:<v07", "hang up");
        MessageRef ref = campaign();

        world.runToEnd();

        assertFailed(ref, Set.of());
    }

    /** The client never read the last answers, one of which may be for the email before. */
    @Test
    void i2_aServerThatTakesCommandsInARowAndHangsUpDoublesNobody() {
        server.offer("PIPELINING").reply("RCPT TO:<v07", "hang up").reply("RCPT TO:<v21", "hang up");
        MessageRef ref = campaign();

        world.runToEnd();

        Map<String, Outcome> outcomes = world.outcomes(ref);
        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(outcomes.get("v07@contoso1.test")).isEqualTo(Outcome.FAILED);
        assertThat(outcomes.get("v21@contoso1.test")).isEqualTo(Outcome.FAILED);
        assertThat(SimulatedWorld.count(outcomes, Outcome.UNKNOWN)).isLessThanOrEqualTo(2);
        assertThat(server.recipients()).doesNotHaveDuplicates();
    }

    @Test
    void anAnswerPutOffForeverEndsAfterFiveTriesToo() {
        server.reply("RCPT TO:<v07", "451 4.7.1 greylisted");
        MessageRef ref = campaign();

        world.runToEnd();

        assertFailed(ref, Set.of("v07@contoso1.test"));
        assertThat(timesNamed("v07")).isEqualTo(5);
    }

    /** As with a transport that does not find out what broke the conversation: the recording transport reports it. */
    @Test
    void aBreakCountsOnlyOnceSomebodyElseWasTakenSince() {
        boolean[] wellForNobody = {true};
        world.transport.answer((mail, attempt) ->
                wellForNobody[0] || mail.to().address().value().startsWith("v03")
                        ? new Answer.RetryAfter(Duration.ofMinutes(1), Reason.ofText("421"), true)
                        : new Answer.Accepted("id"));
        MessageRef ref = world.message(world.list("contoso1", 9, 0), OnUnknown.HOLD);

        turns(180);
        assertThat(world.outcomes(ref))
                .as("after half an hour of 421 for everybody")
                .isEmpty();

        wellForNobody[0] = false;
        world.runToEnd();
        assertThat(world.outcomes(ref)).hasSize(9);
        assertThat(SimulatedWorld.count(world.outcomes(ref), Outcome.FAILED)).isOne();
        assertThat(world.detail(ref, "v03@contoso1.test")).isEqualTo("421");
    }

    /** Small lists have such ranges: no recipient follows the address, and the others are sent before it. */
    @Test
    void i1_theLastAddressOfAllEndsToo() {
        server.reply("RCPT TO:<v39", "hang up").reply("RCPT TO:<v38", "421 4.3.2 closing");
        MessageRef ref = campaign();

        world.runToEnd();

        assertFailed(ref, Set.of("v38@contoso1.test", "v39@contoso1.test"));
    }

    /**
     * Such an address alone in a conversation looks like a server that accepts nothing from us. The emails sent before
     * show the difference.
     */
    @ParameterizedTest
    @ValueSource(strings = {"550 5.7.1 not you", "554 5.7.1 Relay access denied", "530 5.7.0 sign in"})
    void i1_theLastAddressThatIsRefusedAsIfItWereOurFaultEndsToo(String reply) {
        MessageRef ref = campaignThatLeavesOne(reply);

        world.runToEnd();

        assertFailed(ref, Set.of("v07@contoso1.test"));
        assertThat(world.detail(ref, "v07@contoso1.test")).isEqualTo(reply);
        assertThat(breakerIsClosed()).isTrue();
    }

    /** A process that has sent no other email pauses the message. Once it has sent one, resuming helps. */
    @Test
    void i1_suchAnAddressPausesTheMessageUntilAnyOtherEmailHasGoneOut() {
        MessageRef ref = campaignThatLeavesOne("550 5.7.1 not you");
        world.process.turn();
        world.restart();

        turns(20);
        assertThat(world.find(ref).paused()).isTrue();
        assertThat(world.outcomes(ref)).hasSize(RECIPIENTS - 1).doesNotContainKey("v07@contoso1.test");

        world.message(world.list("contoso2", 1, 0), OnUnknown.HOLD);
        turns(2);
        world.process.control.resume(ref);
        world.runToEnd();
        assertThat(world.outcomes(ref))
                .containsEntry("v07@contoso1.test", Outcome.FAILED)
                .hasSize(RECIPIENTS);
    }

    /**
     * Three such addresses in a row look like a server that accepts nothing from us. After a resumption, the others
     * come first.
     */
    @ParameterizedTest
    @ValueSource(ints = {5, 10, 20, 39})
    void i1_suchAddressesAtTheStartPauseTheMessageAFewTimesAndEndToo(int count) {
        Set<String> refused = Set.copyOf(verified("contoso1", count));
        refused.forEach(address -> server.reply("RCPT TO:<" + address, "550 5.7.1 not you"));
        MessageRef ref = campaign();

        int resumed = resumeForHours(ref, 5);
        world.runToEnd();

        assertFailed(ref, refused);
        assertThat(resumed).as("one for each three in a row, at most").isBetween(1, count / 3);
    }

    /** A resumption does not help. It costs no recipient an attempt, and the message pauses again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, RECIPIENTS})
    void whileTheServerRefusesUsEachResumptionEndsInAPauseAndNobodyFails(int recipients) {
        server.reply("RCPT", "550 5.7.1 not you");
        MessageRef ref = campaign(recipients);

        int resumed = resumeForHours(ref, 26);

        assertThat(resumed).isGreaterThan(26);
        assertThat(world.outcomes(ref)).isEmpty();
        server.reply("RCPT", "250 2.1.5 Ok");
        for (int i = 0; i < 3; i++) {
            world.process.control.resume(ref);
            turns(70);
        }
        world.assertAccounted(ref, verified("contoso1", recipients));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(server.recipients()).hasSize(recipients).doesNotHaveDuplicates();
    }

    /** The message pauses although the server accepted emails of another message a moment ago. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, RECIPIENTS})
    void aMessageThatIsTooLargeForTheServerPausesAndNobodyFails(int recipients) {
        MessageRef other = campaign(RECIPIENTS);
        world.runToEnd();
        server.reply(".", "552 5.3.4 too large");
        MessageRef ref = world.message(world.list("contoso2", recipients, 0), OnUnknown.HOLD);

        int resumed = resumeForHours(ref, 3);

        assertThat(resumed).isPositive();
        assertThat(world.outcomes(ref)).isEmpty();
        assertThat(breakerIsClosed()).isTrue();
        server.reply(".", "250 2.0.0 Ok");
        resumeForHours(ref, 1);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso2", recipients));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.outcomes(other)).hasSize(RECIPIENTS);
    }

    /** One such email at the start of each lot would look like a message that is too large. */
    @Test
    void emailsOfAFewPeopleThatAreTooLargeFailThem() {
        Set<String> large = Set.copyOf(verified("contoso1", 2));
        large.forEach(address -> server.reply("RCPT TO:<" + address, "552 5.3.4 too large"));
        MessageRef ref = campaign();

        world.runToEnd();

        assertFailed(ref, large);
    }

    /** @return the number of resumptions */
    private int resumeForHours(MessageRef ref, int hours) {
        int resumed = 0;
        for (int tenMinutes = 0; tenMinutes < 6 * hours; tenMinutes++) {
            turns(60);
            if (world.find(ref).paused()) {
                world.process.control.resume(ref);
                resumed++;
            }
        }
        return resumed;
    }

    /** Returns a campaign in which one address is put off, and the connection is closed meanwhile. */
    private MessageRef campaignThatLeavesOne(String reply) {
        server.reply("NOOP", "421 4.3.2 closing");
        server.reply("RCPT TO:<v07", reply).replyOnce("RCPT TO:<v07", "451 4.7.1 greylisted");
        return campaign();
    }

    private MessageRef campaign() {
        return campaign(RECIPIENTS);
    }

    private MessageRef campaign(int recipients) {
        SmtpTransport transport = ToScriptedServer.transport(server, world.time);
        world.provider = transport;
        world.restart();
        ListName list = world.list("contoso1", recipients, 0);
        return world.message(list, OnUnknown.HOLD);
    }

    private boolean breakerIsClosed() {
        return new org.azuremail.route.Breaker(
                        world.storage.storage(), world.time, "SmtpTransport", (unused, state) -> {})
                .state()
                .closed();
    }

    private void assertFailed(MessageRef ref, Set<String> failed) {
        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        world.outcomes(ref).forEach((address, outcome) -> assertThat(outcome)
                .as(address)
                .isEqualTo(failed.contains(address) ? Outcome.FAILED : Outcome.SENT));
        assertThat(server.recipients()).hasSize(RECIPIENTS - failed.size()).doesNotHaveDuplicates();
        assertThat(world.process.thrown).isEmpty();
    }

    private long timesNamed(String recipient) {
        return server.commands().stream()
                .filter(said -> said.startsWith("RCPT TO:<" + recipient))
                .count();
    }

    private void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }
}
