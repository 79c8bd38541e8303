package org.azuremail.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.azuremail.delivery.archive.FiguresWanted;
import org.azuremail.delivery.archive.LateCounts;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.Range;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.message.Reopened;
import org.azuremail.storage.Versioned;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.Test;

/** Completed is written when everybody has an outcome and nobody is about to be sent to again. */
class EndingTest {

    private final SchedulerWorld world = new SchedulerWorld();
    private final Ending ending = new Ending(
            world.messages,
            world.control,
            new LateCounts(
                    world.simulated.tables(), world.deliveries, new RangeRewriter(world.deliveries, world.messages)),
            new FiguresWanted(world.simulated.tables(), Signals.NONE, world.time),
            world.time);

    @Test
    void aMessageWhoseRangesAreDoneIsCompleted() {
        MessageRef ref = allSent();

        assertThat(ending.complete(world.read(ref), MessageStatus.COMPLETED)).isTrue();

        assertThat(world.messages.find(ref).orElseThrow().status()).isEqualTo(MessageStatus.COMPLETED);
    }

    /** The ranges of the recipients who get it again are not there yet, so that the sums fit. */
    @Test
    void aMessageThatIsBeingReopenedIsNotCompletedThoughItsSumsFit() {
        MessageRef ref = allSent();
        Versioned<Message> read = world.read(ref);
        world.messages.replace(read, read.value().reopenedFor(new Reopened.Outcomes(Set.of(Outcome.FAILED))));

        assertThat(ending.complete(world.read(ref), MessageStatus.COMPLETED)).isFalse();

        assertThat(world.read(ref).value().status()).isEqualTo(MessageStatus.PROCESSING);
    }

    private MessageRef allSent() {
        world.subscribers(10);
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
