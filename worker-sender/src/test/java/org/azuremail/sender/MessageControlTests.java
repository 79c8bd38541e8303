package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.Reopening;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.scheduler.SchedulerServices;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.Membership;
import org.azuremail.subscription.Origin;
import org.azuremail.subscription.Profile;
import org.azuremail.subscription.Subscriptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What people do to messages while they wait and while they go out. */
class MessageControlTests {

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void e15_twoMessagesOfTheSameInstantHaveDistinctRefs() {
        ListName list = world.list("contoso1", 2, 0);

        MessageRef first = world.message(list, OnUnknown.HOLD);
        MessageRef second = world.message(list, OnUnknown.HOLD);

        assertThat(first).isNotEqualTo(second);
        assertThat(world.process.messages.active()).extracting(Message::ref).containsExactly(first, second);
    }

    @Test
    void e16_defect3_aMessageWhoseListIsDeletedBeforeItsDateFailsWithTheReason() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(2)));

        world.process.lists.markDeleting(list);
        world.process.turn();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.FAILED);
        assertThat(world.find(ref).reason()).contains("contoso1").contains("does not exist");
        assertThat(world.process.control.inUse(list)).isFalse();
    }

    @Test
    void aMessageThatGoesOutWhileItsListIsDeletedIsCancelled() {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);

        world.process.lists.markDeleting(list);
        world.runToEnd();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.CANCELLED);
        assertThat(world.outcomes(ref).values()).hasSize(9).containsOnly(Outcome.SKIPPED);
        assertThat(world.transport.taken()).isEmpty();
    }

    @Test
    void e20_aMessageThatTheSchedulerTookBetweenFormAndSaveIsNotEdited() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        Versioned<Message> form = world.process.messages.findActive(ref).orElseThrow();

        world.process.look();
        Messages.Editing editing = world.process.messages.edit(ref, form.etag(), change(list, "Changed"));

        assertThat(editing).isInstanceOf(Messages.Editing.NotEditable.class);
        assertThat(world.process.messages.delete(ref)).isEqualTo(Messages.Deletion.NOT_PENDING);
        assertThat(world.find(ref).subject()).isEqualTo("News for {{name|you}}");
    }

    @Test
    void e19_theSecondOfTwoEditorsSeesWhatTheFirstSaved() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(2)));
        String form = world.process.messages.findActive(ref).orElseThrow().etag();

        assertThat(world.process.messages.edit(ref, form, change(list, "First")))
                .isInstanceOf(Messages.Editing.Edited.class);
        Messages.Editing second = world.process.messages.edit(ref, form, change(list, "Second"));

        assertThat(second).isInstanceOfSatisfying(Messages.Editing.Conflict.class, conflict -> {
            assertThat(conflict.current().value().subject()).isEqualTo("First");
            assertThat(world.process.messages.edit(ref, conflict.current().etag(), change(list, "Second")))
                    .isInstanceOf(Messages.Editing.Edited.class);
        });
        assertThat(world.find(ref).subject()).isEqualTo("Second");
    }

    @Test
    void movingAMessageToAnotherDayKeepsItsRefAndSendsItOnce() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(2)));
        Versioned<Message> form = world.process.messages.findActive(ref).orElseThrow();
        Messages.Change sooner = new Messages.Change(
                list,
                "Sooner",
                null,
                null,
                new Schedule(world.time.instant().plus(Duration.ofHours(20)), ZoneOffset.UTC),
                OnUnknown.HOLD);

        assertThat(world.process.messages.edit(ref, form.etag(), sooner)).isInstanceOf(Messages.Editing.Edited.class);
        world.time.advance(Duration.ofDays(3));
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 2));
        assertThat(world.transport.taken().values()).containsOnly(1);
        assertThat(world.messageRows()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aMoveThatBreaksOffAtAnyCallIsFinishedByTheScheduler(Mode mode) {
        for (long call = 1; call < 30; call++) {
            SimulatedWorld fresh = new SimulatedWorld();
            ListName list = fresh.list("contoso1", 2, 0);
            MessageRef ref =
                    fresh.message(list, OnUnknown.HOLD, fresh.time.instant().plus(Duration.ofDays(2)));
            Versioned<Message> form = fresh.process.messages.findActive(ref).orElseThrow();
            Faults faults = new Faults(mode, call, () -> {});
            fresh.restart(faults);
            Schedule later = new Schedule(fresh.time.instant().plus(Duration.ofDays(4)), ZoneOffset.UTC);
            try {
                fresh.process.messages.edit(
                        ref, form.etag(), new Messages.Change(list, "Later", null, null, later, OnUnknown.HOLD));
            } catch (ProcessDied | org.azuremail.storage.StorageException broken) {
                assertThat(faults.calls()).isEqualTo(call);
            }
            fresh.restart();
            fresh.time.advance(Duration.ofDays(5));
            fresh.runToEnd();
            fresh.assertAccounted(ref, verified("contoso1", 2));
            assertThat(fresh.transport.taken().values()).as("at call " + call).containsOnly(1);
            assertThat(fresh.messageRows()).as("at call " + call).isEmpty();
        }
    }

    @Test
    void defect11_deletingAPendingMessageRemovesItsRowFirstThenItsBodies() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(2)));

        assertThat(world.process.messages.delete(ref)).isEqualTo(Messages.Deletion.DELETED);

        assertThat(world.process.messages.find(ref)).isEmpty();
        assertThat(world.process.messages.delete(ref)).isEqualTo(Messages.Deletion.MISSING);
        assertThat(world.storage.blobs().read(MessageBlobs.CONTAINER, MessageBlobs.htmlName(ref, 0)))
                .isEmpty();
        assertThat(world.process.messageStore.active()).isEmpty();
    }

    @Test
    void defect11_bodiesThatNoMessageNamesGoAfterADay() throws Exception {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef kept =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(9)));
        world.process.blobs.put(new MessageRef(999), 0, new MessageBlobs.Bodies("<p>x</p>", "x"));
        world.storage.blobs().put(MessageBlobs.CONTAINER, "readme.txt", new byte[1], BlobStore.ALWAYS);

        SchedulerServices.bodySweep(world.process.messageStore, world.storage.blobs(), world.time)
                .run();
        assertThat(world.process.blobs.read(new MessageRef(999), 0)).isPresent();
        world.time.advance(Duration.ofDays(2));
        SchedulerServices.bodySweep(world.process.messageStore, world.storage.blobs(), world.time)
                .run();

        assertThat(world.process.blobs.read(new MessageRef(999), 0)).isEmpty();
        assertThat(world.process.blobs.read(kept, 0)).isPresent();
        assertThat(world.storage.blobs().read(MessageBlobs.CONTAINER, "readme.txt"))
                .isPresent();
    }

    @Test
    void e23_aBodyOfOneMegabyteIsSent() {
        ListName list = world.list("contoso1", 1, 0);
        String html = "<html><body><p>" + "x".repeat(1024 * 1024) + "</p></body></html>";

        Messages.Creation creation = world.process.messages.create(new Messages.NewMessage(
                list,
                Draft.of("Long", html, null),
                new Schedule(world.time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "test"));
        world.runToEnd();

        MessageRef ref = ((Messages.Creation.Created) creation).message().ref();
        world.assertAccounted(ref, verified("contoso1", 1));
        assertThat(world.transport.largestHtml()).isGreaterThan(1024 * 1024);
    }

    @Test
    void e29_lostQueueItemsAreQueuedAgainWithFlagOne() {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        world.process
                .receive(world.process.sender, 32)
                .forEach(item -> world.storage.queues().delete("azuremailqueue", item));

        world.process.look();
        assertThat(world.storage.queues().approximateCount("azuremailqueue")).isZero();
        world.time.advance(Duration.ofSeconds(61));
        world.process.look();

        assertThat(world.storage.queues().peek("azuremailqueue", 32))
                .isNotEmpty()
                .allSatisfy(item -> assertThat(item.text()).endsWith(",1"));
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 20));
    }

    @Test
    void aPausedMessageHandsNobodyOverUntilItIsResumed() {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.afterHandOver(() -> {
            if (once.getAndSet(false)) {
                world.process.control.pause(ref, "");
            }
        });

        for (int turn = 0; turn < 30; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
        assertThat(world.transport.handOvers()).isOne();
        assertThat(world.find(ref).paused()).isTrue();

        world.process.control.resume(ref);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 20));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
    }

    @Test
    void a47_theBodyMayBeChangedWhilePausedAndTheRestGetsTheNewOne() {
        ListName list = world.list("contoso1", 20, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.afterHandOver(() -> {
            if (once.getAndSet(false)) {
                world.process.control.pause(ref, "");
            }
        });
        world.process.turn();
        Versioned<Message> form = world.process.messages.findActive(ref).orElseThrow();
        Messages.Change corrected = new Messages.Change(
                list,
                "Corrected",
                "<html><p>Better</p></html>".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                null,
                new Schedule(form.value().scheduledDate(), form.value().zone()),
                OnUnknown.HOLD);

        assertThat(world.process.messages.edit(ref, form.etag(), corrected))
                .isInstanceOf(Messages.Editing.Edited.class);
        world.process.control.resume(ref);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 20));
        assertThat(world.transport.subjects()).containsExactlyInAnyOrder("News for you", "Corrected");
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void whoIsNotMailedWhenAMessageIsCancelledIsSkipped() {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.afterHandOver(() -> {
            if (once.getAndSet(false)) {
                world.process.control.cancel(ref);
            }
        });

        world.runToEnd();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.CANCELLED);
        assertThat(world.transport.handOvers()).isOne();
        assertThat(world.outcomes(ref)).hasSize(20);
        assertThat(SimulatedWorld.count(world.outcomes(ref), Outcome.SKIPPED))
                .isEqualTo(20 - world.transport.taken().size());
        assertThat(world.find(ref).counts().sum()).isEqualTo(20);
    }

    @Test
    void aMessageCancelledInTheMiddleOfFanOutCountsWhomItHadCounted() {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);
        world.process.look();
        world.process
                .receive(world.process.fanOut, 1)
                .forEach(item -> world.process.handle(world.process.fanOut, item));

        assertThat(world.process.control.cancel(ref)).isTrue();
        world.runToEnd();

        Message cancelled = world.find(ref);
        assertThat(cancelled.status()).isEqualTo(MessageStatus.CANCELLED);
        assertThat(cancelled.recipients())
                .isBetween(1L, 19L)
                .isEqualTo(cancelled.counts().skipped());
        assertThat(world.transport.taken()).isEmpty();
        assertThat(world.messageRows()).isEmpty();
    }

    @Test
    void defect18_whoLeavesAfterFanOutIsSkippedAndNeverHandedOver() {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);

        world.leave(list, "v04@contoso1.test");
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 9));
        assertThat(world.outcomes(ref)).containsEntry("v04@contoso1.test", Outcome.SKIPPED);
        assertThat(world.detail(ref, "v04@contoso1.test")).isEqualTo("unsubscribed");
        assertThat(world.transport.taken()).hasSize(8);
    }

    @Test
    void whoeverIsSkippedHasTheTrueReasonOnRecord() {
        ListName list = world.list("contoso1", 9, 0);
        ListName other = world.list("fabrikam1", 0, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);

        Subscriptions subscriptions = world.process.feature.subscriptions();
        Origin admin = Origin.admin("ada");
        subscriptions.suppress(list, person(1).address(), admin);
        subscriptions.adminEdit(list, person(2).address(), etag(list, 2), Profile.NONE, false, admin);
        subscriptions.changeAddress(
                list, person(3).address(), etag(list, 3), new EmailAddress("new@contoso1.test"), admin);
        subscriptions.move(
                person(4), etag(list, 4), new Membership(other, person(4).address()), admin);
        subscriptions.erase(list, person(5).address(), admin);
        world.runToEnd();

        assertThat(world.detail(ref, "v01@contoso1.test")).isEqualTo("suppressed");
        assertThat(world.detail(ref, "v02@contoso1.test")).isEqualTo("not verified any more");
        assertThat(world.detail(ref, "v03@contoso1.test")).isEqualTo("address changed");
        assertThat(world.detail(ref, "v04@contoso1.test")).isEqualTo("moved to another list");
        assertThat(world.detail(ref, "v05@contoso1.test")).isEqualTo("deleted");
        assertThat(world.find(ref).counts().skipped()).isEqualTo(5);
        assertThat(world.transport.taken()).hasSize(4);
    }

    private static Membership person(int number) {
        return new Membership(new ListName("contoso1"), new EmailAddress("v0" + number + "@contoso1.test"));
    }

    private String etag(ListName list, int number) {
        MailingList there = world.process.lists.findActive(list).orElseThrow();
        return world.process
                .feature
                .store()
                .find(there, person(number).address())
                .orElseThrow()
                .etag();
    }

    @Test
    void whoLeavesBetweenTwoLotsOfALiveSenderIsNotHandedOver() {
        ListName list = world.list("contoso1", 12, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        List<String> left = new ArrayList<>();
        world.transport.afterHandOver(() -> {
            if (left.isEmpty()) {
                left.addAll(verified("contoso1", 12));
                left.removeIf(address -> world.transport.timesTaken(ref.toString(), address) > 0);
                left.forEach(address -> world.leave(list, address));
            }
        });

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 12));
        assertThat(world.transport.handOvers()).isOne();
        assertThat(left).isNotEmpty().allSatisfy(address -> assertThat(
                        world.outcomes(ref).get(address))
                .isEqualTo(Outcome.SKIPPED));
    }

    @Test
    void sendingToTheMissingMailsWhoFailedAndNobodyElse() {
        ListName list = world.list("contoso1", 13, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> {
            int number = Integer.parseInt(mail.to().address().value().substring(1, 3));
            return number % 3 == 0
                    ? new Answer.Unknown("502")
                    : number % 3 == 1 ? new Answer.Refused("550") : new Answer.Accepted("id");
        });
        world.runToEnd();
        world.transport.answer((mail, attempt) -> new Answer.Accepted("id"));

        assertThat(world.process.reopening.reopen(ref, Set.of(Outcome.FAILED))).isEqualTo(Reopening.Answer.REOPENED);
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.PROCESSING);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 13));
        assertThat(world.find(ref).counts().failed()).isZero();
        assertThat(world.find(ref).counts().unknown()).isEqualTo(5);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aReopeningThatBreaksOffAtAnyCallMailsEveryMissingOneOnce(Mode mode) {
        boolean reached = true;
        for (long call = 1; reached; call++) {
            SimulatedWorld fresh = new SimulatedWorld();
            ListName list = fresh.list("contoso1", 13, 0);
            MessageRef ref = fresh.message(list, OnUnknown.HOLD);
            fresh.transport.answer((mail, attempt) -> new Answer.Refused("550"));
            fresh.runToEnd();
            fresh.transport.answer((mail, attempt) -> new Answer.Accepted("id"));
            Faults faults = new Faults(mode, call, () -> {});
            fresh.restart(faults);
            try {
                fresh.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
            } catch (ProcessDied | org.azuremail.storage.StorageException broken) {
                assertThat(faults.calls()).isEqualTo(call);
            }
            reached = faults.calls() >= call;
            fresh.restart();
            fresh.runToEnd();
            fresh.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
            fresh.runToEnd();
            fresh.assertAccounted(ref, verified("contoso1", 13));
            assertThat(fresh.outcomes(ref).values()).as("at call " + call).containsOnly(Outcome.SENT);
            assertThat(fresh.transport.taken().values()).as("at call " + call).containsOnly(1);
        }
    }

    private Messages.Change change(ListName list, String subject) {
        return new Messages.Change(
                list,
                subject,
                null,
                null,
                new Schedule(world.time.instant().plus(Duration.ofDays(2)), ZoneOffset.UTC),
                OnUnknown.HOLD);
    }
}
