package org.azuremail.bench;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;

/**
 * Case 13: watchers of feeds without news on one process. Their rows are there before it starts, as after a blackout. It rests for as
 * long as they do between two readings, and is then watched for as long again, so that each reads its feed once meanwhile. By the
 * second reading, the compiler has done what it does once in the life of a process.
 */
final class WatchersCase implements BenchCase {

    private static final int FULL = 10_000;
    private static final int FULL_MINUTES = 30;
    private static final int FEWEST_MINUTES = 5;
    private static final int FIRST_TURNS_SECONDS = 1_200;

    /** The time until the rows of the first turns are written and the compiler has caught up. */
    private static final int SETTLE_SECONDS = 60;

    @Override
    public int number() {
        return 13;
    }

    @Override
    public String title() {
        return "idle watchers";
    }

    @Override
    public void run(Lab lab, Entry entry) {
        int watchers = lab.options().scaled(FULL);
        int minutes =
                Math.max(FEWEST_MINUTES, (int) (FULL_MINUTES * lab.options().scale()));
        Path data = lab.directory("data/watchers");
        FeedSink feeds = lab.keep(FeedSink.start());
        store(data, watchers, minutes, feeds.port());
        long began = System.nanoTime();
        try (Service service = Service.start(
                lab, data, "azuremail.watchers.allow-private=true", "azuremail.watchers.capacity=" + watchers)) {
            awaitReadings(feeds, watchers);
            String all = "%,d watchers on one process".formatted(watchers);
            entry.add(
                    13,
                    all + ": start until each has taken its first turn, s",
                    Spread.number((System.nanoTime() - began) / 1e9),
                    "");
            watch(service, feeds, minutes, all, entry);
        }
    }

    private static void watch(Service service, FeedSink feeds, int minutes, String all, Entry entry) {
        Service.sleep(SETTLE_SECONDS * 1_000L);
        double cold = service.jvm().cpuSeconds();
        Service.sleep(minutes * 60_000L);
        Lab.say("warm-up: %.0f CPU ms a minute".formatted((service.jvm().cpuSeconds() - cold) * 1_000 / minutes));
        long since = System.nanoTime();
        long readings = feeds.readings();
        double calls = service.api().storageCalls();
        double cpu = service.jvm().cpuSeconds();
        Service.sleep(minutes * 60_000L);
        double used = service.jvm().cpuSeconds() - cpu;
        // The look itself reads the key.
        double made = service.api().storageCalls() - calls - 1;
        double seconds = (System.nanoTime() - since) / 1e9;
        entry.add(
                13,
                all + ", watched for %.0f s: storage calls an hour".formatted(seconds),
                Spread.number(made * 3600 / seconds),
                "< 1,000");
        entry.add(13, "– CPU ms a minute", Spread.number(used * 60_000 / seconds), "< 200");
        entry.add(13, "– readings of feeds a minute", Spread.number((feeds.readings() - readings) * 60 / seconds), "");
        entry.add(13, "– resident, MiB", "" + service.jvm().residentMib(), "< 400");
        entry.add(13, "– most heap after a collection, MiB", "" + service.jvm().peakHeapMib(), "");
        entry.add(13, "– threads", "" + service.jvm().threads(), "");
    }

    private static void awaitReadings(FeedSink feeds, int watchers) {
        long until = System.nanoTime() + FIRST_TURNS_SECONDS * 1_000_000_000L;
        while (feeds.readings() < watchers) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("only " + feeds.readings() + " of the first turns were taken");
            }
            Service.sleep(100);
        }
    }

    /** As the API's calls leave them; so many calls would take longer than the rest of the case. */
    private static void store(Path data, int watchers, int minutes, int port) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(data, Time.system())) {
            TableStore tables = storage.tables();
            tables.createTable("watcher");
            Instant now = Time.system().instant();
            List<Write> batch = new ArrayList<>();
            for (int i = 0; i < watchers; i++) {
                batch.add(Write.insert("feed" + i, row("feed" + i, minutes, port, now)));
                if (batch.size() == TableStore.MAX_BATCH || i == watchers - 1) {
                    tables.write("watcher", ".all", batch);
                    batch = new ArrayList<>();
                }
            }
        }
    }

    private static Values row(String name, int minutes, int port, Instant now) {
        String settings = """
                {"address":"http://127.0.0.1:%d/%s","list":"news","what":"draft","minutes":"%d"}""".formatted(port, name, minutes);
        return Values.builder()
                .put("Id", name)
                .put("Name", name)
                .put("Kind", "feed")
                .put("Settings", settings)
                .put("CreatedAt", now)
                .put("ModifyAt", now)
                .put("Status", "Created")
                .build();
    }
}
