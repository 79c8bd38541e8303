package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;

/** Estimates how long a million emails would take, and prints the speed. No partition is a bottleneck. */
class ThroughputTests {

    private static final int SHARDS = 8;

    @Test
    void e24_theMailsOfOneDaySpreadOverAllShards() {
        SimulatedWorld world = new SimulatedWorld(50);
        MessageRef ref = message(world, "crowd", 2000);
        world.process.look();
        world.process.drain(world.process.fanOut);

        Map<String, Integer> rows = new TreeMap<>();
        Rows.all(world.storage.tables(), MessageStore.MESSAGE, KeyRange.everything()).stream()
                .filter(row -> row.rowKey().startsWith("email:"))
                .forEach(row -> rows.merge(row.key().partition(), 1, Integer::sum));

        assertThat(rows).hasSize(SHARDS);
        assertThat(rows.keySet())
                .allSatisfy(
                        partition -> assertThat(partition).startsWith("mail.").endsWith(ref.padded()));
        assertThat(rows.values()).allSatisfy(count -> assertThat(count)
                .as("rows of one shard, of an average of %d", 2000 / SHARDS)
                .isBetween(150, 350));
    }

    @Test
    void e24_theDatesPartitionIsWrittenAsOftenForFewAsForMany() {
        assertThat(writesToTheDate(1000)).isPositive().isEqualTo(writesToTheDate(100));
    }

    @Test
    void e24_theMeasuredThroughputIsPrinted() {
        SimulatedWorld world = new SimulatedWorld(50);
        int mails = 3000;
        MessageRef ref = message(world, "crowd", mails);
        long before = world.storage.calls();
        Duration began = Time.system().elapsed();

        world.runToEnd();

        Duration took = Time.system().elapsed().minus(began);
        long calls = world.storage.calls() - before;
        long perSecond = mails * 1000L / Math.max(1, took.toMillis());
        System.out.printf(
                "throughput: %d mails/s on one thread in memory, %.3f storage calls a mail; a million mails take %d s%n",
                perSecond, (double) calls / mails, 1_000_000 / Math.max(1, perSecond));
        world.assertAccounted(ref, verified("crowd", mails));
        assertThat(perSecond).isPositive();
    }

    private static long writesToTheDate(int mails) {
        SimulatedWorld world = new SimulatedWorld(50);
        message(world, "crowd", mails);
        long[] writes = {0};
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Kind.WRITE && call.partition().startsWith("2026-")) {
                    writes[0]++;
                }
            }
        });
        world.runToEnd();
        return writes[0];
    }

    private static MessageRef message(SimulatedWorld world, String name, int recipients) {
        ListName list = world.list(name, SHARDS, recipients, 0);
        return world.message(list, OnUnknown.HOLD);
    }
}
