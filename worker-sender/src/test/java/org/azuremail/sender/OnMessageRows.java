package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;

/** A message that is due in three days, and checks that its rows agree. */
abstract class OnMessageRows {

    static final Duration A_WHILE = Duration.ofMinutes(2);

    SimulatedWorld world;
    ListName news;
    ListName other;
    MessageRef ref;

    void begin(boolean draft) {
        world = new SimulatedWorld();
        news = world.list("contoso1", 2, 0);
        other = world.list("fabrikam1", 3, 0);
        Schedule due = new Schedule(world.time.instant().plus(Duration.ofDays(3)), ZoneOffset.UTC);
        Messages.MessageCreateResult creation = world.process.messages.create(new Messages.NewMessage(
                news, Draft.of("News", "<p>Hello</p>", null), due, OnUnknown.HOLD, "test", draft));
        ref = ((Messages.MessageCreateResult.Created) creation).message().ref();
    }

    /** Runs the daily sweeps, including those for Mondays. */
    void sweep() {
        world.process.messageStore.sweepDrafts(world.time.instant());
        try {
            world.process.bodySweep.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    void looks() {
        for (int look = 0; look < 3; look++) {
            world.time.advance(A_WHILE);
            world.process.look();
        }
    }

    /** Checks that the message has one row and one index row, and that they agree. */
    void assertInOnePlace(String when) {
        MessageStore store = world.process.messageStore;
        List<Row> rows = Rows.all(world.storage.tables(), MessageStore.MESSAGE, KeyRange.partitions("0", "a"));
        assertThat(rows).as(when).hasSize(1);
        Message message = store.findActive(ref).orElseThrow().value();
        assertThat(store.unfinished()).as(when).singleElement().satisfies(entry -> {
            assertThat(entry.date()).isEqualTo(message.datePartition());
            assertThat(entry.lists()).isEqualTo(message.lists());
            assertThat(entry.due()).isEqualTo(message.scheduledDate());
        });
        assertThat(store.active()).as(when).hasSize(message.keptAsDraft() ? 0 : 1);
        assertThat(world.process.messages.active()).as(when).containsExactly(message);
    }

    void goesOut(String when) {
        Message message = world.find(ref);
        if (message.paused()) {
            assertThat(world.process.control.resume(ref)).as(when).isTrue();
        }
        world.time.advance(Duration.ofDays(9));
        world.runToEnd();
        boolean toOther = message.list().equals(other);
        world.assertAccounted(ref, toOther ? verified("fabrikam1", 3) : verified("contoso1", 2));
        assertThat(world.transport.taken().values()).as(when).containsOnly(1);
        sweep();
        assertThat(world.messageRows()).as(when).isEmpty();
    }
}
