package org.azuremail.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.message.ReopenScope;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks the steps of a message after the rest of its process, or another process, has died. */
class MessageStepsTest {

    private static final Duration A_WHILE = Duration.ofSeconds(61);

    private final SchedulerWorld world = new SchedulerWorld();

    @BeforeEach
    void aListWithPeopleInBothShards() {
        world.subscribers(30);
    }

    @Test
    void onlyTheShardThatIsNotWalkedIsQueuedAgain() {
        MessageRef ref = world.queuing();
        world.walkAllBut(1);

        world.time.advance(A_WHILE);
        world.due.run();

        assertThat(world.drain(FanOutItem.TYPE.queue()))
                .containsExactly(world.read(ref).value().datePartition() + "," + ref + ",@1:0,1");
    }

    @Test
    void aCancellingThatBrokeOffBehindItsStateIsEnded() {
        MessageRef ref = world.queuing();
        world.walkAllBut(1);
        cancelAndDie(ref);

        world.due.run();

        assertThat(world.control.progress(world.read(ref).value()).walked()).isTrue();
    }

    /** Each call costs money, and most messages of a pass wait for their date. */
    @Test
    void aMessageThatWaitsForItsDateCostsOneReadOfItsList() {
        Versioned<Message> waiting =
                world.read(world.message(world.time.instant().plus(Duration.ofDays(1))));
        world.simulated.resetCounters();

        world.steps.next(waiting);

        assertThat(world.simulated.callsByKind()).containsExactlyEntriesOf(Map.of(Call.Kind.GET, 1L));
    }

    @Test
    void aHolderOfACancelledMessagesRangeIsNotDisturbedByEachLook() {
        MessageRef ref = world.queuing();
        world.walkAllBut();
        world.control.cancel(ref);
        Versioned<Range> range = world.ranges(ref).get(0);
        world.deliveries.replaceRange(
                range, range.value().held("sender", world.time.instant().plusSeconds(30)));
        String held = world.ranges(ref).get(0).etag();

        world.due.run();

        assertThat(world.ranges(ref).get(0).etag()).isEqualTo(held);
    }

    @Test
    void theRangesOfACancelledMessageWhoseItemsAreLostAreQueuedAgain() {
        MessageRef ref = world.queuing();
        world.walkAllBut();
        world.control.cancel(ref);
        world.drain(MailItem.TYPE.queue());

        world.time.advance(A_WHILE);
        world.due.run();

        List<Versioned<Range>> ranges = world.ranges(ref);
        assertThat(ranges).isNotEmpty();
        assertThat(world.drain(MailItem.TYPE.queue())).hasSameSizeAs(ranges);
    }

    @Test
    void aMessageWhoseRangesAreDoneIsCompleted() {
        MessageRef ref = allSent();

        assertThat(ends(ref)).isTrue();

        assertThat(world.messages.find(ref).orElseThrow().status()).isEqualTo(MessageStatus.COMPLETED);
    }

    /** The sums fit because the ranges of the recipients who get the message again do not exist yet. */
    @Test
    void aMessageThatIsBeingReopenedIsNotCompletedThoughItsSumsFit() {
        MessageRef ref = allSent();
        Versioned<Message> read = world.read(ref);
        world.messages.replace(read, read.value().reopenedFor(new ReopenScope.Outcomes(Set.of(Outcome.FAILED))));

        assertThat(ends(ref)).isFalse();

        assertThat(world.read(ref).value().status()).isEqualTo(MessageStatus.PROCESSING);
    }

    /** Cancels the message as a process does that dies right after it has written the state. */
    private void cancelAndDie(MessageRef ref) {
        Versioned<Message> read = world.read(ref);
        world.messages.replace(read, read.value().become(MessageStatus.CANCELLED));
    }

    private boolean ends(MessageRef ref) {
        Versioned<Message> read = world.read(ref);
        return world.steps.end(read, MessageStatus.COMPLETED, world.control.progress(read.value()));
    }

    private MessageRef allSent() {
        MessageRef ref = world.queuing();
        world.walkAllBut();
        world.ranges(ref).forEach(this::finish);
        Versioned<Message> read = world.read(ref);
        world.messages.replace(read, read.value().become(MessageStatus.PROCESSING));
        return ref;
    }

    private void finish(Versioned<Range> range) {
        Range open = range.value();
        Range done = open.held("sender", world.time.instant())
                .counted(new OutcomeCounts(open.span().recipients(), 0, 0, 0))
                .finished();
        world.deliveries.replaceRange(range, done);
    }
}
