package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.MessagesInTests;
import org.azuremail.message.Outcome;
import org.azuremail.message.ReopenScope;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks a process that sleeps at each of its calls and wakes up after others have continued. */
class SendAgainRaceIT {

    private static final String REFUSED = "v01@contoso1.test";
    private static final String DOUBTFUL = "v02@contoso1.test";
    private static final Set<Outcome> MISSING = Set.of(Outcome.FAILED, Outcome.UNKNOWN);

    private SimulatedWorld world;
    private SimulatedProcess other;
    private MessageRef ref;
    private int calls;
    private boolean slept;

    /** The events while the process sleeps. */
    enum Meanwhile {
        OTHERS_GO_ON,
        LATE_ACCEPTANCE,
        LATE_REFUSAL,
        LATE_ACCEPTANCE_AND_NOTHING_ELSE,
        CANCELLATION,
        SENT_AGAIN
    }

    @ParameterizedTest
    @EnumSource(Meanwhile.class)
    void aProcessThatSleepsWhileSendingAgainAddsNobodyAfterwards(Meanwhile meanwhile) {
        int call = 0;
        do {
            begin();
            world.runToEnd();
            sleepsAt(++call, meanwhile, sleeper -> sleeper.reopening.reopen(ref, MISSING));
        } while (slept);

        assertThat(call).isGreaterThan(30);
    }

    @ParameterizedTest
    @EnumSource(Meanwhile.class)
    void aSchedulerThatSleepsWhileItEndsAMessageUndoesNothing(Meanwhile meanwhile) {
        int call = 0;
        do {
            begin();
            world.process.turn();
            sleepsAt(++call, meanwhile, SimulatedProcess::look);
        } while (slept);

        assertThat(call).isGreaterThan(30);
    }

    @ParameterizedTest
    @EnumSource(Meanwhile.class)
    void aSchedulerThatSleepsWhileItEndsAMessageSentAgainUndoesNothing(Meanwhile meanwhile) {
        int call = 0;
        do {
            begin();
            world.runToEnd();
            world.process.reopening.reopen(ref, MISSING);
            world.process.drain(world.process.sender);
            sleepsAt(++call, meanwhile, SimulatedProcess::look);
        } while (slept);

        assertThat(call).isGreaterThan(30);
    }

    /** The process had read the message before others sent it again and ended it, and restores the old state. */
    @Test
    void aProcessThatPutsAnOldMessageBackSendsAgainAsTheNextGeneration() {
        begin();
        world.runToEnd();
        Message stale = world.find(ref)
                .become(MessageStatus.PROCESSING)
                .reopenedFor(new ReopenScope.Outcomes(Set.of(Outcome.UNKNOWN)));
        world.process.reopening.reopen(ref, MISSING);
        world.runToEnd();
        int before = world.transport.attempts(ref, DOUBTFUL);

        Versioned<Message> back = world.process
                .messageStore
                .reactivate(stale, world.time.instant())
                .orElseThrow();
        world.process.reopening.resume(back);
        world.runToEnd();

        assertThat(world.find(ref).generation()).isEqualTo(2);
        assertThat(world.transport.attempts(ref, DOUBTFUL)).as("sent again").isEqualTo(before + 1);
        check("putting it back");
    }

    /**
     * The process had read the message before others sent it again and ended it. It writes while the message is being
     * archived.
     */
    @Test
    void aMessageIsNotLostIfAProcessWakesUpWhileItIsArchived() {
        begin();
        world.runToEnd();
        Message stale = world.find(ref)
                .become(MessageStatus.PROCESSING)
                .reopenedFor(new ReopenScope.Outcomes(Set.of(Outcome.FAILED)));
        world.process.reopening.reopen(ref, MISSING);
        world.process.drain(world.process.sender);
        other = world.restart();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call next) {
                boolean last = next.partition().equals(MessageStore.ACTIVE)
                        && next.description().startsWith("Delete " + ref.padded());
                if (last && !slept) {
                    slept = true;
                    other.messageStore.reactivate(stale, world.time.instant());
                }
            }
        });
        world.process.look();
        world.storage.hook(CallHook.NONE);
        world.runToEnd();

        assertThat(slept).isTrue();
        check("archiving");
    }

    /** A process that slept restored the message as Pending, and its list was changed before the scheduler ran. */
    @Test
    void aMessageThatWasPutBackAfterItsEndAndChangedSinceEndsAgain() {
        begin();
        ListName elsewhere = world.list("elsewhere", 3, 0);
        Message pending = world.find(ref);
        world.runToEnd();
        Map<String, Integer> taken = Map.copyOf(world.transport.taken());

        world.process.messageStore.insert(
                pending.edited(
                        Audience.of(elsewhere),
                        pending.shards(),
                        pending.content(),
                        pending.schedule(),
                        pending.onUnknown()),
                world.time.instant());
        world.runToEnd();

        assertThat(world.transport.taken()).as("nobody is mailed again").isEqualTo(taken);
        assertThat(world.find(ref).list()).isEqualTo(pending.list());
        new Books(world, ref).assertBalanced();
    }

    /** The scheduler ends the move meanwhile, and the message is sent. */
    @Test
    void aProcessThatMovesAMessageAndSleepsUntilItHasEndedDoesNotSendItOnceMore() {
        begin();
        ListName elsewhere = world.list("elsewhere", 3, 0);
        SimulatedProcess web = world.process;
        other = world.restart();
        Versioned<Message> pending = web.messages.findActive(ref).orElseThrow();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call next) {
                if (!slept && next.description().startsWith("Insert message")) {
                    slept = true;
                    runToEnd();
                }
            }
        });
        Schedule yesterday = new Schedule(world.time.instant().minus(Duration.ofHours(20)), ZoneOffset.UTC);
        Message before = pending.value();
        Messages.Change move =
                MessagesInTests.change(elsewhere, before.subject(), null, null, yesterday, before.onUnknown());
        web.messages.edit(ref, pending.etag(), move);
        world.storage.hook(CallHook.NONE);
        Map<String, Integer> taken = Map.copyOf(world.transport.taken());
        world.runToEnd();

        assertThat(slept).isTrue();
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(world.transport.taken()).hasSize(3).isEqualTo(taken);
        new Books(world, ref).assertBalanced();
    }

    /** Creates a message with one recipient who is refused at first and another whose outcome stays unknown. */
    private void begin() {
        world = new SimulatedWorld();
        world.transport.answer((mail, attempt) -> switch (mail.to().address().value()) {
            case REFUSED -> attempt == 1 ? new Answer.Refused("no such user") : new Answer.Accepted("id");
            case DOUBTFUL -> new Answer.Unknown(Reason.ofText("the connection broke"));
            default -> new Answer.Accepted("id");
        });
        ListName list = world.list("contoso1", 9, 0);
        ref = world.message(list, OnUnknown.HOLD);
    }

    private void sleepsAt(int call, Meanwhile meanwhile, Consumer<SimulatedProcess> act) {
        SimulatedProcess sleeper = world.process;
        other = world.restart();
        calls = 0;
        slept = false;
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call next) {
                if (++calls == call && !slept) {
                    slept = true;
                    world.time.advance(Duration.ofMinutes(3));
                    happens(meanwhile);
                }
            }
        });
        act.accept(sleeper);
        world.storage.hook(CallHook.NONE);
        world.runToEnd();
        check(call + ", " + meanwhile);
    }

    private void happens(Meanwhile meanwhile) {
        if (meanwhile == Meanwhile.CANCELLATION) {
            other.control.cancel(ref);
        } else if (meanwhile == Meanwhile.LATE_ACCEPTANCE_AND_NOTHING_ELSE) {
            late(Outcome.SENT);
            return;
        } else if (meanwhile != Meanwhile.OTHERS_GO_ON) {
            runToEnd();
            late(meanwhile == Meanwhile.LATE_REFUSAL ? Outcome.FAILED : Outcome.SENT);
        }
        runToEnd();
        if (meanwhile == Meanwhile.SENT_AGAIN) {
            other.reopening.reopen(ref, MISSING);
            runToEnd();
        }
    }

    private void runToEnd() {
        for (int turn = 0; turn < 60 && !other.messageStore.active().isEmpty(); turn++) {
            other.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }

    /** Records an outcome as a sender does that was frozen during its hand-over. */
    private void late(Outcome outcome) {
        EmailAddress address = new EmailAddress(DOUBTFUL);
        ListName list = world.find(ref).list();
        int number = other.lists.find(list).orElseThrow().value().shardOf(address);
        ShardKey shard = new ShardKey(ref, number);
        RecordedOutcome known = other.deliveries
                .outcome(shard, Recipient.rowKey(address))
                .filter(recorded -> recorded.outcome() == Outcome.UNKNOWN)
                .orElse(null);
        if (known != null) {
            RecordedOutcome late = new RecordedOutcome(
                    known.rowKey(), outcome, known.generation(), world.time.instant(), "late", known.values());
            other.archive.record(shard, List.of(late));
            other.rewriter.recount(shard, Set.of(known.rowKey()));
        }
    }

    private void check(String when) {
        Books books = new Books(world, ref);
        assertThat(world.find(ref).status().ended()).as(when).isTrue();
        try {
            books.assertBalanced();
        } catch (AssertionError e) {
            throw new AssertionError("slept at call " + when, e);
        }
        assertThat(books.outcomes()).as(when).hasSize(9);
        Map<String, Integer> taken = world.transport.taken();
        taken.forEach((whom, times) -> assertThat(times)
                .as(whom + " slept at call " + when)
                .isLessThanOrEqualTo(whom.contains(DOUBTFUL) ? 4 : 1));
    }
}
