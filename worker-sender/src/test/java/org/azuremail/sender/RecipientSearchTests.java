package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.recipient.DeliveryExplanation;
import org.azuremail.delivery.recipient.DeliveryExplanation.Verdict;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Page;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks every answer to the question why a person did or did not get a message. */
class RecipientSearchTests {

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void sentFailedUnknownAndLaterUnsubscribedRecipientsAreToldWithTheReason() {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.answer(
                (mail, attempt) -> switch (mail.to().address().value().substring(0, 3)) {
                    case "v01" -> new Answer.Refused("550 no such mailbox");
                    case "v02" -> new Answer.Unknown(Reason.ofText("the connection broke"));
                    default -> new Answer.Accepted("id-1");
                });
        world.process.look();
        world.process.drain(world.process.fanOut);
        world.leave(list, "v03@contoso1.test");
        world.process.feature.subscriptions().suppress(list, address("v04@contoso1.test"), Origin.admin("ada"));
        world.runToEnd();

        assertStory(ref, "v00@contoso1.test", Verdict.SENT, "accepted the email");
        assertStory(ref, "v01@contoso1.test", Verdict.FAILED, "550 no such mailbox");
        assertStory(ref, "v02@contoso1.test", Verdict.UNKNOWN, "the connection broke");
        assertStory(ref, "v03@contoso1.test", Verdict.SKIPPED, "unsubscribed");
        assertStory(ref, "v04@contoso1.test", Verdict.SKIPPED, "suppressed");
    }

    @Test
    void theStoryOfANonRecipientSaysWhatTheListKnowsOfThem() {
        ListName list = world.list("contoso1", 5, 2);
        Subscriptions people = world.process.feature.subscriptions();
        world.leave(list, "v00@contoso1.test");
        people.suppress(list, address("v01@contoso1.test"), Origin.admin("ada"));
        people.adminEdit(
                list,
                address("v02@contoso1.test"),
                etag(list, "v02@contoso1.test"),
                Profile.NONE,
                false,
                Origin.admin("ada"));
        people.move(
                new Membership(list, address("v03@contoso1.test")),
                etag(list, "v03@contoso1.test"),
                new Membership(list, address("new@contoso1.test")),
                Origin.admin("ada"));
        world.time.advance(Duration.ofMinutes(1));
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.runToEnd();
        world.time.advance(Duration.ofMinutes(1));
        world.subscriber(list, "late@contoso1.test", true);
        people.adminEdit(
                list,
                address("u01@contoso1.test"),
                etag(list, "u01@contoso1.test"),
                Profile.NONE,
                true,
                Origin.admin("ada"));

        assertStory(ref, "v00@contoso1.test", Verdict.NOT_A_RECIPIENT, "was unsubscribed on 1 Jan 2026");
        assertStory(ref, "v01@contoso1.test", Verdict.NOT_A_RECIPIENT, "suppressed on 1 Jan 2026");
        assertStory(ref, "v02@contoso1.test", Verdict.NOT_A_RECIPIENT, "set to Unconfirmed by ada");
        assertStory(
                ref, "v03@contoso1.test", Verdict.NOT_A_RECIPIENT, "moved to new@contoso1.test on the list contoso1");
        assertStory(ref, "new@contoso1.test", Verdict.SENT, "accepted the email");
        assertStory(ref, "u00@contoso1.test", Verdict.NOT_A_RECIPIENT, "had not been confirmed");
        assertStory(ref, "u01@contoso1.test", Verdict.NOT_A_RECIPIENT, "which was too late");
        assertStory(ref, "late@contoso1.test", Verdict.NOT_A_RECIPIENT, "The message was due before");
        assertStory(ref, "nobody@contoso1.test", Verdict.NOT_A_RECIPIENT, "It is not on the list contoso1 now");
    }

    @Test
    void subscribersWhoLeaveBetweenTheDateAndTheCountingAreToldOf() {
        ListName list = world.list("contoso1", 3, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.time.advance(Duration.ofMinutes(1));
        world.leave(list, "v00@contoso1.test");
        world.runToEnd();

        assertStory(ref, "v00@contoso1.test", Verdict.NOT_A_RECIPIENT, "before this part of the list was counted");
    }

    @Test
    void nobodyIsCountedBeforeTheDateAndThenShardByShard() {
        ListName list = world.list("contoso1", 12, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        assertStory(ref, "v00@contoso1.test", Verdict.NOT_COUNTED_YET, "when the message is due");

        world.process.look();
        world.process
                .receive(world.process.fanOut, 1)
                .forEach(item -> world.process.handle(world.process.fanOut, item));

        Set<Verdict> verdicts = new HashSet<>();
        for (String address : SimulatedWorld.verified("contoso1", 12)) {
            verdicts.add(story(ref, address).verdict());
        }
        assertThat(verdicts).containsExactlyInAnyOrder(Verdict.WAITING, Verdict.NOT_COUNTED_YET);
    }

    @Test
    void waitingRecipientsAreToldWithReasonAndTime() {
        ListName list = world.list("contoso1", 1, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> new Answer.RetryAfter(Duration.ofMinutes(7), "451 greylisted"));
        world.process.turn();

        assertStory(
                ref,
                "v00@contoso1.test",
                Verdict.WAITING,
                "asked us to try later, once so far. Its last answer: 451 greylisted.");
        assertThat(story(ref, "v00@contoso1.test").until())
                .isAfterOrEqualTo(world.time.instant().plus(Duration.ofMinutes(6)));

        world.process.control.pause(ref, Reason.NONE);
        assertStory(ref, "v00@contoso1.test", Verdict.WAITING, "The message is paused");
        assertThat(story(ref, "v00@contoso1.test").until()).isNull();
    }

    @Test
    void recipientsAtWhomTheConversationBrokeAreNotSaidToBePutOff() {
        ListName list = world.list("contoso1", 1, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        Reason broke = Reason.of(ReasonCode.CONNECTION_BROKE);
        world.transport.answer((mail, attempt) -> attempt < 2
                ? new Answer.RetryAfter(Duration.ofMinutes(7), broke, true)
                : new Answer.RetryAfter(Duration.ofMinutes(7), "451 greylisted"));
        world.process.turn();

        assertStory(ref, "v00@contoso1.test", Verdict.WAITING, "The reason: the connection broke.");
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .containsExactly(Reason.of(ReasonCode.NOT_ACCEPTED));

        world.time.advance(Duration.ofMinutes(8));
        world.process.turn();

        assertStory(
                ref,
                "v00@contoso1.test",
                Verdict.WAITING,
                "asked us to try later, once so far. Its last answer: 451 greylisted.");
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .containsExactly(Reason.of(ReasonCode.PUT_OFF));
    }

    @Test
    void recipientsWhoWaitForAnAbsentProviderAreToldWithItsReason() {
        ListName list = world.list("contoso1", 1, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.unavailable(Optional.of(
                new Unavailable(Unavailable.Kind.WAIT, Reason.ofText("503 try later"), Duration.ofMinutes(5))));
        world.process.turn();

        assertStory(ref, "v00@contoso1.test", Verdict.WAITING, "503 try later");
        assertThat(story(ref, "v00@contoso1.test").until()).isAfter(world.time.instant());
    }

    @Test
    void theStoryOfARecipientMailedAgainNamesBothAttempts() {
        ListName list = world.list("contoso1", 3, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> new Answer.Refused("550"));
        world.runToEnd();
        world.process.reopening.reopen(ref, Set.of(Outcome.FAILED));

        assertStory(ref, "v00@contoso1.test", Verdict.WAITING, "waiting to be sent again");
        assertThat(story(ref, "v00@contoso1.test").recorded().orElseThrow().outcome())
                .isEqualTo(Outcome.FAILED);
    }

    @Test
    void aMessageThatFailedOrWasCancelledSaysSo() {
        ListName nobody = world.list("empty1", 0, 1);
        MessageRef failed = world.message(nobody, OnUnknown.HOLD);
        ListName list = world.list("contoso1", 12, 0);
        MessageRef cancelled = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.control.cancel(cancelled);
        world.runToEnd();

        assertStory(failed, "u00@empty1.test", Verdict.NOT_A_RECIPIENT, "no confirmed subscribers");
        assertStory(cancelled, "v00@contoso1.test", Verdict.NOT_A_RECIPIENT, "cancelled before this address");
    }

    @Test
    void recipientsAreFoundWhenTheirListIsGone() {
        ListName list = world.list("contoso1", 3, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.runToEnd();
        MailingList existing = world.process.lists.find(list).orElseThrow().value();
        world.process.lists.markDeleting(list);
        world.process.lists.remove(existing.name());

        assertStory(ref, "v00@contoso1.test", Verdict.SENT, "accepted the email");
        assertStory(ref, "other@contoso1.test", Verdict.NOT_A_RECIPIENT, "no longer exists");
    }

    @Test
    void recipientsAreListedByOutcomePageByPage() {
        ListName list = world.list("contoso1", 31, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> {
            int number = Integer.parseInt(mail.to().address().value().substring(1, 3));
            return number % 5 == 0
                    ? new Answer.Unknown(Reason.ofText("502"))
                    : number % 7 == 1 && (attempt == 1 || number > 9)
                            ? new Answer.Refused("550")
                            : new Answer.Accepted("id");
        });
        world.runToEnd();
        world.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
        world.runToEnd();

        Map<Outcome, List<String>> expected = new EnumMap<>(Outcome.class);
        world.outcomes(ref).forEach((address, outcome) -> expected.computeIfAbsent(outcome, one -> new ArrayList<>())
                .add(address));
        assertThat(expected).containsOnlyKeys(Outcome.SENT, Outcome.FAILED, Outcome.UNKNOWN);
        for (Outcome outcome : Outcome.values()) {
            assertThat(listed(ref, outcome, 2))
                    .as(outcome.stored())
                    .containsExactlyInAnyOrderElementsOf(expected.getOrDefault(outcome, List.of()));
        }
    }

    @Test
    @DisplayName(
            "A page reads twenty spans at most and goes on behind them; of an outcome that nobody has it reads none")
    void aPageReadsTwentySpansAtMost() {
        ListName list = world.list("contoso1", 300, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.runToEnd();

        Page<RecordedOutcome> first = world.process.control.outcomes(world.find(ref), OutcomeGroup.SENT, 300, null);

        assertThat(first.items()).hasSizeBetween(20, 299);
        assertThat(first.continuation()).isNotNull();
        assertThat(listed(ref, Outcome.SENT, 300)).hasSize(300).doesNotHaveDuplicates();
        assertThat(world.process
                        .control
                        .outcomes(world.find(ref), OutcomeGroup.FAILED, 300, null)
                        .continuation())
                .isNull();
    }

    private List<String> listed(MessageRef ref, Outcome outcome, int limit) {
        List<String> addresses = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            Page<RecordedOutcome> page = world.process.control.outcomes(
                    world.find(ref), OutcomeGroup.valueOf(outcome.name()), limit, cursor);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            page.items().forEach(one -> addresses.add(one.recipient().address().value()));
            cursor = page.continuation();
        } while (cursor != null);
        return addresses;
    }

    private void assertStory(MessageRef ref, String address, Verdict verdict, String why) {
        DeliveryExplanation explanation = story(ref, address);
        assertThat(explanation.verdict()).as(explanation.words()).isEqualTo(verdict);
        assertThat(explanation.words()).contains(why);
    }

    private DeliveryExplanation story(MessageRef ref, String address) {
        return world.process.search.search(world.find(ref), address(address));
    }

    private static EmailAddress address(String address) {
        return new EmailAddress(address);
    }

    private String etag(ListName list, String address) {
        MailingList existing = world.process.lists.findActive(list).orElseThrow();
        return world.process
                .feature
                .store()
                .find(existing, address(address))
                .orElseThrow()
                .etag();
    }
}
