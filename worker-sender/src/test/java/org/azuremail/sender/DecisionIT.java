package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.delivery.reopen.Decisions;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the decisions of people about recipients with unknown outcomes. */
class DecisionIT {

    private static final int RECIPIENTS = 13;

    /** More calls than any of these acts makes. */
    private static final int ALL_CALLS = 400;

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void allUnknownOnesAreMarkedAsSentAndNobodyElse() {
        MessageRef ref = endedInDoubt(world);
        long unknown = world.find(ref).result().counts().unknown();
        int handOvers = world.transport.handOvers();

        assertThat(world.process.decisions.markAllSent(world.find(ref), "ada").recipients())
                .isEqualTo(unknown);

        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(world.find(ref).result().counts().unknown()).isZero();
        assertThat(world.find(ref).result().counts().failed()).isPositive();
        assertThat(world.detail(ref, "v00@contoso1.test")).isEqualTo("marked as sent by ada");
        assertThat(world.transport.handOvers()).isEqualTo(handOvers);
        assertThat(world.process.decisions.markAllSent(world.find(ref), "ada").recipients())
                .isZero();
    }

    @Test
    void aDecisionAboutAllIsTakenBackAndTheCountsWithIt() {
        MessageRef ref = endedInDoubt(world);
        OutcomeCounts before = world.find(ref).result().counts();
        String detail = world.detail(ref, "v00@contoso1.test");
        Decisions.Decided decided = world.process.decisions.markAllSent(world.find(ref), "ada");

        assertThat(world.process.decisions.undo(world.find(ref), decided.at().plusSeconds(1)))
                .as("another decision")
                .isZero();
        assertThat(world.process.decisions.undo(world.find(ref), decided.at())).isEqualTo(before.unknown());

        assertThat(world.find(ref).result().counts()).isEqualTo(before);
        assertThat(world.detail(ref, "v00@contoso1.test")).isEqualTo(detail);
        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(world.process.decisions.undo(world.find(ref), decided.at())).isZero();
    }

    @Test
    void undoingADecisionKeepsOutcomesThatASenderKnows() {
        MessageRef ref = endedInDoubt(world);
        long unknown = world.find(ref).result().counts().unknown();
        Decisions.Decided decided = world.process.decisions.markAllSent(world.find(ref), "ada");
        ShardKey shard = new ShardKey(
                ref,
                world.process
                        .search
                        .shardOf(world.find(ref), new EmailAddress("v00@contoso1.test"))
                        .orElseThrow());
        RecordedOutcome marked = world.process
                .deliveries
                .outcome(shard, Recipient.rowKey(new EmailAddress("v00@contoso1.test")))
                .orElseThrow();
        RecordedOutcome accepted = new RecordedOutcome(
                marked.rowKey(),
                Outcome.SENT,
                marked.generation(),
                decided.at(),
                "id of the provider",
                marked.values().with("DecidedAt", null));

        world.process.archive.record(shard, List.of(accepted));

        assertThat(world.process.decisions.undo(world.find(ref), decided.at())).isEqualTo(unknown - 1);
        assertThat(world.detail(ref, "v00@contoso1.test")).isEqualTo("id of the provider");
        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void takingADecisionBackThatBreaksOffAtAnyCallIsFinishedByRepeatingIt(Mode mode) {
        boolean reached = true;
        for (long call = 1; reached; call++) {
            SimulatedWorld fresh = new SimulatedWorld();
            MessageRef ref = endedInDoubt(fresh);
            OutcomeCounts before = fresh.find(ref).result().counts();
            Decisions.Decided decided = fresh.process.decisions.markAllSent(fresh.find(ref), "ada");
            Faults faults = new Faults(mode, call, () -> {});
            fresh.restart(faults);
            try {
                fresh.process.decisions.undo(fresh.find(ref), decided.at());
            } catch (ProcessDied | StorageException broken) {
                assertThat(faults.calls()).isEqualTo(call);
            }
            reached = faults.calls() >= call;
            fresh.restart();
            fresh.process.decisions.undo(fresh.find(ref), decided.at());
            assertThat(fresh.find(ref).result().counts()).as("at call " + call).isEqualTo(before);
        }
    }

    @Test
    void oneIsMarkedAndOnlyWhileItIsUnknown() {
        MessageRef ref = endedInDoubt(world);
        long unknown = world.find(ref).result().counts().unknown();

        assertThat(mark(ref, "v00@contoso1.test")).isEqualTo(Outcome.SENT);
        assertThat(mark(ref, "v01@contoso1.test")).isEqualTo(Outcome.FAILED);

        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(world.find(ref).result().counts().unknown()).isEqualTo(unknown - 1);
    }

    @Test
    void recipientsMarkedBeforeTheirSecondMailCountAsSent() {
        MessageRef ref = world.message(world.list("contoso1", 1, 4, 0), OnUnknown.HOLD);
        world.transport.answer(
                (mail, attempt) -> attempt == 1 || mail.to().address().value().startsWith("v01")
                        ? new Answer.Unknown(Reason.ofText("502"))
                        : new Answer.Accepted("id"));
        world.runToEnd();
        world.process.reopening.reopen(ref, Set.of(Outcome.UNKNOWN));
        assertThat(mark(ref, "v00@contoso1.test")).isEqualTo(Outcome.SENT);
        world.runToEnd();

        assertThat(mark(ref, "v01@contoso1.test"))
                .as("their range is counted anew")
                .isEqualTo(Outcome.SENT);

        world.assertAccounted(ref, verified("contoso1", 4));
        assertThat(world.find(ref).result().counts().sent()).isEqualTo(4);
        assertThat(world.transport.attempts(ref, "v00@contoso1.test")).isOne();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aDecisionThatBreaksOffAtAnyCallIsFinishedByRepeatingIt(Mode mode) {
        boolean reached = true;
        for (long call = 1; reached; call++) {
            SimulatedWorld fresh = new SimulatedWorld();
            MessageRef ref = endedInDoubt(fresh);
            Faults faults = new Faults(mode, call, () -> {});
            fresh.restart(faults);
            try {
                fresh.process.decisions.markAllSent(fresh.find(ref), "ada");
            } catch (ProcessDied | StorageException broken) {
                assertThat(faults.calls()).isEqualTo(call);
            }
            reached = faults.calls() >= call;
            fresh.restart();
            fresh.process.decisions.markAllSent(fresh.find(ref), "ada");
            fresh.assertAccounted(ref, verified("contoso1", RECIPIENTS));
            assertThat(fresh.find(ref).result().counts().unknown())
                    .as("at call " + call)
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Outcome.class,
            names = {"SENT", "FAILED"})
    void lateKnowledgeThatArrivesAtAnyCallOfADecisionLeavesRightSums(Outcome known) {
        int call = 0;
        boolean reached = true;
        while (reached) {
            SimulatedWorld fresh = new SimulatedWorld();
            MessageRef ref = endedInDoubt(fresh);
            SimulatedProcess late = fresh.restart();
            SimulatedProcess deciding = fresh.restart();
            reached = interleaved(fresh, ++call, () -> learn(late, ref, known), () -> markAll(deciding, ref));
            fresh.assertAccounted(ref, verified("contoso1", RECIPIENTS));
            assertThat(fresh.find(ref).result().counts().unknown())
                    .as("at call " + call)
                    .isZero();
        }
        assertThat(call).isGreaterThan(10);
    }

    @Test
    void recipientsWhoAreMarkedWhileTheyAreSentToAgainAreCountedOnce() {
        int calls = countedOnce(DecisionIT::markAll, (sending, ref) -> {
            sending.reopening.reopen(ref, Set.of(Outcome.UNKNOWN));
            sending.turn();
        });

        assertThat(calls).isGreaterThan(30);
    }

    @Test
    void recipientsWhoAreSentToAgainWhileTheyAreMarkedAreCountedOnce() {
        int calls = countedOnce(
                (sending, ref) -> sending.reopening.reopen(ref, Set.of(Outcome.UNKNOWN)), DecisionIT::markAll);

        assertThat(calls).isGreaterThan(10);
    }

    @Test
    void ofTwoWhoDecideAtTheSameTimeEachIsToldHowManyAreSentByTheirOwnDecision() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            SimulatedWorld fresh = new SimulatedWorld();
            MessageRef ref = endedInDoubt(fresh);
            long unknown = fresh.find(ref).result().counts().unknown();
            SimulatedProcess one = fresh.restart();
            SimulatedProcess another = fresh.restart();
            List<Decisions.Decided> decided = new ArrayList<>();
            reached = interleaved(
                    fresh,
                    call,
                    () -> {
                        fresh.time.advance(Duration.ofSeconds(1));
                        decided.add(another.decisions.markAllSent(fresh.find(ref), "bob"));
                    },
                    () -> decided.add(one.decisions.markAllSent(fresh.find(ref), "ada")));

            for (Decisions.Decided each : decided) {
                assertThat(one.decisions.undo(fresh.find(ref), each.at()))
                        .as("at call " + call)
                        .isEqualTo(each.recipients());
            }
            assertThat(decided.stream().mapToLong(Decisions.Decided::recipients).sum())
                    .as("at call " + call)
                    .isEqualTo(unknown);
        }
    }

    /** An action of a process on a message. */
    private interface Act {
        void by(SimulatedProcess process, MessageRef ref);
    }

    private static void markAll(SimulatedProcess process, MessageRef ref) {
        process.decisions.markAllSent(process.messages.find(ref).orElseThrow(), "ada");
    }

    /** Runs one action at each storage call of another process's action in turn, and returns the number of calls. */
    private static int countedOnce(Act act, Act other) {
        int call = 0;
        boolean reached = true;
        while (reached) {
            SimulatedWorld fresh = new SimulatedWorld();
            MessageRef ref = endedInDoubt(fresh);
            fresh.transport.answer((mail, attempt) -> new Answer.Accepted("id"));
            SimulatedProcess one = fresh.restart();
            SimulatedProcess another = fresh.restart();
            reached = interleaved(fresh, ++call, () -> act.by(one, ref), () -> other.by(another, ref));
            assertEverybodyOnce(fresh, ref, call);
        }
        return call;
    }

    private static void assertEverybodyOnce(SimulatedWorld fresh, MessageRef ref, int call) {
        fresh.runToEnd();
        fresh.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(fresh.find(ref).result().counts().unknown())
                .as("at call " + call)
                .isZero();
        // Unknown emails count as taken, and each was sent again at most once.
        assertThat(fresh.transport.taken().values()).as("at call " + call).allMatch(times -> times <= 2);
    }

    /** Runs one action at the given storage call of another, and returns whether there was such a call. */
    private static boolean interleaved(SimulatedWorld world, int at, Runnable act, Runnable other) {
        assertThat(at).isLessThan(ALL_CALLS);
        AtomicInteger calls = new AtomicInteger();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (calls.incrementAndGet() == at) {
                    act.run();
                }
            }
        });
        other.run();
        world.storage.hook(CallHook.NONE);
        return calls.get() >= at;
    }

    /**
     * Acts as a process that gets the provider's answer late: it records the outcomes in the archive, then counts
     * again.
     */
    private static void learn(SimulatedProcess process, MessageRef ref, Outcome known) {
        for (int shard = 0; shard < 2; shard++) {
            ShardKey key = new ShardKey(ref, shard);
            List<RecordedOutcome> unknown = process.deliveries.outcomes(key, 100, null).items().stream()
                    .filter(recorded -> recorded.outcome() == Outcome.UNKNOWN)
                    .map(recorded -> new RecordedOutcome(
                            recorded.rowKey(), known, recorded.generation(), recorded.at(), "late", recorded.values()))
                    .toList();
            if (!unknown.isEmpty()) {
                process.archive.record(key, unknown);
            }
            process.deliveries
                    .controls(key)
                    .ranges()
                    .forEach(range -> process.rewriter.recount(
                            new RangeKey(key, range.value().key().number())));
        }
    }

    private Outcome mark(MessageRef ref, String address) {
        EmailAddress email = new EmailAddress(address);
        int shard = world.process.search.shardOf(world.find(ref), email).orElseThrow();
        return world.process
                .decisions
                .markSent(world.find(ref), shard, email, "ada")
                .orElseThrow();
    }

    /** Returns a completed message with a third of its recipients Unknown, a third Failed and a third Sent. */
    static MessageRef endedInDoubt(SimulatedWorld world) {
        ListName list = world.list("contoso1", RECIPIENTS, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> {
            int number = Integer.parseInt(mail.to().address().value().substring(1, 3));
            return number % 3 == 0
                    ? new Answer.Unknown(Reason.ofText("502"))
                    : number % 3 == 1 ? new Answer.Refused("550") : new Answer.Accepted("id");
        });
        world.runToEnd();
        return ref;
    }
}
