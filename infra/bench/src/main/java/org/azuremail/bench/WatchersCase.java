package org.azuremail.bench;

import static org.azuremail.bench.Sink.ascii;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;

/**
 * Case 13: watchers of feeds without news, in one process. Their rows exist before it starts, as after a power cut.
 * After a warm-up of one interval between readings, the process is measured for another interval, in which each watcher
 * reads its feed once. By the second reading, the compiler has done its one-time work.
 */
record WatchersCase(Lab lab, ReportEntry entry) {

    private static final int FULL = 10_000;
    private static final int FULL_MINUTES = 30;
    private static final int FEWEST_MINUTES = 5;
    private static final Duration FIRST_TURNS = Duration.ofMinutes(20);

    /** The time after which the rows of the first turns are written and the JIT compiler has caught up. */
    private static final int SETTLE_SECONDS = 60;

    void run() throws IOException {
        int watchers = lab.scaled(FULL);
        int minutes =
                Math.max(FEWEST_MINUTES, (int) (FULL_MINUTES * lab.options().scale()));
        FeedSink feeds = new FeedSink();
        Sink sink = lab.keep(new Sink(feeds));
        store(lab.directory("data/watchers"), watchers, minutes, sink.port());
        long began = System.nanoTime();
        try (Service service = Service.start(
                lab,
                "data/watchers",
                "azuremail.watchers.allow-private=true",
                "azuremail.watchers.capacity=" + watchers)) {
            Lab.await(
                    FIRST_TURNS,
                    100,
                    () -> feeds.readings() >= watchers,
                    () -> "only " + feeds.readings() + " of the first turns were taken");
            String all = "%,d watchers on one process".formatted(watchers);
            entry.add(all + ": start until each has taken its first turn, s", Lab.seconds(began), "");
            watch(service, feeds, minutes, all);
        }
    }

    private void watch(Service service, FeedSink feeds, int minutes, String all) {
        Service.sleep(SETTLE_SECONDS * 1_000L);
        double cold = service.jvm().cpuSeconds();
        Service.sleep(minutes * 60_000L);
        Lab.log("warm-up: %.0f CPU ms a minute".formatted((service.jvm().cpuSeconds() - cold) * 1_000 / minutes));
        long since = System.nanoTime();
        long readings = feeds.readings();
        double calls = service.api().storageCalls();
        double cpu = service.jvm().cpuSeconds();
        Service.sleep(minutes * 60_000L);
        double used = service.jvm().cpuSeconds() - cpu;
        // This call itself reads the key.
        double made = service.api().storageCalls() - calls - 1;
        double seconds = Lab.seconds(since);
        entry.add(
                all + ", watched for %.0f s: storage calls an hour".formatted(seconds),
                made * 3600 / seconds,
                "< 1,000");
        entry.add("– CPU ms a minute", used * 60_000 / seconds, "< 200");
        entry.add("– readings of feeds a minute", (feeds.readings() - readings) * 60 / seconds, "");
        entry.add("– resident, MiB", "" + service.jvm().residentMib(), "< 400");
        entry.add("– most heap after a collection, MiB", "" + service.jvm().peakHeapMib(), "");
        entry.add("– threads", "" + service.jvm().threads(), "");
    }

    /**
     * Stores the rows that API calls would write, because so many calls would take longer than the rest of the case.
     */
    private static void store(Path data, int watchers, int minutes, int port) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(data, Time.system())) {
            TableStore tables = storage.storage().tables();
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

    /** Serves one feed of ten entries under every address. A request with its ETag is answered with 304. */
    private static final class FeedSink implements Sink.Conversation {

        private static final byte[] UNCHANGED = ascii("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n");

        private final byte[] feed = answer();
        private final AtomicLong readings = new AtomicLong();

        private static byte[] answer() {
            StringBuilder items = new StringBuilder();
            for (int i = 0; i < 10; i++) {
                items.append("<item><guid>%d</guid><title>Entry %d</title><link>https://news.example/%d</link></item>"
                        .formatted(i, i, i));
            }
            String body = "<rss version=\"2.0\"><channel><title>News</title>" + items + "</channel></rss>";
            return ascii("HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nETag: \"1\"\r\nContent-Length: "
                    + body.length() + "\r\n\r\n" + body);
        }

        @Override
        public void converse(Sink.Input in, OutputStream out) throws IOException {
            for (int head = in.lengthTo(Sink.HEAD_END); head >= 0; head = in.lengthTo(Sink.HEAD_END)) {
                out.write(in.takeText(head).contains("If-None-Match: \"1\"") ? UNCHANGED : feed);
                readings.incrementAndGet();
            }
        }

        long readings() {
            return readings.get();
        }
    }
}
