package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.EraseResult;
import org.azuremail.subscription.subscriber.Origin;
import org.junit.jupiter.api.Test;

/** Checks index rows that differ from their message, and drafts in their own index. */
class MessageIndexTests extends OnMessageRows {

    @Test
    void i7_leavingCountsThoughTheIndexRowOfTheMessageNamesAnotherList() {
        begin(false);
        world.time.advance(Duration.ofDays(3));
        world.process.look();
        world.process.drain(world.process.fanOut);
        nameInIndex(other);
        List<String> left = new ArrayList<>();
        world.transport.afterHandOver(() -> {
            if (left.isEmpty()) {
                left.addAll(verified("contoso1", 2));
                left.removeIf(address -> world.transport.timesTaken(ref.toString(), address) > 0);
                left.forEach(address -> world.leave(news, address));
            }
        });

        assertThat(world.process.control.inUse(news)).isTrue();
        assertThat(world.process.control.inUse(other)).isFalse();
        world.process.drain(world.process.sender);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 2));
        assertThat(left).allSatisfy(address -> assertThat(world.transport.timesTaken(ref.toString(), address))
                .isZero());
    }

    private void nameInIndex(ListName wrong) {
        TableStore tables = world.storage.tables();
        Row row = tables.get(MessageStore.MESSAGE, MessageStore.ACTIVE, ref.padded())
                .orElseThrow();
        Values values = row.values().with("ListName", wrong.value());
        tables.write(MessageStore.MESSAGE, MessageStore.ACTIVE, Write.replace(row, values));
    }

    @Test
    void aDraftThatAnOlderVersionKeptInActiveIsListedOnceAndGoesOutWhenItIsSent() {
        begin(true);
        TableStore tables = world.storage.tables();
        Row row = tables.get(MessageStore.MESSAGE, ".drafts", ref.padded()).orElseThrow();
        tables.write(MessageStore.MESSAGE, MessageStore.ACTIVE, Write.insert(row.rowKey(), row.values()));
        tables.write(MessageStore.MESSAGE, ".drafts", Write.delete(row));
        assertThat(world.process.messages.active()).extracting(Message::ref).containsExactly(ref);

        looks();

        assertInOnePlace("put into the index of drafts");
        goesOut("sent");
    }

    @Test
    void anIndexRowOfADraftThatIsNoneGoesWithTheDailySweepAndIsNotLost() {
        begin(true);
        Row draft = world.storage
                .tables()
                .get(MessageStore.MESSAGE, ".drafts", ref.padded())
                .orElseThrow();
        world.process.control.resume(ref);
        TableStore tables = world.storage.tables();
        Row active = tables.get(MessageStore.MESSAGE, MessageStore.ACTIVE, ref.padded())
                .orElseThrow();
        tables.write(MessageStore.MESSAGE, ".drafts", Write.insert(draft.rowKey(), draft.values()));
        tables.write(MessageStore.MESSAGE, MessageStore.ACTIVE, new Write.Delete(ref.padded(), active.etag()));

        world.time.advance(Duration.ofDays(1));
        sweep();

        assertInOnePlace("swept");
        goesOut("swept");
    }

    @Test
    void a66_erasingWaitsForNoDraftAndForNoMessageThatIsOnlyScheduled() {
        begin(true);
        MessageRef scheduled =
                world.message(news, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(1)));
        Subscriptions subscriptions = world.process.feature.subscriptions();
        assertThat(subscriptions.erase(news, new EmailAddress("v00@contoso1.test"), Origin.admin("ada")))
                .isEqualTo(EraseResult.ERASED);

        world.time.advance(Duration.ofDays(1));
        world.process.look();
        world.process.drain(world.process.fanOut);
        assertThat(subscriptions.erase(news, new EmailAddress("v01@contoso1.test"), Origin.admin("ada")))
                .isEqualTo(EraseResult.SCHEDULED);
        world.runToEnd();

        assertThat(world.outcomes(scheduled))
                .containsOnlyKeys("v01@contoso1.test")
                .containsValue(Outcome.SKIPPED);
        assertThat(world.transport.taken()).isEmpty();
    }

    @Test
    void deletingAListEndsItsDraftsAndScheduledMessagesAtOnce() {
        begin(true);
        world.list("empty1", 0, 0);
        MessageRef scheduled =
                world.message(news, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(1)));

        world.process.lists.markDeleting(news);
        assertThat(world.process.control.endMessages(news)).isTrue();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.FAILED);
        assertThat(world.find(scheduled).status()).isEqualTo(MessageStatus.FAILED);
        assertThat(world.process.messageStore.unfinished()).isEmpty();
    }

    @Test
    void aDraftDoesNotKeepTheSchedulerFromResting() {
        begin(true);
        world.process.look();

        assertThat(world.process.dueMessages.active()).isFalse();
        assertThat(world.process.dueMessages.restAsOnlyProcess()).isGreaterThan(Duration.ofHours(1));
        assertThat(world.process.messageStore.active()).isEmpty();
    }
}
