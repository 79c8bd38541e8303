package org.azuremail.storage.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Together;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * Measures the embedded storage on this machine. Run its {@code main} with a directory on the disk to measure. Not part
 * of the tests.
 */
public final class EmbeddedStorageBenchmark {

    private static final Time TIME = Time.system();
    private static final Values ROW = Values.builder()
            .put("EmailAddress", "student1234567@domain.example")
            .put("SubscriberGUID", "3.6f32b03b90ed41a9b8acc1310c67b66a")
            .put("ListName", "contoso1")
            .put("FromEmailAddress", "donotreply@contoso.example")
            .put("SubjectLine", "New lecture series")
            .put("MessageRef", 634852858215726983L)
            .put("ScheduledDate", TIME.instant())
            .put("EmailSent", false)
            .put("Generation", 1)
            .put("Attributes", "{\"name\":\"Ann Example\",\"city\":\"Gotham\"}")
            .build();

    private final EmbeddedStorage storage;

    private EmbeddedStorageBenchmark(EmbeddedStorage storage) {
        this.storage = storage;
    }

    public static void main(String[] args) throws Exception {
        Path directory = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("azuremail-benchmark");
        try (EmbeddedStorage storage = EmbeddedStorage.open(directory, TIME)) {
            new EmbeddedStorageBenchmark(storage).run();
            System.out.printf("file: %,d MiB%n", Files.size(storage.path()) >> 20);
        }
    }

    private void run() throws Exception {
        storage.storage().tables().createTable("bench");
        storage.storage().queues().createQueue("bench");
        batches("warm", 4, 200);
        batches("b", 1, 2000);
        batches("c", 4, 1000);
        batches("d", 16, 250);
        singles(1, 10_000);
        singles(8, 5_000);
        singles(32, 2_000);
        updates(16, 1_000);
        reads(1, 50_000);
        reads(4, 50_000);
        scan();
        queue(16, 2_000);
        deletes(4, 250);
    }

    private void batches(String prefix, int threads, int batches) throws Exception {
        measure("rows in batches of 100, threads: " + threads, threads, batches * 100, thread -> () -> {
            for (int batch = 0; batch < batches; batch++) {
                int first = batch * 100;
                storage.storage()
                        .tables()
                        .write(
                                "bench",
                                prefix + thread,
                                IntStream.range(first, first + 100)
                                        .mapToObj(i -> Write.insert(rowKey(i), ROW))
                                        .toList());
            }
            return null;
        });
    }

    private void singles(int threads, int count) throws Exception {
        measure("single inserts, threads: " + threads, threads, count, thread -> () -> {
            for (int i = 0; i < count; i++) {
                storage.storage().tables().write("bench", "s" + threads + "." + thread, Write.insert(rowKey(i), ROW));
            }
            return null;
        });
    }

    private void updates(int threads, int count) throws Exception {
        measure("reads and conditional updates, threads: " + threads, threads, count, thread -> () -> {
            for (int i = 0; i < count; i++) {
                Row row = storage.storage()
                        .tables()
                        .get("bench", "b0", rowKey(thread * 1000 + i))
                        .orElseThrow();
                storage.storage().tables().write("bench", "b0", Write.replace(row, ROW));
            }
            return null;
        });
    }

    private void reads(int threads, int count) throws Exception {
        measure("point reads, threads: " + threads, threads, count, thread -> () -> {
            for (int i = 0; i < count; i++) {
                storage.storage()
                        .tables()
                        .get("bench", "b0", rowKey(i * 7919 % 200_000))
                        .orElseThrow();
            }
            return null;
        });
    }

    private void scan() throws Exception {
        measure(
                "rows scanned",
                1,
                200_000,
                thread -> () -> Rows.stream(storage.storage().tables(), "bench", KeyRange.partition("b0"))
                        .count());
    }

    private void queue(int threads, int count) throws Exception {
        measure("items sent, threads: " + threads, threads, count, thread -> () -> {
            for (int i = 0; i < count; i++) {
                storage.storage().queues().send("bench", "2026-11-21,634852858215726983,@3:" + i + ",0");
            }
            return null;
        });
        measure("items received and deleted, threads: " + threads, threads, count, thread -> () -> {
            List<QueueItem> items;
            do {
                items = storage.storage().queues().receive("bench", 32, Duration.ofMinutes(1));
                items.forEach(item -> storage.storage().queues().delete("bench", item));
            } while (!items.isEmpty());
            return null;
        });
    }

    private void deletes(int threads, int batches) throws Exception {
        measure("rows deleted in batches of 100, threads: " + threads, threads, batches * 100, thread -> () -> {
            for (int batch = 0; batch < batches; batch++) {
                int first = batch * 100;
                storage.storage()
                        .tables()
                        .write(
                                "bench",
                                "c" + thread,
                                IntStream.range(first, first + 100)
                                        .mapToObj(i -> Write.delete(rowKey(i)))
                                        .toList());
            }
            return null;
        });
    }

    private static String rowKey(int i) {
        return String.format("email:student%07d@domain.example", i);
    }

    private static <T> void measure(String what, int threads, int each, IntFunction<Callable<T>> task)
            throws Exception {
        Duration before = TIME.elapsed();
        Together.run(threads, task);
        double seconds = TIME.elapsed().minus(before).toNanos() / 1e9;
        System.out.printf("%-50s %,12.0f /s%n", what, threads * each / seconds);
    }
}
