package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.message.Audience;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.work.run.QueueRunner;

/**
 * Messages of three classes in one strict pool whose classes age soon. Low is suspended after its first lots and
 * resumed later. High always has more items than a turn handles until both others have begun. Some calls go wrong. In
 * the end, I1 to I3 hold, and no class has waited for longer than the ageing.
 */
final class ClassCampaign {

    private static final int LOW = 8;
    private static final int NORMAL = 2;
    private static final int HIGH = 1;
    private static final Duration TURN = Duration.ofSeconds(10);
    private static final int AGEING_TURNS = 2;
    private static final int RUNS = 4;

    /** The most turns until a dead process is replaced and the new process's pool has aged. */
    private static final int AFTER_A_DEATH = AGEING_TURNS + 1;

    /** The turn from which High has no other work than its messages. */
    private static final int HIGH_UNTIL = 20;

    private static final int SUSPENDED_FROM = 1;
    private static final int SUSPENDED_UNTIL = 6;

    private final SimulatedWorld world = new SimulatedWorld();
    private final Map<MessageRef, List<String>> recipients = new LinkedHashMap<>();
    private final Predicate<String> running = queue -> !(suspended() && queue.equals("azuremailqueue-low"));
    private Faults faults;
    private SimulatedProcess poolOf;
    private QueueRunner<?> pool;
    private boolean handingAtDeath;
    private int turn;
    private int takenAtSuspension;
    private int takenAtResumption;
    private MessageRef low;
    private MessageRef high;
    private int normalBegun = HIGH_UNTIL;
    private int lowBegun = HIGH_UNTIL;
    private MessageRef normal;

    ClassCampaign(Faults faults) {
        this.faults = faults;
        world.classes = ClassSettings.classes("pool=strict", "ageing=" + AGEING_TURNS * TURN.toSeconds() + "s");
    }

    ClassCampaign withFault(Mode mode, long call) {
        faults = new Faults(mode, call, () -> handingAtDeath |= world.anyHanding());
        return this;
    }

    Faults run() {
        world.restart();
        low = message("low", LOW, 0, "Low");
        normal = message("normal", NORMAL, 0, "normal");
        for (int i = 0; i < 2; i++) {
            high = message("high" + i, HIGH, i, "HIGH");
        }
        world.restart(faults);
        for (; turn < 60 && !ended(); turn++) {
            step();
            if (turn == SUSPENDED_FROM) {
                takenAtSuspension = taken(low);
            } else if (turn == SUSPENDED_UNTIL - 1) {
                takenAtResumption = taken(low);
            }
            world.time.advance(TURN);
        }
        assertThat(ended()).as("the campaign ends").isTrue();
        return faults;
    }

    private MessageRef message(String list, int people, int turns, String label) {
        MessageRef ref = world.message(
                Audience.of(world.list(list, people, 0)),
                OnUnknown.HOLD,
                world.time.instant().plus(TURN.multipliedBy(turns)),
                label);
        recipients.put(ref, SimulatedWorld.verified(list, people));
        return ref;
    }

    private boolean suspended() {
        return turn >= SUSPENDED_FROM && turn < SUSPENDED_UNTIL;
    }

    private void step() {
        try {
            world.process.look();
            world.process.drain(world.process.fanOut);
            if (poolOf != world.process) {
                poolOf = world.process;
                pool = poolOf.pool();
            }
            boolean busy = turn < HIGH_UNTIL && Math.max(normalBegun, lowBegun) == HIGH_UNTIL;
            if (busy) {
                moreForHigh();
            }
            for (int runs = 0; (!busy || runs < RUNS) && pool.runOnce(running, false) > 0; runs++) {
                assertThat(suspended() && underWayOfLow())
                        .as("a lot of a suspended class")
                        .isFalse();
                noteWhatHasBegun();
            }
        } catch (ProcessDied died) {
            world.restart();
        } catch (StorageException away) {
            assertThat(faults.calls()).isPositive();
        }
    }

    /** Queues items again that are already done, but that a sender has to check. */
    private void moreForHigh() {
        String item = MailItem.range(world.find(high).datePartition(), new RangeKey(new ShardKey(high, 0), 1), true)
                .text();
        for (int run = 0; run <= RUNS; run++) {
            world.storage.queues().send("azuremailqueue-high", item);
        }
    }

    private void noteWhatHasBegun() {
        normalBegun = taken(normal) > 0 ? Math.min(normalBegun, turn) : normalBegun;
        lowBegun = turn >= SUSPENDED_UNTIL && taken(low) > takenAtSuspension ? Math.min(lowBegun, turn) : lowBegun;
    }

    private boolean underWayOfLow() {
        return turn > SUSPENDED_FROM && taken(low) > takenAtSuspension;
    }

    private int taken(MessageRef ref) {
        return recipients.get(ref).stream()
                .mapToInt(address -> world.transport.timesTaken(ref.toString(), address))
                .sum();
    }

    private boolean ended() {
        return new MessageStore(world.storage.tables()).active().isEmpty();
    }

    void check() {
        world.restart();
        assertThat(takenAtResumption).as("while it was suspended").isEqualTo(takenAtSuspension);
        assertThat(normalBegun).as("the turn in which Normal began").isLessThanOrEqualTo(AGEING_TURNS + AFTER_A_DEATH);
        assertThat(lowBegun)
                .as("the turn in which Low went on")
                .isLessThanOrEqualTo(SUSPENDED_UNTIL + AGEING_TURNS + AFTER_A_DEATH);
        recipients.forEach(this::check);
        assertThat(world.messageRows()).as("rows left over").isEmpty();
        assertThat(world.deadLetters()).isEmpty();
    }

    private void check(MessageRef ref, List<String> people) {
        world.assertAccounted(ref, people);
        Map<String, Outcome> outcomes = world.outcomes(ref);
        people.forEach(address -> assertThat(world.transport.timesTaken(ref.toString(), address))
                .as("times taken of " + address)
                .isLessThanOrEqualTo(1));
        if (!handingAtDeath) {
            assertThat(outcomes.values()).containsOnly(Outcome.SENT);
        }
    }
}
