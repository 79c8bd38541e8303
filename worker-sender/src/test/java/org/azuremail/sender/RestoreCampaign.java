package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.MessagesInTests;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;

/**
 * A campaign with everything that a restore has to handle: a message that is being sent, with an unsubscription and a
 * reopening, one that is cancelled, one that becomes due in the middle, and one for another day whose date is changed.
 * It is backed up at one of its storage calls and runs to its end. Then the storage is restored from the backup, but
 * the provider's record is not.
 */
final class RestoreCampaign {

    static final String LEAVER = "v03@first.test";
    private static final String REFUSED = "v05@first.test";
    private static final Map<String, Integer> VERIFIED = Map.of("first", 13, "second", 9, "third", 4);

    final OnUnknown onUnknown;
    final SimulatedWorld before = new SimulatedWorld();
    final Map<String, MessageRef> messages = new TreeMap<>();
    SimulatedWorld world = before;
    RestoreMark mark = new RestoreMark(Optional.empty());
    private long first;
    private long last;
    private SimulatedStorage backup = before.storage;
    private Instant backupAt = before.time.instant();
    private final Map<String, Map<String, Outcome>> known = new TreeMap<>();
    private Map<String, Integer> takenBefore = Map.of();
    private int handOversBefore;

    RestoreCampaign(OnUnknown onUnknown) {
        this.onUnknown = onUnknown;
        before.transport.answer(
                (mail, attempt) -> attempt == 1 && mail.to().address().equals(REFUSED)
                        ? new Answer.Refused("no such user")
                        : new Answer.Accepted("id"));
    }

    /** Runs the campaign without a backup, and returns the number of its calls. */
    long calls() {
        run(-1);
        return last - first;
    }

    /** Runs the campaign, makes a backup after the call, and restores it. */
    RestoreCampaign backedUpAt(long call) {
        run(call);
        mark = new RestoreMark(Optional.of(backupAt));
        world = before.with(backup);
        takenBefore = new TreeMap<>(before.transport.taken());
        handOversBefore = before.transport.handOvers();
        messages.forEach((name, ref) -> known.put(name, beingMoved(ref) ? Map.of() : world.outcomes(ref)));
        return this;
    }

    private boolean beingMoved(MessageRef ref) {
        return world.process.messages.find(ref).isEmpty();
    }

    private void run(long backedUp) {
        ListName one = before.list("first", 13, 2);
        ListName two = before.list("second", 9, 0);
        ListName three = before.list("third", 4, 0);
        messages.put("first", before.message(one, onUnknown));
        messages.put("cancelled", before.message(two, onUnknown));
        messages.put("soon", before.message(three, onUnknown, in(Duration.ofSeconds(45))));
        messages.put("later", before.message(three, onUnknown, in(Duration.ofDays(1))));
        first = before.storage.calls();
        before.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.number() == first + backedUp) {
                    backup = before.storage.copy();
                    backupAt = before.time.instant();
                }
            }
        });
        campaign(one, three);
        before.storage.hook(CallHook.NONE);
        last = before.storage.calls();
    }

    private void campaign(ListName one, ListName three) {
        SimulatedProcess process = before.process;
        process.look();
        process.drain(process.fanOut);
        process.receive(process.sender, 2).forEach(item -> process.handle(process.sender, item));
        before.leave(one, LEAVER);
        process.control.cancel(messages.get("cancelled"));
        postpone(three);
        turnUntilOnlyLaterIsLeft();
        process.reopening.reopen(messages.get("first"), Set.of(Outcome.FAILED));
        turnUntilOnlyLaterIsLeft();
    }

    private void postpone(ListName three) {
        Versioned<Message> later =
                before.process.messages.findActive(messages.get("later")).orElseThrow();
        Messages.MessageEditResult edited = before.process.messages.edit(
                later.value().ref(),
                later.etag(),
                MessagesInTests.change(
                        three,
                        later.value().subject(),
                        null,
                        null,
                        new Schedule(in(Duration.ofDays(2)), ZoneOffset.UTC),
                        onUnknown));
        assertThat(edited).isInstanceOf(Messages.MessageEditResult.Edited.class);
    }

    private void turnUntilOnlyLaterIsLeft() {
        for (int turn = 0; turn < 60 && before.process.messageStore.active().size() > 1; turn++) {
            before.process.turn();
            before.time.advance(Duration.ofSeconds(10));
        }
        assertThat(before.process.messageStore.active()).hasSize(1);
    }

    /** Starts a process on the restored storage. */
    void reckon() {
        world.process.restoreGuard(mark).afterSingletonsInstantiated();
    }

    /** Checks that no email is sent, and no outcome changes, until a person resumes the messages. */
    void assertNothingMovesByItself() {
        for (int turn = 0; turn < 15; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
        assertThat(world.transport.handOvers()).isEqualTo(handOversBefore);
        messages.forEach((name, ref) -> {
            Message message = world.find(ref);
            assertThat(message.paused() || message.status().ended()).as(name).isTrue();
            if (message.paused()) {
                assertThat(message.state().pauseReason()).asString().contains("restored from a backup of " + backupAt);
                assertThat(world.outcomes(ref)).as(name).isEqualTo(known.get(name));
            }
        });
    }

    void resumeAll() {
        messages.values().forEach(world.process.control::resume);
    }

    void toTheEnd() {
        resumeAll();
        world.time.advance(Duration.ofDays(3));
        world.runToEnd();
    }

    void check() {
        messages.forEach(this::checkAccounted);
        messages.forEach((name, ref) -> world.outcomes(ref).forEach((address, outcome) -> {
            checkOnce(name, ref, address, outcome);
            checkKept(name, address, outcome);
        }));
        checkDepartureKept();
        assertThat(world.messageRows()).as("messages and e-mail rows left over").isEmpty();
        assertThat(world.process.thrown).isEmpty();
        assertThat(mark.madeAt()).isEmpty();
    }

    /** Checks I1 and I3. */
    private void checkAccounted(String name, MessageRef ref) {
        Message message = world.find(ref);
        Map<String, Outcome> outcomes = world.outcomes(ref);
        List<String> expected = new ArrayList<>(SimulatedWorld.verified(
                message.list().value(), VERIFIED.get(message.list().value())));
        if (name.equals("first") && !outcomes.containsKey(LEAVER)) {
            assertThat(subscribed()).as("who is not counted has left").isFalse();
            expected.remove(LEAVER);
        }
        assertThat(message.status()).isIn(MessageStatus.COMPLETED, MessageStatus.CANCELLED);
        assertThat(outcomes.keySet()).as(name).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(message.result().recipients()).isEqualTo(expected.size());
        assertThat(message.result().counts().sent()).isEqualTo(SimulatedWorld.count(outcomes, Outcome.SENT));
        assertThat(message.result().counts().failed()).isEqualTo(SimulatedWorld.count(outcomes, Outcome.FAILED));
        assertThat(message.result().counts().skipped()).isEqualTo(SimulatedWorld.count(outcomes, Outcome.SKIPPED));
        assertThat(message.result().counts().unknown()).isEqualTo(SimulatedWorld.count(outcomes, Outcome.UNKNOWN));
    }

    /** Checks I2, by the provider's own record. */
    private void checkOnce(String name, MessageRef ref, String address, Outcome outcome) {
        int times = world.transport.timesTaken(ref.toString(), address);
        String who = address + " of " + name;
        assertThat(times).as(who).isLessThanOrEqualTo(onUnknown == OnUnknown.HOLD || name.equals("later") ? 1 : 2);
        if (outcome == Outcome.SENT) {
            assertThat(times).as("Sent, so taken: " + who).isPositive();
        }
        if (outcome == Outcome.SKIPPED || (outcome == Outcome.FAILED && !address.equals(REFUSED))) {
            assertThat(times).as(outcome + ", so not taken: " + who).isZero();
        }
        if (name.equals("later")) {
            assertThat(outcome).as("was never due: " + who).isEqualTo(Outcome.SENT);
        }
    }

    private void checkKept(String name, String address, Outcome outcome) {
        Outcome stood = known.get(name).get(address);
        if (stood != null && !(stood == Outcome.FAILED && address.equals(REFUSED))) {
            assertThat(outcome)
                    .as("what the backup knew of " + address + " of " + name)
                    .isEqualTo(stood);
        }
    }

    /** Checks I7 for an unsubscription that the backup contains. */
    private void checkDepartureKept() {
        String key = messages.get("first") + " " + LEAVER;
        if (!subscribed()) {
            assertThat(world.transport.taken().getOrDefault(key, 0)).isEqualTo(takenBefore.getOrDefault(key, 0));
        }
    }

    private boolean subscribed() {
        ListName list = world.find(messages.get("first")).list();
        return world.process
                .subscriptions
                .find(world.process.lists.find(list).orElseThrow().value(), new EmailAddress(LEAVER))
                .orElseThrow()
                .value()
                .verified();
    }

    private Instant in(Duration duration) {
        return before.time.instant().plus(duration);
    }
}
