package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.delivery.archive.PendingRecounts;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks a process that changes an outcome of a completed message and dies at each of its storage calls. */
class LateKnowledgeCrashIT {

    private static final int RECIPIENTS = 7;

    private SimulatedWorld world;
    private MessageRef ref;
    private int calls;
    private boolean dead;

    /** A sender freezes in its hand-over. Its lot is given up, and the message is final when it wakes up. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theSumsFollowALateAnswerWhoseSenderDies(boolean afterTheCall) {
        int sent = 0;
        int death = 0;
        do {
            begin(new Answer.Accepted("late"));
            AtomicBoolean once = new AtomicBoolean(true);
            int at = ++death;
            world.transport.afterHandOver(() -> {
                if (once.getAndSet(false)) {
                    SimulatedProcess other = another();
                    world.time.advance(Duration.ofMinutes(3));
                    toTheEnd(other);
                    assertThat(world.outcomes(ref)).containsValue(Outcome.UNKNOWN);
                    diesAt(at, afterTheCall);
                }
            });
            turnsUntilDeath();
            sent += checkAfterwards(at) ? 1 : 0;
        } while (dead);
        assertThat(death).isGreaterThan(10);
        assertThat(sent).as("deaths after which the late answer was on record").isGreaterThan(5);
    }

    /** A person decides that the recipients in doubt got the message. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theSumsFollowADecisionWhoseProcessDies(boolean afterTheCall) {
        int sent = 0;
        int death = 0;
        do {
            begin(new Answer.Unknown(Reason.ofText("the connection broke")));
            toTheEnd(world.process);
            diesAt(++death, afterTheCall);
            decideUntilDeath();
            sent += checkAfterwards(death) ? 1 : 0;
        } while (dead);
        assertThat(death).isGreaterThan(10);
        assertThat(sent).as("deaths after which the decision was on record").isGreaterThan(5);
    }

    private void decideUntilDeath() {
        try {
            world.process.decisions.markAllSent(world.process.messages.find(ref).orElseThrow(), "ada");
        } catch (ProcessDied died) {
            assertThat(dead).isTrue();
        }
    }

    /**
     * The deciding process sleeps for hours before one of its calls, while the scheduler runs, and dies after another
     * call.
     */
    @Test
    void theSumsFollowADecisionWhoseProcessSleptForHoursAndThenDied() {
        int sent = 0;
        int pairs = 0;
        for (int sleep = 1; sleep < 30; sleep++) {
            int death = sleep;
            do {
                begin(new Answer.Unknown(Reason.ofText("the connection broke")));
                toTheEnd(world.process);
                sleepsAndDies(sleep, death);
                decideUntilDeath();
                sent += checkAfterwards(death) ? 1 : 0;
                pairs++;
                death++;
            } while (dead);
        }
        assertThat(pairs).isGreaterThan(100);
        assertThat(sent).as("deaths after which the decision was on record").isGreaterThan(50);
    }

    private void sleepsAndDies(int sleep, int death) {
        SimulatedProcess other = another();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call next) {
                if (dead) {
                    throw new ProcessDied();
                }
                if (++calls == sleep) {
                    CallHook itself = this;
                    world.storage.hook(CallHook.NONE);
                    for (int look = 0; look < 3; look++) {
                        world.time.advance(Duration.ofMinutes(150));
                        other.look();
                    }
                    world.storage.hook(itself);
                }
            }

            @Override
            public void after(Call next) {
                dead |= calls == death;
                if (dead) {
                    throw new ProcessDied();
                }
            }
        });
    }

    private void begin(Answer answer) {
        world = new SimulatedWorld();
        world.transport.answer((mail, attempt) -> answer);
        ListName list = world.list("contoso1", 1, RECIPIENTS, 0);
        ref = world.message(list, OnUnknown.HOLD);
        dead = false;
        calls = 0;
    }

    private SimulatedProcess another() {
        SimulatedProcess frozen = world.process;
        SimulatedProcess other = world.restart();
        world.process = frozen;
        return other;
    }

    private void diesAt(int call, boolean after) {
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call next) {
                step(!after);
            }

            @Override
            public void after(Call next) {
                step(after);
            }

            private void step(boolean counts) {
                calls += counts ? 1 : 0;
                dead |= calls == call;
                if (dead) {
                    throw new ProcessDied();
                }
            }
        });
    }

    private void turnsUntilDeath() {
        try {
            for (int turn = 0; turn < 5; turn++) {
                world.process.turn();
                world.time.advance(Duration.ofSeconds(10));
            }
        } catch (ProcessDied died) {
            assertThat(dead).isTrue();
        }
    }

    private void toTheEnd(SimulatedProcess process) {
        for (int turn = 0; turn < 60 && !process.messageStore.active().isEmpty(); turn++) {
            process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }

    /** @return whether an outcome was changed */
    private boolean checkAfterwards(int death) {
        world.storage.hook(CallHook.NONE);
        world.restart();
        for (int look = 0; look < 4; look++) {
            world.time.advance(Duration.ofHours(1));
            world.process.look();
        }
        try {
            new Books(world, ref).assertBalanced();
        } catch (AssertionError e) {
            throw new AssertionError("died at call " + death, e);
        }
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(Rows.all(world.storage.tables(), MessageStore.MESSAGE, KeyRange.partition(MessageStore.ACTIVE)))
                .extracting(Row::rowKey)
                .noneMatch(PendingRecounts::isIndexRow);
        return world.outcomes(ref).containsValue(Outcome.SENT);
    }
}
