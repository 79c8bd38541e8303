package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Hold;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.leave.EraseResult;
import org.azuremail.subscription.subscriber.Origin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The message's row is true; {@code .active}, {@code .drafts} and {@code .ref} follow it, whoever dies or is late. */
class WhereMessagesStandTests {

    private static final Duration A_WHILE = Duration.ofMinutes(2);

    private SimulatedWorld world;
    private ListName news;
    private ListName other;
    private MessageRef ref;

    /** The changes that a person makes to a message that is due in three days. */
    private enum Edit {
        LIST(false, true, 0, Hold.AS_IT_WAS),
        DATE(false, false, 1, Hold.AS_IT_WAS),
        EARLIER(false, false, -1, Hold.AS_IT_WAS),
        LIST_AND_DATE(false, true, 1, Hold.AS_IT_WAS),
        TO_DRAFT(false, true, 0, Hold.DRAFT),
        TO_DRAFT_ON_ANOTHER_DAY(false, false, 1, Hold.DRAFT),
        FROM_DRAFT(true, true, 0, Hold.RELEASED),
        FROM_DRAFT_TO_ANOTHER_DAY(true, false, 1, Hold.RELEASED),
        DRAFT_TO_ANOTHER_DAY(true, true, 1, Hold.DRAFT);

        private final boolean draftBefore;
        private final boolean otherList;
        private final int daysLater;
        private final Hold hold;

        Edit(boolean draftBefore, boolean otherList, int daysLater, Hold hold) {
            this.draftBefore = draftBefore;
            this.otherList = otherList;
            this.daysLater = daysLater;
            this.hold = hold;
        }
    }

    private void begin(boolean draft) {
        world = new SimulatedWorld();
        news = world.list("contoso1", 2, 0);
        other = world.list("fabrikam1", 3, 0);
        Schedule due = new Schedule(world.time.instant().plus(Duration.ofDays(3)), ZoneOffset.UTC);
        Messages.Creation creation = world.process.messages.create(new Messages.NewMessage(
                news, Draft.of("News", "<p>Hello</p>", null), due, OnUnknown.HOLD, "test", draft));
        ref = ((Messages.Creation.Created) creation).message().ref();
    }

    private Messages.Editing edit(SimulatedProcess web, Edit edit) {
        Versioned<Message> form = web.messages.findActive(ref).orElse(null);
        if (form == null) {
            return new Messages.Editing.Missing();
        }
        Schedule schedule =
                new Schedule(form.value().scheduledDate().plus(Duration.ofDays(edit.daysLater)), ZoneOffset.UTC);
        return web.messages.edit(
                ref,
                form.etag(),
                new Messages.Change(
                        Audience.of(edit.otherList ? other : news),
                        "Changed",
                        null,
                        null,
                        null,
                        null,
                        schedule,
                        OnUnknown.HOLD,
                        null,
                        edit.hold));
    }

    @ParameterizedTest
    @EnumSource(Edit.class)
    void anEditThatBreaksOffAtAnyCallIsPutRightByTheNextLooks(Edit edit) {
        for (Mode mode : Mode.values()) {
            boolean reached = true;
            for (long call = 1; reached; call++) {
                begin(edit.draftBefore);
                Faults faults = new Faults(mode, call, () -> {});
                SimulatedProcess web = world.restart(faults);
                try {
                    edit(web, edit);
                } catch (ProcessDied | StorageException broken) {
                    assertThat(faults.calls()).isEqualTo(call);
                }
                reached = faults.calls() >= call;
                world.restart();
                looks();
                assertInOnePlace(edit + ", " + mode + " at call " + call);
                goesOut(edit + ", " + mode + " at call " + call);
            }
        }
    }

    /** Old and new processes may look at any time, and both may be as slow as they like. */
    @ParameterizedTest
    @EnumSource(Edit.class)
    void aLookOfTheSchedulerBetweenAnyTwoCallsOfAnEditLosesNothing(Edit edit) {
        meanwhile(edit, process -> {
            world.time.advance(A_WHILE);
            process.look();
        });
    }

    @ParameterizedTest
    @EnumSource(Edit.class)
    void aSecondEditBetweenAnyTwoCallsOfTheFirstLosesNothing(Edit edit) {
        for (Edit second : List.of(Edit.LIST, Edit.DATE, Edit.TO_DRAFT, Edit.FROM_DRAFT_TO_ANOTHER_DAY)) {
            meanwhile(edit, process -> process.messages
                    .findActive(ref)
                    .filter(found -> found.value().editable())
                    .ifPresent(found -> edit(process, second)));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Edit.class,
            names = {
                "DATE",
                "EARLIER",
                "LIST_AND_DATE",
                "TO_DRAFT_ON_ANOTHER_DAY",
                "FROM_DRAFT_TO_ANOTHER_DAY",
                "DRAFT_TO_ANOTHER_DAY"
            })
    void aMoveThatSleepsWhileTheMessageIsMovedOnLeavesOneRow(Edit edit) {
        for (List<Edit> others : List.of(
                List.of(Edit.DATE),
                List.of(Edit.EARLIER),
                List.of(Edit.TO_DRAFT_ON_ANOTHER_DAY),
                List.of(Edit.DATE, Edit.EARLIER),
                List.of(Edit.DATE, Edit.DATE))) {
            meanwhile(edit, process -> others.forEach(other -> movedOn(process, other)));
        }
    }

    private void movedOn(SimulatedProcess process, Edit edit) {
        world.time.advance(A_WHILE);
        process.look();
        process.messages
                .findActive(ref)
                .filter(found -> found.value().editable())
                .ifPresent(found -> edit(process, edit));
    }

    @Test
    void aMoveThatSleepsUntilTheMessageWasMovedOnAndSentBringsNothingBack() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            begin(false);
            reached = asleep(Edit.DATE, call, process -> {
                movedOn(process, Edit.DATE);
                world.time.advance(Duration.ofDays(9));
                world.runToEnd();
            });
            looks();
            world.time.advance(Duration.ofDays(9));
            world.runToEnd();
            assertThat(world.transport.taken().values()).as("call " + call).containsOnly(1);
            assertThat(world.messageRows()).as("call " + call).isEmpty();
        }
    }

    @Test
    void aMoveThatSleepsUntilTheMessageWasDeletedBringsNothingBack() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            begin(false);
            boolean[] deleted = {false};
            reached = asleep(Edit.DATE, call, process -> {
                process.look();
                deleted[0] = process.messageStore
                        .findActive(ref)
                        .map(process.messageStore::delete)
                        .orElse(false);
            });
            looks();
            assertThat(world.process.messages.findActive(ref).isEmpty())
                    .as("call " + call)
                    .isEqualTo(deleted[0]);
            List<Row> rows = Rows.all(world.storage.tables(), MessageStore.MESSAGE, KeyRange.partitions("0", "a"));
            assertThat(rows).as("call " + call).hasSize(deleted[0] ? 0 : 1);
        }
    }

    private void meanwhile(Edit edit, Consumer<SimulatedProcess> act) {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            begin(edit.draftBefore);
            reached = asleep(edit, call, act);
            looks();
            assertInOnePlace(edit + " at call " + call);
            goesOut(edit + " at call " + call);
        }
    }

    /**
     * An edit that sleeps before one of its calls.
     *
     * @return whether it has that many
     */
    private boolean asleep(Edit edit, int call, Consumer<SimulatedProcess> meanwhile) {
        SimulatedProcess web = world.process;
        SimulatedProcess second = world.restart();
        int[] calls = {0};
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call next) {
                if (++calls[0] == call) {
                    meanwhile.accept(second);
                }
            }
        });
        edit(web, edit);
        world.storage.hook(CallHook.NONE);
        return calls[0] >= call;
    }

    /** Runs the daily sweeps, and those of Mondays. */
    private void sweep() {
        world.process.messageStore.sweepDrafts(world.time.instant());
        try {
            world.process.bodySweep.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void looks() {
        for (int look = 0; look < 3; look++) {
            world.time.advance(A_WHILE);
            world.process.look();
        }
    }

    /** One row, and one index row, which says what the row says. */
    private void assertInOnePlace(String when) {
        MessageStore store = world.process.messageStore;
        List<Row> rows = Rows.all(world.storage.tables(), MessageStore.MESSAGE, KeyRange.partitions("0", "a"));
        assertThat(rows).as(when).hasSize(1);
        Message message = store.findActive(ref).orElseThrow().value();
        assertThat(store.unfinished()).as(when).singleElement().satisfies(entry -> {
            assertThat(entry.date()).isEqualTo(message.datePartition());
            assertThat(entry.lists()).isEqualTo(message.lists());
            assertThat(entry.due()).isEqualTo(message.scheduledDate());
        });
        assertThat(store.active()).as(when).hasSize(message.keptAsDraft() ? 0 : 1);
        assertThat(world.process.messages.active()).as(when).containsExactly(message);
    }

    private void goesOut(String when) {
        Message message = world.find(ref);
        if (message.paused()) {
            assertThat(world.process.control.resume(ref)).as(when).isTrue();
        }
        world.time.advance(Duration.ofDays(9));
        world.runToEnd();
        boolean toOther = message.list().equals(other);
        world.assertAccounted(ref, toOther ? verified("fabrikam1", 3) : verified("contoso1", 2));
        assertThat(world.transport.taken().values()).as(when).containsOnly(1);
        sweep();
        assertThat(world.messageRows()).as(when).isEmpty();
    }

    @Test
    void i7_whoLeavesTheListOfAMessageWhoseIndexRowNamesAnotherIsNotMailed() {
        begin(false);
        world.time.advance(Duration.ofDays(3));
        world.process.look();
        world.process.drain(world.process.fanOut);
        nameInIndex(other);
        List<String> left = new ArrayList<>();
        world.transport.afterHandOver(() -> {
            if (left.isEmpty()) {
                left.addAll(verified("contoso1", 2));
                left.removeIf(address -> world.transport.timesTaken(ref.toString(), address) > 0);
                left.forEach(address -> world.leave(news, address));
            }
        });

        assertThat(world.process.control.inUse(news)).isTrue();
        assertThat(world.process.control.inUse(other)).isFalse();
        world.process.drain(world.process.sender);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 2));
        assertThat(left).allSatisfy(address -> assertThat(world.transport.timesTaken(ref.toString(), address))
                .isZero());
    }

    private void nameInIndex(ListName wrong) {
        TableStore tables = world.storage.tables();
        Row row = tables.get(MessageStore.MESSAGE, MessageStore.ACTIVE, ref.padded())
                .orElseThrow();
        Values values = row.values().with("ListName", wrong.value());
        tables.write(MessageStore.MESSAGE, MessageStore.ACTIVE, Write.replace(row, values));
    }

    @Test
    void aDraftThatAnOlderVersionKeptInActiveIsListedOnceAndGoesOutWhenItIsSent() {
        begin(true);
        TableStore tables = world.storage.tables();
        Row row = tables.get(MessageStore.MESSAGE, ".drafts", ref.padded()).orElseThrow();
        tables.write(MessageStore.MESSAGE, MessageStore.ACTIVE, Write.insert(row.rowKey(), row.values()));
        tables.write(MessageStore.MESSAGE, ".drafts", Write.delete(row));
        assertThat(world.process.messages.active()).extracting(Message::ref).containsExactly(ref);

        looks();

        assertInOnePlace("put into the index of drafts");
        goesOut("sent");
    }

    @Test
    void anIndexRowOfADraftThatIsNoneGoesWithTheDailySweepAndIsNotLost() {
        begin(true);
        Row draft = world.storage
                .tables()
                .get(MessageStore.MESSAGE, ".drafts", ref.padded())
                .orElseThrow();
        world.process.control.resume(ref);
        TableStore tables = world.storage.tables();
        Row active = tables.get(MessageStore.MESSAGE, MessageStore.ACTIVE, ref.padded())
                .orElseThrow();
        tables.write(MessageStore.MESSAGE, ".drafts", Write.insert(draft.rowKey(), draft.values()));
        tables.write(MessageStore.MESSAGE, MessageStore.ACTIVE, new Write.Delete(ref.padded(), active.etag()));

        world.time.advance(Duration.ofDays(1));
        sweep();

        assertInOnePlace("swept");
        goesOut("swept");
    }

    @ParameterizedTest
    @EnumSource(
            value = Edit.class,
            names = {"DATE", "LIST_AND_DATE", "DRAFT_TO_ANOTHER_DAY"})
    void theBodyOfAMessageThatIsBeingMovedIsNotSweptWhereverTheMoveBrokeOff(Edit edit) {
        boolean reached = true;
        for (long call = 1; reached; call++) {
            begin(edit.draftBefore);
            Faults faults = new Faults(Mode.DIES_BEFORE, call, () -> {});
            SimulatedProcess web = world.restart(faults);
            try {
                edit(web, edit);
            } catch (ProcessDied broken) {
                assertThat(faults.calls()).isEqualTo(call);
            }
            reached = faults.calls() >= call;
            world.restart();
            world.time.advance(Duration.ofDays(2));
            sweep();
            looks();
            Message message = world.find(ref);
            assertThat(world.process.messages.bodies(message))
                    .as("call " + call)
                    .isPresent();
        }
    }

    @Test
    void erasingWaitsForNoDraftAndForNoMessageThatIsOnlyScheduled() {
        begin(true);
        MessageRef scheduled =
                world.message(news, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(1)));
        Subscriptions subscriptions = world.process.feature.subscriptions();
        assertThat(subscriptions.erase(news, new EmailAddress("v00@contoso1.test"), Origin.admin("ada")))
                .isEqualTo(EraseResult.ERASED);

        world.time.advance(Duration.ofDays(1));
        world.process.look();
        world.process.drain(world.process.fanOut);
        assertThat(subscriptions.erase(news, new EmailAddress("v01@contoso1.test"), Origin.admin("ada")))
                .isEqualTo(EraseResult.SCHEDULED);
        world.runToEnd();

        assertThat(world.outcomes(scheduled))
                .containsOnlyKeys("v01@contoso1.test")
                .containsValue(Outcome.SKIPPED);
        assertThat(world.transport.taken()).isEmpty();
    }

    @Test
    void deletingAListEndsItsDraftsAndWhatIsScheduledAtOnce() {
        begin(true);
        world.list("empty1", 0, 0);
        MessageRef scheduled =
                world.message(news, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(1)));

        assertThat(world.process.control.release(news)).isTrue();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.FAILED);
        assertThat(world.find(scheduled).status()).isEqualTo(MessageStatus.FAILED);
        assertThat(world.process.messageStore.unfinished()).isEmpty();
    }

    @Test
    void aDraftDoesNotKeepTheSchedulerFromResting() {
        begin(true);
        world.process.look();

        assertThat(world.process.dueMessages.active()).isFalse();
        assertThat(world.process.dueMessages.restWhenAlone()).isGreaterThan(Duration.ofHours(1));
        assertThat(world.process.messageStore.active()).isEmpty();
    }
}
