package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.delivery.Reopening;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.Confirmations;
import org.azuremail.subscription.LeaveResult;
import org.azuremail.subscription.Origin;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What people do, put at every storage call of a campaign: by another process, before the call takes effect. Afterwards I1 to I4
 * and I7 hold, nobody is in doubt since no process died, and nothing is left over.
 */
class ActsAtEveryPointIT {

    private static final int RECIPIENTS = 13;
    private static final EmailAddress LEAVER = new EmailAddress("v07@crowd.test");
    private static final EmailAddress MOVER = new EmailAddress("v05@crowd.test");
    private static final EmailAddress MOVED = new EmailAddress("w05@crowd.test");
    private static final EmailAddress REFUSED = new EmailAddress("v03@crowd.test");
    private static final Set<String> NOT_ALL_THE_TIME = Set.of(LEAVER.value(), MOVER.value(), MOVED.value());

    /** What somebody does. */
    enum Act {
        PAUSE,
        CANCEL,
        LEAVE,
        CHANGE_ADDRESS,
        SEND_TO_THE_MISSING,
        SEND_AGAIN_TO_ONE,
        DELETE_LIST
    }

    @ParameterizedTest
    @EnumSource
    void anActAtEveryStorageCall(Act act) {
        long calls = new Campaign(act, Long.MAX_VALUE).run();
        int done = 0;
        for (long call = 1; call <= calls; call++) {
            Campaign campaign = new Campaign(act, call);
            try {
                campaign.run();
                campaign.check();
                done += campaign.done ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(act + " at call " + call + " of " + calls, e);
            }
        }
        System.out.printf("acts: %s at %d calls, done at %d of them%n", act, calls, done);
        assertThat(calls).isGreaterThan(80);
        assertThat(done).isPositive();
    }

    private static final class Campaign implements CallHook {

        private final SimulatedWorld world = new SimulatedWorld();
        private final Act act;
        private final long at;
        private final ListName list;
        private final MessageRef ref;
        private final SimulatedProcess web;
        private long calls;
        private boolean acting;
        private boolean done;
        private boolean paused;
        private boolean failedThen;
        private int takenThen;

        Campaign(Act act, long at) {
            this.act = act;
            this.at = at;
            list = world.list("crowd", RECIPIENTS, 4);
            ref = world.message(list, OnUnknown.HOLD);
            web = new SimulatedProcess(
                    world.storage.storage(),
                    world.time,
                    world.ids,
                    SimulatedWorld.SMALL,
                    world.transport,
                    mails -> Wait.NONE);
            if (sendsAgain()) {
                world.transport.answer(
                        (mail, attempt) -> attempt == 1 && mail.to().address().equals(REFUSED)
                                ? new Answer.Refused("no such user")
                                : new Answer.Accepted("id"));
            }
        }

        private boolean sendsAgain() {
            return act == Act.SEND_TO_THE_MISSING || act == Act.SEND_AGAIN_TO_ONE;
        }

        @Override
        public void before(Call call) {
            if (!acting && ++calls == at) {
                acting = true;
                act();
                acting = false;
            }
        }

        private void act() {
            failedThen = outcomesSoFar().get(REFUSED.value()) == Outcome.FAILED;
            switch (act) {
                case PAUSE -> {
                    web.control.pause(ref, "");
                    paused = true;
                    done = true;
                }
                case CANCEL -> {
                    web.control.cancel(ref);
                    done = true;
                }
                case LEAVE -> {
                    done = web.feature.subscriptions().leave(list, LEAVER, Origin.link(null))
                            instanceof LeaveResult.Left;
                    takenThen = taken(LEAVER);
                }
                case CHANGE_ADDRESS -> {
                    var there = web.lists
                            .findActive(list)
                            .flatMap(found -> web.feature.store().find(found, MOVER));
                    there.ifPresent(row -> web.feature
                            .subscriptions()
                            .changeAddress(list, MOVER, row.etag(), MOVED, Origin.admin("ada")));
                    done = there.isPresent();
                    takenThen = taken(MOVER);
                }
                case SEND_TO_THE_MISSING ->
                    sendAgain(web.reopening.reopen(ref, Set.of(Outcome.FAILED, Outcome.UNKNOWN)));
                case SEND_AGAIN_TO_ONE -> sendAgain(web.reopening.reopen(ref, REFUSED));
                case DELETE_LIST -> done = web.listDeletion.begin(list);
            }
        }

        private void sendAgain(Reopening.Answer answer) {
            done = answer == Reopening.Answer.REOPENED;
        }

        private Map<String, Outcome> outcomesSoFar() {
            return web.messages.find(ref).isEmpty() ? Map.of() : world.outcomes(ref);
        }

        private int taken(EmailAddress address) {
            return world.transport.timesTaken(ref.toString(), address.value());
        }

        long run() {
            world.storage.hook(this);
            for (int turn = 0; turn < 60 && !world.process.messageStore.active().isEmpty(); turn++) {
                world.process.turn();
                resume(turn);
                if (done && act == Act.DELETE_LIST) {
                    deleteTheRest();
                }
                world.time.advance(Duration.ofSeconds(10));
            }
            world.storage.hook(CallHook.NONE);
            assertThat(world.process.messageStore.active()).as("not final").isEmpty();
            for (int round = 0; done && act == Act.DELETE_LIST && round < 5; round++) {
                deleteTheRest();
                world.time.advance(Duration.ofMinutes(2));
            }
            return calls;
        }

        /** Whoever paused it looks again after some time. */
        private void resume(int turn) {
            if (paused && turn % 3 == 2) {
                web.control.resume(ref);
                paused = false;
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
            List<String> whole = new ArrayList<>(SimulatedWorld.verified("crowd", RECIPIENTS));
            whole.removeAll(NOT_ALL_THE_TIME);
            if (act != Act.CANCEL && act != Act.DELETE_LIST) {
                assertThat(message.status()).isEqualTo(MessageStatus.COMPLETED);
            }
            if (message.status() == MessageStatus.COMPLETED) {
                assertThat(outcomes.keySet()).containsAll(whole);
            }
            assertThat(message.recipients()).isEqualTo(outcomes.size());
            assertThat(message.counts().sum()).isEqualTo(outcomes.size());
            assertThat(message.counts().sent()).isEqualTo(SimulatedWorld.count(outcomes, Outcome.SENT));
            assertThat(message.counts().unknown())
                    .as("in doubt, though nobody died")
                    .isZero();
            outcomes.forEach((address, outcome) -> assertThat(world.transport.timesTaken(ref.toString(), address))
                    .as(address + " is " + outcome)
                    .isEqualTo(outcome == Outcome.SENT ? 1 : 0));
            assertThat(world.transport.taken().values()).as("times taken").allMatch(times -> times == 1);
            if (done && (act == Act.LEAVE || act == Act.CHANGE_ADDRESS)) {
                assertThat(taken(act == Act.LEAVE ? LEAVER : MOVER))
                        .as("handed over after leaving")
                        .isEqualTo(takenThen);
            }
            assertThat(taken(MOVER) + taken(MOVED))
                    .as("mails to one subscriber")
                    .isLessThanOrEqualTo(1);
            if (sendsAgain()) {
                assertThat(outcomes.get(REFUSED.value()))
                        .as("who had failed is sent to again, nobody else")
                        .isEqualTo(done && failedThen ? Outcome.SENT : Outcome.FAILED);
            }
            if (done && act == Act.DELETE_LIST) {
                assertThat(web.lists.find(list)).as("the list's row").isEmpty();
            }
            assertThat(world.messageRows())
                    .as("rows left over")
                    .allMatch(row -> Confirmations.isIndexRow(row.rowKey()));
            assertThat(world.deadLetters()).isEmpty();
        }
    }
}
