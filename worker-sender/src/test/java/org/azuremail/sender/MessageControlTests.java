package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.MessagesInTests;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the changes that people make to messages that wait or are being sent. */
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
    void ofTwoWhoCreateTheSameMessageTheSecondIsShownTheFirst() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);

        Messages.MessageCreateResult second = world.process.messages.create(
                ref,
                new Messages.NewMessage(
                        Audience.of(list),
                        Draft.of("Another subject", "<p>Hello</p>", null),
                        new Schedule(world.time.instant(), ZoneOffset.UTC),
                        OnUnknown.HOLD,
                        null,
                        "test",
                        false,
                        false));

        assertThat(second).isInstanceOfSatisfying(Messages.MessageCreateResult.Exists.class, exists -> assertThat(
                        exists.message().subject())
                .startsWith("News for"));
    }

    @Test
    void e16_defect3_aMessageWhoseListIsDeletedBeforeItsDateFailsWithTheReason() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(2)));

        world.process.lists.markDeleting(list);
        world.process.turn();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.FAILED);
        assertThat(world.find(ref).result().reason())
                .asString()
                .contains("contoso1")
                .contains("no longer exists");
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
        Messages.MessageEditResult editing = world.process.messages.edit(ref, form.etag(), change(list, "Changed"));

        assertThat(editing).isInstanceOf(Messages.MessageEditResult.NotEditable.class);
        assertThat(world.process.messages.delete(form)).isFalse();
        assertThat(world.find(ref).subject()).isEqualTo("News for {{name|you}}");
    }

    @Test
    void e19_theSecondOfTwoEditorsSeesWhatTheFirstSaved() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(2)));
        String form = world.process.messages.findActive(ref).orElseThrow().etag();

        assertThat(world.process.messages.edit(ref, form, change(list, "First")))
                .isInstanceOf(Messages.MessageEditResult.Edited.class);
        Messages.MessageEditResult second = world.process.messages.edit(ref, form, change(list, "Second"));

        assertThat(second).isInstanceOfSatisfying(Messages.MessageEditResult.Conflict.class, conflict -> {
            assertThat(conflict.current().value().subject()).isEqualTo("First");
            assertThat(world.process.messages.edit(ref, conflict.current().etag(), change(list, "Second")))
                    .isInstanceOf(Messages.MessageEditResult.Edited.class);
        });
        assertThat(world.find(ref).subject()).isEqualTo("Second");
    }

    @Test
    void movingAMessageToAnotherDayKeepsItsRefAndSendsItOnce() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(2)));
        Versioned<Message> form = world.process.messages.findActive(ref).orElseThrow();
        Messages.Change sooner = MessagesInTests.change(
                list,
                "Sooner",
                null,
                null,
                new Schedule(world.time.instant().plus(Duration.ofHours(20)), ZoneOffset.UTC),
                OnUnknown.HOLD);

        assertThat(world.process.messages.edit(ref, form.etag(), sooner))
                .isInstanceOf(Messages.MessageEditResult.Edited.class);
        world.time.advance(Duration.ofDays(3));
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 2));
        assertThat(world.transport.taken().values()).containsOnly(1);
        assertThat(world.messageRows()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aMoveThatBreaksOffAtAnyCallIsFinishedByTheScheduler(Mode mode) {
        boolean happened = true;
        for (long call = 1; happened; call++) {
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
                        ref, form.etag(), MessagesInTests.change(list, "Later", null, null, later, OnUnknown.HOLD));
            } catch (ProcessDied | org.azuremail.storage.StorageException broken) {
                assertThat(faults.calls()).isEqualTo(call);
            }
            happened = faults.calls() >= call;
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
        Versioned<Message> pending = world.process.messages.findActive(ref).orElseThrow();
        List<Boolean> rowIsGone = new ArrayList<>();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.DELETE_BLOB) {
                    rowIsGone.add(world.process.messages.findActive(ref).isEmpty());
                }
            }
        });

        assertThat(world.process.messages.delete(pending)).isTrue();

        assertThat(rowIsGone).isNotEmpty().containsOnly(true);

        assertThat(world.process.messages.find(ref)).isEmpty();
        assertThat(world.storage.blobs().read(MessageBlobs.CONTAINER, MessageBlobs.htmlName(ref, 0)))
                .isEmpty();
        assertThat(world.process.messageStore.active()).isEmpty();
    }

    @Test
    void defect11_bodiesThatNoMessageNamesGoAfterADay() throws Exception {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef kept =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(9)));
        world.process.blobs.put(new MessageRef(999), 0, new MessageBlobs.Bodies("<p>x</p>", "x"), null);
        List<String> noBodies = List.of("1readme", "readme.txt");
        for (String noBody : noBodies) {
            world.storage.blobs().put(MessageBlobs.CONTAINER, noBody, new byte[1], BlobStore.ALWAYS);
        }

        world.process.bodySweep.run();
        assertThat(world.process.blobs.read(new MessageRef(999), 0)).isPresent();
        world.time.advance(Duration.ofDays(2));
        world.process.bodySweep.run();

        assertThat(world.process.blobs.read(new MessageRef(999), 0)).isEmpty();
        assertThat(world.process.blobs.read(kept, 0)).isPresent();
        for (String noBody : noBodies) {
            assertThat(world.storage.blobs().read(MessageBlobs.CONTAINER, noBody))
                    .isPresent();
        }
    }

    /** A service has sent thousands of messages after some years, and an idle one must not read each of them daily. */
    @Test
    void theSweepOfBodiesReadsNoFinalMessageByItself() throws Exception {
        ListName nobody = world.list("contoso1", 2, 0);
        List<MessageRef> sent = IntStream.range(0, 20)
                .mapToObj(i -> world.message(nobody, OnUnknown.HOLD))
                .toList();
        world.runToEnd();
        assertThat(sent).allMatch(ref -> world.find(ref).status().ended());
        world.process.blobs.put(sent.get(3), 5, new MessageBlobs.Bodies("<p>x</p>", "x"), null);
        world.time.advance(Duration.ofDays(2));
        world.storage.resetCounters();

        world.process.bodySweep.run();

        assertThat(world.storage.calls(Call.Kind.GET)).isLessThan(sent.size());
        assertThat(world.process.blobs.read(sent.get(3), 5)).isEmpty();
        assertThat(sent).allMatch(ref -> world.process.blobs.read(ref, 0).isPresent());
    }

    @Test
    void aMessageThatIsCreatedTooLateLeavesItsBodiesAlone() throws Exception {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref = world.process.messages.nextRef();
        assertThat(world.process.messages.create(ref, wanted(list, "first")))
                .isInstanceOf(Messages.MessageCreateResult.Created.class);

        Messages.MessageCreateResult late = world.process.messages.create(ref, wanted(list, "second"));

        assertThat(late).isInstanceOf(Messages.MessageCreateResult.Exists.class);
        assertThat(world.find(ref).subject()).isEqualTo("first");
        assertThat(world.process.messages.bodies(world.find(ref)).orElseThrow().html())
                .contains("first");
        assertThat(world.storage.blobs().stream(MessageBlobs.CONTAINER, ref.toString()))
                .hasSize(2);
    }

    /** The other process deletes its message just after it is found. */
    @Test
    void aMessageThatIsCreatedTooLateForOneThatIsDeletedLeavesNothing() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref = world.process.messages.nextRef();
        world.process.messages.create(ref, wanted(list, "first"));
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE
                        && call.place().equals(MessageStore.MESSAGE)
                        && call.description().contains("message" + ref.padded())) {
                    world.storage.hook(CallHook.NONE);
                    world.process.messages.delete(
                            world.process.messages.findActive(ref).orElseThrow());
                }
            }
        });

        Messages.MessageCreateResult late = world.process.messages.create(ref, wanted(list, "second"));

        assertThat(late).isInstanceOf(Messages.MessageCreateResult.Unwanted.class);
        assertThat(world.process.messages.find(ref)).isEmpty();
        assertThat(world.storage.blobs().stream(MessageBlobs.CONTAINER, ref.toString()))
                .isEmpty();
    }

    @Test
    void aMessageIsFoundWithTwoReadsEvenIfItMayBeMoving() {
        MessageRef ref = world.message(world.list("contoso1", 2, 0), OnUnknown.HOLD);
        long before = world.storage.calls();

        assertThat(world.process.messageStore.findIncludingMoving(ref)).isPresent();

        assertThat(world.storage.calls() - before).isEqualTo(2);
    }

    /** The first process to store the row wins, although the other one stored its bodies earlier. */
    @Test
    void bodiesThatWereStoredFirstBelongToTheirWriterAlone() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref = world.process.messages.nextRef();
        MessageBlobs.Bodies strange = new MessageBlobs.Bodies("<p>strange</p>", "strange");
        world.process.blobs.putNew(ref, () -> 9, strange, null);

        world.process.messages.create(ref, wanted(list, "ours"));

        assertThat(world.process.messages.bodies(world.find(ref)).orElseThrow().html())
                .contains("ours");
        assertThat(world.process.blobs.read(ref, 0)).contains(strange);
    }

    private Messages.NewMessage wanted(ListName list, String text) {
        return new Messages.NewMessage(
                list,
                Draft.of(text, "<p>" + text + "</p>", null),
                new Schedule(world.time.instant().plus(Duration.ofDays(9)), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "test",
                false);
    }

    @Test
    void e23_aBodyOfOneMegabyteIsSent() {
        ListName list = world.list("contoso1", 1, 0);
        String html = "<html><body><p>" + "x".repeat(1024 * 1024) + "</p></body></html>";

        Messages.MessageCreateResult creation = world.process.messages.create(new Messages.NewMessage(
                list,
                Draft.of("Long", html, null),
                new Schedule(world.time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "test",
                false));
        world.runToEnd();

        MessageRef ref =
                ((Messages.MessageCreateResult.Created) creation).message().ref();
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

    private Messages.Change change(ListName list, String subject) {
        return MessagesInTests.change(
                list,
                subject,
                null,
                null,
                new Schedule(world.time.instant().plus(Duration.ofDays(2)), ZoneOffset.UTC),
                OnUnknown.HOLD);
    }
}
