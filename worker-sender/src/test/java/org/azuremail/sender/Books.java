package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Versioned;

/** All records of a final message. */
record Books(SimulatedWorld world, MessageRef ref) {

    /** Checks I3, and that nothing is left over. */
    void assertBalanced() {
        Message message = world.find(ref);
        Map<String, RecordedOutcome> outcomes = outcomes();
        OutcomeCounts archived = OutcomeCounts.NONE;
        for (RecordedOutcome recorded : outcomes.values()) {
            archived = archived.plus(recorded.outcome());
        }
        OutcomeCounts counted = OutcomeCounts.NONE;
        for (Range range : ranges(message)) {
            assertThat(range.done()).as("done: " + range).isTrue();
            counted = counted.plus(range.counts());
        }
        assertThat(message.status().ended()).as("ended: " + message).isTrue();
        assertThat(message.result().recipients()).as("recipients").isEqualTo(outcomes.size());
        assertThat(message.result().counts()).as("the message's counts").isEqualTo(archived);
        assertThat(counted).as("the ranges' counts").isEqualTo(archived);
        assertThat(world.process.messageStore.sent(10, null).items())
                .as("among the sent ones")
                .containsOnlyOnce(message);
        assertNothingIsLeft();
    }

    /** Returns the outcome of each recipient, by address. */
    Map<String, RecordedOutcome> outcomes() {
        Map<String, RecordedOutcome> outcomes = new TreeMap<>();
        world.find(ref).shardNumbers().mapToObj(this::shard).forEach(shard -> {
            for (Row row : archived(shard)) {
                RecordedOutcome recorded =
                        world.process.deliveries.outcome(shard, row.rowKey()).orElseThrow();
                outcomes.put(recorded.recipient().address().value(), recorded);
            }
        });
        return outcomes;
    }

    private List<Row> archived(ShardKey shard) {
        KeyRange emails = KeyRange.prefix(shard.partition(), "email:");
        return Rows.all(world.storage.tables(), MessageStore.ARCHIVE, emails);
    }

    private List<Range> ranges(Message message) {
        return message.shardNumbers()
                .mapToObj(this::shard)
                .map(world.process.deliveries::controls)
                .map(DeliveryStore.Controls::ranges)
                .flatMap(List::stream)
                .map(Versioned::value)
                .toList();
    }

    private ShardKey shard(int number) {
        return new ShardKey(ref, number);
    }

    private void assertNothingIsLeft() {
        List<Row> rows = world.messageRows();
        rows.removeIf(row -> row.key().partition().equals(MessageStore.ACTIVE)
                && !row.rowKey().equals(ref.padded()));
        assertThat(rows).as("rows left over").isEmpty();
        assertThat(world.deadLetters()).as("dead letters").isEmpty();
    }
}
