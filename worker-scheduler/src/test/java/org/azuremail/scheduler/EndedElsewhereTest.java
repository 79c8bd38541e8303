package org.azuremail.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.delivery.range.Range;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.storage.Versioned;
import org.junit.jupiter.api.Test;

/** Checks that the scheduler forgets messages that another process has ended. */
class EndedElsewhereTest {

    private final SchedulerWorld world = new SchedulerWorld();

    @Test
    void messagesThatAnotherProcessEndedAreForgotten() {
        MessageRef ref = world.queuing();
        assertThat(world.reconciler.remembered()).isEqualTo(SchedulerWorld.SHARDS);

        endElsewhere(ref);
        world.due.run();

        assertThat(world.reconciler.remembered()).isZero();
    }

    @Test
    void theRangesLeftBehindOfMessagesThatAnotherProcessEndedAreForgotten() {
        world.subscribers(30);
        MessageRef ref = world.queuing();
        world.walkAllBut();
        Versioned<Range> range = world.ranges(ref).get(0);
        world.deliveries.replaceRange(
                range, range.value().held("dead", world.time.instant().plusSeconds(30)));
        world.gone.add("dead");
        world.due.run();
        assertThat(world.reconciler.remembered()).isEqualTo(SchedulerWorld.SHARDS + 1);

        endElsewhere(ref);
        world.due.run();

        assertThat(world.reconciler.remembered()).isZero();
    }

    @Test
    void aMessageThatWaitedForItsClassAndWasEndedElsewhereIsForgotten() {
        MessageRef ref = world.message(world.time.instant().plus(Duration.ofDays(1)));
        Versioned<Message> waiting = world.read(ref);
        ActiveEntry entry = entryOf(ref);
        assertThat(world.held.due(entry, waiting)).isTrue();
        world.time.advance(Duration.ofMinutes(6));
        assertThat(world.held.due(entry, waiting)).isTrue();
        world.due.run();
        assertThat(world.held.due(entry, waiting)).isFalse();

        endElsewhere(ref);
        world.due.run();

        assertThat(world.held.due(entry, waiting)).isTrue();
    }

    private ActiveEntry entryOf(MessageRef ref) {
        return world.messages.active().stream()
                .filter(entry -> entry.ref().equals(ref))
                .findFirst()
                .orElseThrow();
    }

    private void endElsewhere(MessageRef ref) {
        Versioned<Message> read = world.read(ref);
        Message ended = read.value().resumed().become(MessageStatus.CANCELLED);
        world.messages.archive(world.messages.replace(read, ended).done().orElseThrow());
    }
}
