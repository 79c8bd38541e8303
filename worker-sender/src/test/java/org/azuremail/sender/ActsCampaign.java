package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.limit.RateLimitWait;
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
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.SubscriberChores;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;

/**
 * A campaign of one message during which people act at numbered points. Each storage call has two points, one before
 * and one after it.
 */
final class ActsCampaign implements CallHook {

    private static final int RECIPIENTS = 13;
    private static final EmailAddress LEAVER = new EmailAddress("v07@crowd.test");
    private static final EmailAddress MOVER = new EmailAddress("v05@crowd.test");
    private static final EmailAddress MOVED = new EmailAddress("w05@crowd.test");
    private static final EmailAddress REFUSED = new EmailAddress("v03@crowd.test");
    private static final Set<String> NOT_ALL_THE_TIME = Set.of(LEAVER.value(), MOVER.value(), MOVED.value());

    /** The actions of people. */
    enum Act {
        PAUSE,
        /** Resumes a message that another person paused half-way to this point. */
        RESUME,
        /** Pauses the message and changes its subject. */
        EDIT,
        CANCEL,
        LEAVE,
        CHANGE_ADDRESS,
        SEND_TO_THE_MISSING,
        SEND_AGAIN_TO_ONE,
        DELETE_LIST
    }

    private final SimulatedWorld world = new SimulatedWorld();
    private final List<Act> acts;
    private final List<Long> at;
    private final ListName list;
    private final MessageRef ref;
    private final SimulatedProcess web;
    private final Set<Act> done = EnumSet.noneOf(Act.class);
    private long points;
    private boolean acting;
    private boolean inFlight;
    private boolean paused;
    private boolean failedThen;
    private int leaverThen;
    private int moverThen;

    /** @param at the point at which each action is done */
    ActsCampaign(List<Act> acts, List<Long> at) {
        this.acts = acts;
        this.at = at;
        list = world.list("crowd", RECIPIENTS, 4);
        ref = world.message(list, OnUnknown.HOLD);
        web = new SimulatedProcess(
                world.storage.storage(),
                world.time,
                world.ids,
                SimulatedWorld.SMALL,
                world.transport,
                mails -> RateLimitWait.NONE);
        if (sendsAgain()) {
            world.transport.answer(
                    (mail, attempt) -> attempt == 1 && mail.to().address().equals(REFUSED)
                            ? new Answer.Refused("no such user")
                            : new Answer.Accepted("id"));
        }
    }

    private boolean sendsAgain() {
        return acts.contains(Act.SEND_TO_THE_MISSING) || acts.contains(Act.SEND_AGAIN_TO_ONE);
    }

    boolean done(Act act) {
        return done.contains(act);
    }

    @Override
    public void before(Call call) {
        point(false);
    }

    @Override
    public void after(Call call) {
        point(true);
    }

    /**
     * @param unheard whether the call has taken effect but its answer has not arrived, so a hand-over may have begun
     */
    private void point(boolean unheard) {
        if (acting) {
            return;
        }
        points++;
        acting = true;
        for (int i = 0; i < acts.size(); i++) {
            if (acts.get(i) == Act.RESUME && points == Math.max(1, at.get(i) / 2)) {
                pause();
            }
            if (points == at.get(i)) {
                inFlight = unheard && world.anyHanding();
                act(acts.get(i));
            }
        }
        acting = false;
    }

    private void act(Act act) {
        failedThen = outcomesSoFar().get(REFUSED.value()) == Outcome.FAILED;
        switch (act) {
            case PAUSE -> done(act, pause());
            case RESUME -> done(act, web.control.resume(ref));
            case EDIT -> done(act, pause() && edit());
            case CANCEL -> done(act, web.control.cancel(ref));
            case LEAVE -> {
                done(
                        act,
                        web.feature.subscriptions().leave(list, LEAVER, Origin.link(null)) instanceof LeaveResult.Left);
                leaverThen = taken(LEAVER) + (inFlight ? 1 : 0);
            }
            case CHANGE_ADDRESS -> {
                var existing = web.lists
                        .findActive(list)
                        .flatMap(found -> web.feature.store().find(found, MOVER));
                done(act, existing.isPresent() && changeAddress(existing.get().etag()));
                moverThen = taken(MOVER) + (inFlight ? 1 : 0);
            }
            case SEND_TO_THE_MISSING ->
                done(act, reopened(web.reopening.reopen(ref, Set.of(Outcome.FAILED, Outcome.UNKNOWN))));
            case SEND_AGAIN_TO_ONE -> done(act, reopened(web.reopening.reopen(ref, REFUSED)));
            case DELETE_LIST -> done(act, web.listDeletion.begin(list));
        }
    }

    private void done(Act act, boolean so) {
        if (so) {
            done.add(act);
        }
    }

    private static boolean reopened(Reopening.Answer answer) {
        return answer == Reopening.Answer.REOPENED;
    }

    private boolean pause() {
        boolean so = web.control.pause(ref, Reason.NONE);
        paused |= so;
        return so;
    }

    /** Edits the message. Afterwards, only recipients who were being handed over may still get the old subject. */
    private boolean edit() {
        Versioned<Message> found = web.messages.findActive(ref).orElseThrow();
        Schedule schedule = new Schedule(found.value().scheduledDate(), ZoneOffset.UTC);
        Messages.Change change = MessagesInTests.change(list, "Changed", null, null, schedule, OnUnknown.HOLD);
        boolean edited = web.messages.edit(ref, found.etag(), change) instanceof Messages.MessageEditResult.Edited;
        if (edited && !inFlight) {
            world.transport.subjects().clear();
        }
        return edited && !inFlight;
    }

    private boolean changeAddress(String etag) {
        return web.feature
                        .subscriptions()
                        .move(new Membership(list, MOVER), etag, new Membership(list, MOVED), Origin.admin("ada"))
                instanceof EditResult.Saved;
    }

    private Map<String, Outcome> outcomesSoFar() {
        return web.messages.find(ref).isEmpty() ? Map.of() : world.outcomes(ref);
    }

    private int taken(EmailAddress address) {
        return world.transport.timesTaken(ref.toString(), address.value());
    }

    /** Runs the campaign and returns the number of points. */
    long run() {
        world.storage.hook(this);
        for (int turn = 0; turn < 60 && active(); turn++) {
            world.process.turn();
            resume(turn);
            if (done(Act.DELETE_LIST)) {
                deleteTheRest();
            }
            world.time.advance(Duration.ofSeconds(10));
        }
        world.storage.hook(CallHook.NONE);
        assertThat(world.process.messageStore.active()).as("not final").isEmpty();
        for (int round = 0; done(Act.DELETE_LIST) && round < 5; round++) {
            deleteTheRest();
            world.time.advance(Duration.ofMinutes(2));
        }
        return points;
    }

    /** Returns whether a message is active. The check itself triggers no action. */
    private boolean active() {
        acting = true;
        boolean active = !world.process.messageStore.active().isEmpty();
        acting = false;
        return active;
    }

    /** Resumes a paused message after some turns. */
    private void resume(int turn) {
        if (paused && turn % 3 == 2) {
            paused = false;
            web.control.resume(ref);
        }
    }

    private void deleteTheRest() {
        try {
            world.process.listDeletion.service().run();
        } catch (Exception e) {
            throw new AssertionError("the deletion threw", e);
        }
    }

    void check() {
        Message message = world.find(ref);
        Map<String, Outcome> outcomes = world.outcomes(ref);
        checkRecipients(message, outcomes);
        checkHandOvers(outcomes);
        if (done(Act.EDIT)) {
            assertThat(world.transport.subjects()).as("subjects after the edit").isSubsetOf("Changed");
        }
        if (sendsAgain() && acts.size() == 1) {
            assertThat(outcomes.get(REFUSED.value()))
                    .as("who had failed is sent to again, nobody else")
                    .isEqualTo(!done.isEmpty() && failedThen ? Outcome.SENT : Outcome.FAILED);
        }
        if (done(Act.DELETE_LIST)) {
            assertThat(web.lists.find(list)).as("the list's row").isEmpty();
        }
        assertThat(world.messageRows()).as("rows left over").allMatch(row -> SubscriberChores.isIndexRow(row.rowKey()));
        assertThat(world.deadLetters()).isEmpty();
    }

    private void checkRecipients(Message message, Map<String, Outcome> outcomes) {
        List<String> whole = new ArrayList<>(SimulatedWorld.verified("crowd", RECIPIENTS));
        whole.removeAll(NOT_ALL_THE_TIME);
        if (!done(Act.CANCEL) && !done(Act.DELETE_LIST)) {
            assertThat(message.status()).isEqualTo(MessageStatus.COMPLETED);
        }
        if (message.status() == MessageStatus.COMPLETED) {
            assertThat(outcomes.keySet()).containsAll(whole);
        }
        assertThat(message.result().recipients()).isEqualTo(outcomes.size());
        assertThat(message.result().counts().sum()).isEqualTo(outcomes.size());
        assertThat(message.result().counts().sent()).isEqualTo(SimulatedWorld.count(outcomes, Outcome.SENT));
        assertThat(message.result().counts().unknown())
                .as("in doubt, though nobody died")
                .isZero();
    }

    private void checkHandOvers(Map<String, Outcome> outcomes) {
        outcomes.forEach((address, outcome) -> assertThat(world.transport.timesTaken(ref.toString(), address))
                .as(address + " is " + outcome)
                .isEqualTo(outcome == Outcome.SENT ? 1 : 0));
        assertThat(world.transport.taken().values()).as("times taken").allMatch(times -> times == 1);
        if (done(Act.LEAVE)) {
            assertThat(taken(LEAVER)).as("handed over after leaving").isLessThanOrEqualTo(leaverThen);
        }
        if (done(Act.CHANGE_ADDRESS)) {
            assertThat(taken(MOVER)).as("handed over after moving").isLessThanOrEqualTo(moverThen);
        }
        assertThat(taken(MOVER) + taken(MOVED)).as("mails to one subscriber").isLessThanOrEqualTo(1);
    }
}
