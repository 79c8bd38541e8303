package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every crash point: a campaign of two messages, with a departure and a pause in its middle, is run once to number its
 * storage calls; then once per call and per way in which it can go wrong, to the end, and I1 to I4 and I7 are checked
 * against the provider's own record. Covers E-3 to E-10 step by step: worker A and worker B are stopped at every call.
 */
class CrashPointTests {

    private static final int FIRST = 13;
    private static final int SECOND = 5;
    private static final String LEAVER = "v03@first.test";

    @ParameterizedTest
    @CsvSource({
        "DIES_BEFORE, HOLD", "DIES_AFTER, HOLD", "FAILS, HOLD", "ANSWER_LOST, HOLD", "REPEATED, HOLD",
        "DIES_BEFORE, RESEND", "DIES_AFTER, RESEND", "FAILS, RESEND", "ANSWER_LOST, RESEND", "REPEATED, RESEND"
    })
    void everyStorageCallMayGoWrongOnce(Mode mode, OnUnknown onUnknown) {
        long calls = new Campaign(Faults.none(), onUnknown).run().calls();
        for (long call = 1; call <= calls; call++) {
            Campaign campaign = new Campaign(null, onUnknown).withFault(mode, call);
            try {
                campaign.run();
                campaign.check(mode);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("at call " + call + " of " + calls + ", " + mode + ", " + onUnknown, e);
            }
        }
        System.out.printf("crash points: %d calls, %s, %s%n", calls, mode, onUnknown);
        assertThat(calls).isGreaterThan(100);
    }

    /** One campaign and what it has to end in. */
    private static final class Campaign {

        private final SimulatedWorld world = new SimulatedWorld();
        private final OnUnknown onUnknown;
        private Faults faults;
        private boolean handingAtDeath;
        private MessageRef first;
        private MessageRef second;
        private int takenWhenLeft;
        private boolean countedWhenLeft;

        Campaign(Faults faults, OnUnknown onUnknown) {
            this.faults = faults;
            this.onUnknown = onUnknown;
        }

        Campaign withFault(Mode mode, long call) {
            faults = new Faults(mode, call, () -> handingAtDeath = world.anyHanding());
            return this;
        }

        Faults run() {
            ListName one = world.list("first", FIRST, 4);
            ListName two = world.list("second", SECOND, 1);
            first = world.message(one, onUnknown);
            second = world.message(two, onUnknown);
            world.restart(faults);
            step(process -> process.dueMessages.run());
            step(process -> process.drain(process.fanOut));
            step(process -> oneItem(process));
            step(process -> process.control.pause(first, ""));
            step(process -> world.leave(one, LEAVER));
            countedWhenLeft = world.isCounted(first, LEAVER);
            takenWhenLeft = world.transport.timesTaken(first.toString(), LEAVER);
            step(process -> process.control.resume(first));
            for (int turn = 0; turn < 60 && !ended(); turn++) {
                step(SimulatedProcess::turn);
                world.time.advance(Duration.ofSeconds(10));
            }
            assertThat(ended()).as("the campaign ends").isTrue();
            return faults;
        }

        /** A step that broke off is done again, as whoever asked for it would; after a death by a new process. */
        private void step(Step step) {
            for (int attempt = 0; attempt < 3; attempt++) {
                try {
                    step.on(world.process);
                    return;
                } catch (ProcessDied died) {
                    world.restart();
                } catch (org.azuremail.storage.StorageException e) {
                    assertThat(faults.calls()).isPositive();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
            throw new AssertionError("a step does not get done");
        }

        private void oneItem(SimulatedProcess process) {
            process.receive(process.sender, 1).forEach(item -> process.handle(process.sender, item));
        }

        private boolean ended() {
            return new MessageStore(world.storage.tables()).active().isEmpty();
        }

        void check(Mode mode) {
            world.restart();
            List<String> firstRecipients = new ArrayList<>(SimulatedWorld.verified("first", FIRST));
            if (!countedWhenLeft) {
                firstRecipients.remove(LEAVER);
            }
            world.assertAccounted(first, firstRecipients);
            world.assertAccounted(second, SimulatedWorld.verified("second", SECOND));
            Map<String, Outcome> outcomes = world.outcomes(first);
            assertHandedOver(first, outcomes);
            assertHandedOver(second, world.outcomes(second));
            assertThat(world.transport.timesTaken(first.toString(), LEAVER))
                    .as("handed over after leaving")
                    .isEqualTo(takenWhenLeft);
            assertThat(world.messageRows())
                    .as("messages and e-mail rows left over")
                    .isEmpty();
            assertThat(world.deadLetters()).isEmpty();
            if (!mode.dies() || !handingAtDeath) {
                assertThat(outcomes.values()).doesNotContain(Outcome.UNKNOWN);
                assertThat(world.transport.taken().values()).as("times taken").containsOnly(1);
            }
        }

        private void assertHandedOver(MessageRef ref, Map<String, Outcome> outcomes) {
            int most = onUnknown == OnUnknown.HOLD ? 1 : 2;
            int doubled = 0;
            for (Map.Entry<String, Outcome> entry : outcomes.entrySet()) {
                int times = world.transport.timesTaken(ref.toString(), entry.getKey());
                assertThat(times).as("times taken of " + entry.getKey()).isLessThanOrEqualTo(most);
                doubled += Math.max(0, times - 1);
                if (entry.getValue() == Outcome.SENT) {
                    assertThat(times).as("Sent, so taken: " + entry.getKey()).isPositive();
                }
                if (entry.getValue() == Outcome.SKIPPED || entry.getValue() == Outcome.FAILED) {
                    assertThat(times)
                            .as(entry.getValue() + ", so not taken: " + entry.getKey())
                            .isZero();
                }
            }
            assertThat(doubled).as("at most one lot twice").isLessThanOrEqualTo(world.transport.lotSize());
        }

        private interface Step {
            void on(SimulatedProcess process) throws Exception;
        }
    }
}
