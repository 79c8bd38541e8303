package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Hold;
import org.azuremail.message.Schedule;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that the message's row is right after every edit, and that {@code .active}, {@code .drafts} and {@code .ref}
 * follow it, even if a process dies or is late.
 */
class WhereMessagesStandIT extends OnMessageRows {

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

    private Messages.MessageEditResult edit(SimulatedProcess web, Edit edit) {
        Versioned<Message> form = web.messages.findActive(ref).orElse(null);
        if (form == null) {
            return new Messages.MessageEditResult.Missing();
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

    /** Old and new processes may run at any time, and either may be slow. */
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
     * Makes an edit that sleeps before one of its calls.
     *
     * @return whether it makes that many calls
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
}
