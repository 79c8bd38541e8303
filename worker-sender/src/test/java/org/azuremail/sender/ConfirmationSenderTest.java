package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.content.Escaping;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Declaration.Kind;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmationSenderTest {

    private ConfirmationWorld world = new ConfirmationWorld();

    @Test
    void e17_theConfirmationIsMailedOnceWithItsLinkAndWithoutAnUnsubscribeLink() {
        world.subscribeBob();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        MailLot lot = world.transport.taken.get(0);
        Mail mail = lot.mails().get(0);
        assertThat(mail.to().address().value()).isEqualTo("Bob@example.org");
        String text = lot.content().text().merge(mail.fields(), Escaping.NONE);
        assertThat(text)
                .contains(
                        "https://lists.example.org/subscribe?id=" + world.bob().guid() + ".", "&listName=news")
                .doesNotContain("unsubscribe");
    }

    @Test
    void a63_theMailedLinkConfirmsAndSoDoesTheSameLinkOfASecondMail() {
        world.subscribeBob();
        world.drain();
        world.time.advance(Duration.ofSeconds(1));
        world.subscribeBob();
        world.drain();

        assertThat(world.transport.taken)
                .extracting(lot -> lot.mails().get(0).fields().get("confirm"))
                .hasSize(2)
                .containsOnly("https://lists.example.org/subscribe?id=" + mailed().id() + "&listName=news");
        assertThat(mailed().guid()).isEqualTo(world.bob().guid());
        assertThat(world.feature.subscriptions().confirm(ConfirmationWorld.LIST, mailed(), Origin.link(null)))
                .isInstanceOf(ConfirmResult.Confirmed.class);
    }

    @Test
    void theNameThatSomebodyTypedIsNotInTheMail() {
        world.subscribeBob();
        world.drain();

        MailLot lot = world.transport.taken.get(0);
        Mail mail = lot.mails().get(0);
        assertThat(mail.to().name()).isEmpty();
        assertThat(mail.fields().values()).noneMatch(value -> value.contains("Bob"));
    }

    private ConfirmationLink mailed() {
        String link = world.transport.taken.get(0).mails().get(0).fields().get("confirm");
        String id = link.substring(link.indexOf("id=") + 3, link.indexOf("&listName="));
        return ConfirmationLink.parse(id).orElseThrow();
    }

    @Test
    void aConfirmationCostsTwoBatchesAndFourReads() {
        world.subscribeBob();
        world.drain();
        world.time.advance(Duration.ofSeconds(1));
        world.subscribeBob();
        ConfirmationItem item = new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST);

        world.simulated.resetCounters();
        world.handle(item);

        assertThat(world.transport.taken).hasSize(2);
        assertThat(world.simulated.callsByKind()).isEqualTo(Map.of(Call.Kind.GET, 4L, Call.Kind.WRITE, 2L));
    }

    @Test
    void timeAndContentVersionOfTheMailAreKeptAsProof() {
        world.subscribeBob();
        world.drain();

        Declaration sent = world.bob().consent().latest(Kind.CONFIRMATION_SENT).orElseThrow();
        assertThat(sent.at()).isEqualTo(world.time.instant());
        assertThat(sent.detail())
                .isEqualTo(world.transport.taken.get(0).content().id());
        assertThat(world.bob().bookkeeping().chore()).isNull();
    }

    @Test
    void e17_askingAgainMailsAgainWithAnotherMessageId() {
        world.subscribeBob();
        world.drain();
        world.time.advance(Duration.ofSeconds(1));

        assertThat(world.subscribeBob()).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
        world.drain();

        assertThat(world.transport.taken)
                .extracting(lot -> lot.mails().get(0).messageId())
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void aConfirmationWaitsForTheRateLimitAndIsThenMailed() {
        world.rate = new RateLimit(world.simulated.storage(), world.time, "smtp", Limits.perSecond(1));
        world.restart(world.simulated.storage());
        world.rate.take(1);
        world.subscribeBob();
        ConfirmationItem item = new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST);

        assertThat(world.handle(item)).isInstanceOf(WorkResult.RetryAfter.class);
        assertThat(world.transport.taken).isEmpty();

        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.handle(item)).isEqualTo(WorkResult.DONE);
        assertThat(world.transport.taken).hasSize(1);
    }

    @Test
    void anItemThatComesTwiceMailsOnce() {
        world.subscribeBob();
        ConfirmationItem item = new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST);

        assertThat(world.handle(item)).isEqualTo(WorkResult.DONE);
        assertThat(world.handle(item)).isEqualTo(WorkResult.DONE);

        assertThat(world.transport.taken).hasSize(1);
    }

    @Test
    void anItemWithOnlyAGuidFindsItsList() {
        world.subscribeBob();

        world.handle(ConfirmationItem.parse(world.bob().guid().value()));

        assertThat(world.transport.taken).hasSize(1);
    }

    @Test
    void whileTheTransportIsAwayNobodyIsChargedAndTheMailGoesLater() {
        world.subscribeBob();
        world.transport.unavailable = Optional.of(
                new Unavailable(Unavailable.Kind.WAIT, Reason.ofText("no connection"), Duration.ofSeconds(40)));
        world.tenMinutes();
        assertThat(world.transport.taken).isEmpty();
        Subscriber waiting = world.bob();

        world.transport.unavailable = Optional.empty();
        world.tenMinutes();

        assertThat(waiting.bookkeeping().claim()).isNull();
        assertThat(world.transport.taken).hasSize(1);
    }

    @Test
    void aRetryLaterIsNoDoubt() {
        world.subscribeBob();
        for (int i = 0; i < 4; i++) {
            world.transport.next(new Answer.RetryAfter(Duration.ofSeconds(20), "greylisted"));
        }

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(5);
        assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT)).isPresent();
    }

    @Test
    void anAnswerPutOffForeverIsGivenUpAfterADay() {
        world.subscribeBob();
        for (int i = 0; i < 200; i++) {
            world.transport.next(
                    new Answer.RetryAfter(Duration.ofMinutes(1), Reason.ofText("451 greylisted"), i % 2 == 0));
        }

        for (int i = 0; i < 6 * 26; i++) {
            world.tenMinutes();
        }

        assertThat(world.transport.taken).as("calls in a day").hasSizeBetween(10, 40);
        assertFailed("451 greylisted");
    }

    private void assertFailed(String reason) {
        assertThat(world.bob()
                        .consent()
                        .latest(Kind.CONFIRMATION_FAILED)
                        .orElseThrow()
                        .detailText())
                .isEqualTo(reason);
    }

    @Test
    void aRefusalEndsItWithItsReason() {
        world.subscribeBob();
        world.transport.next(new Answer.Refused("no such mailbox"));

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        assertFailed("no such mailbox");
    }

    /** A message would be paused. */
    @Test
    void aConfirmationThatIsTooLargeFails() {
        Reason large = Reason.ofText("552 5.3.4 too large");
        world.subscribeBob();
        world.transport.script.add(() -> new HandOverResult(
                List.of(new Answer.RetryAfter(Duration.ofMinutes(1), large, true)),
                Optional.of(new Unavailable(Unavailable.Kind.MESSAGE, large, Duration.ofMinutes(5)))));

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        assertFailed("552 5.3.4 too large");
    }

    @Test
    void inDoubtItIsSentOnceMoreAndNotAThirdTime() {
        world.subscribeBob();
        world.transport.next(new Answer.Unknown(Reason.ofText("connection broke")));
        world.transport.script.add(() -> {
            throw new IllegalStateException("the transport broke");
        });

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(2);
        assertThat(world.transport.taken)
                .extracting(lot -> lot.mails().get(0).messageId())
                .containsOnly(world.transport.taken.get(0).mails().get(0).messageId());
        assertThat(world.bob()
                        .consent()
                        .latest(Kind.CONFIRMATION_FAILED)
                        .orElseThrow()
                        .reason())
                .isEqualTo(
                        Reason.of(ReasonCode.IN_DOUBT, Reason.of(ReasonCode.TRANSPORT_BROKE, "IllegalStateException")));
    }

    @Test
    void aServerThatAnswersAfterTenMinutesGetsTheMailOnceWhoeverElseLooksMeanwhile() {
        world.subscribeBob();
        world.transport.script.add(() -> afterTenMinutes(() -> {
            world.drain();
            world.requeue();
        }));

        world.drain();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT)).isPresent();
        assertThat(world.bob().bookkeeping().chore()).isNull();
    }

    /** Whatever the clock said at its death: somebody may have corrected it since. */
    @ParameterizedTest
    @ValueSource(ints = {0, -6, 6})
    void aSenderThatDiesWhileItWaitsForTheServerLeavesAClaimThatEnds(int hours) {
        world.subscribeBob();
        world.transport.script.add(() -> {
            afterTenMinutes(() -> {});
            throw new ProcessDied();
        });
        assertThatThrownBy(world::drain).isInstanceOf(ProcessDied.class);
        world.time.shiftWallClock(Duration.ofHours(hours));

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(2);
        assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT)).isPresent();
    }

    /** The guard is asked as one is that waits for an answer. */
    private HandOverResult afterTenMinutes(Runnable meanwhile) {
        for (int second = 0; second < 600; second++) {
            world.time.advance(Duration.ofSeconds(1));
            world.transport.asked.mayContinue();
            meanwhile.run();
        }
        return HandOverResult.same(1, new Answer.Accepted("id"));
    }

    /**
     * Every storage call of one hand-over to a server that needs ten minutes, in five ways: the mail goes out, at most twice,
     * and nothing waits for ever.
     */
    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void defect19_noFaultAtAnyStorageCallLosesAConfirmation(Faults.Mode mode) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            world = new ConfirmationWorld();
            Faults faults = new Faults(mode, at, () -> {});
            Storage faulty = faults.around(world.simulated.storage());
            world.restart(faulty);
            world.transport.script.add(() -> afterTenMinutes(() -> {}));
            joinAndSend();
            world.transport.script.clear();
            happened = faults.calls() >= at;
            world.restart(world.simulated.storage());
            if (!world.knowsBob()) {
                world.subscribeBob();
            }
            world.tenMinutes();

            String where = mode + " at call " + at;
            assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT))
                    .as(where)
                    .isPresent();
            assertThat(world.bob().bookkeeping().chore()).as(where).isNull();
            assertThat(world.transport.taken).as(where).hasSizeBetween(1, 2);
        }
    }

    private void joinAndSend() {
        try {
            world.subscribeBob();
            world.handle(new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST));
        } catch (ProcessDied | StorageException expected) {
            assertThat(expected).isNotNull();
        }
    }
}
