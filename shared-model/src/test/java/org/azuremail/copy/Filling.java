package org.azuremail.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.PatternStream;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/** Test data of every kind that a storage may contain, with the part that a copy must contain. */
final class Filling {

    static final Values EVERY_TYPE = Values.builder()
            .put("Text", "a\u00e4\u20ac\ud83d\ude00\n\"'<>")
            .put("Empty", "")
            .put("Yes", true)
            .put("Integer", -7)
            .put("Long", Long.MAX_VALUE)
            .put("Whole", 3.0)
            .put("Double", -0.25e-300)
            .put("Infinite", Double.POSITIVE_INFINITY)
            .put("At", Instant.parse("2026-01-01T12:00:00.123456Z"))
            .put("Bytes", new byte[] {0, -1, 127, -128})
            .build();

    private static final List<String> KEYS = List.of(
            "!", "!!", ".lists", "=2F=5C", "a", "a!", "a.0", "a.10", "a.2", "A", "email:o'brien@x.test", "z~", "~");

    private final Storage storage;

    Filling(Storage storage) {
        this.storage = storage;
    }

    /** Writes a few items of each kind. */
    void little() {
        for (String partition : KEYS) {
            write("mailinglist", partition, KEYS.get(0), EVERY_TYPE);
            write("mailinglist", partition, KEYS.get(KEYS.size() - 1), Values.none());
        }
        KEYS.forEach(row -> write("message", "mail.0.1", row, Values.of("N", row)));
        storage.tables().createTable("messagearchive");
        lease();
        blob("azuremailblobcontainer", "1.htm", 0);
        blob("azuremail-events", "2026/11/21/16/04/59/2b/error-title", 40);
        blob("azuremail-events", "2026/11/21/16/04/59/2c/error-(x)", 1);
        storage.blobs().createContainer("azuremail-jobs");
        items("azuremailqueue", "one", "two", "three");
        items("azuremailqueue-p1", "four");
        items("azuremailtestqueue");
    }

    /** Writes more rows than a page has, more bytes than a batch takes, and blobs larger than a block. */
    void much() {
        rows("message", "mail.0.2", 1_234, Values.of("Name", "x"));
        rows("messagearchive", "mail.0.2", 150, Values.of("Detail", "\u00e4".repeat(30_000)));
        rows("messagearchive", "mail.0.3", 99, Values.none());
        blob("azuremailimports", "large", 17L * 1024 * 1024 + 3);
        for (int i = 0; i < 130; i++) {
            blob("azuremail-outbox", "2026-11-21/" + i, i);
        }
        items(
                "azuremailjobqueue",
                IntStream.range(0, 70).mapToObj(i -> "item " + i).toArray(String[]::new));
    }

    private void lease() {
        write(
                "work",
                "lease",
                "due-messages",
                Values.of("Owner", "me").with("Epoch", 7L).with("EndsAt", Instant.EPOCH));
        write("work", "tries.azuremailqueue", "12", Values.of("Failures", 4));
    }

    void write(String table, String partition, String row, Values values) {
        storage.tables().createTable(table);
        storage.tables().write(table, partition, Write.upsert(row, values));
    }

    private void rows(String table, String partition, int count, Values values) {
        storage.tables().createTable(table);
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            writes.add(Write.upsert(String.format("email:%05d@x.test", i), values));
            if (writes.size() == 25 || i == count - 1) {
                storage.tables().write(table, partition, writes);
                writes = new ArrayList<>();
            }
        }
    }

    void blob(String container, String name, long size) {
        storage.blobs().createContainer(container);
        try (InputStream content = new PatternStream(1, size)) {
            storage.blobs().put(container, name, content, BlobStore.ALWAYS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void items(String queue, String... texts) {
        storage.queues().createQueue(queue);
        for (String text : texts) {
            storage.queues().send(queue, text);
        }
    }

    /** Returns all rows that are worth copying, without ETags. */
    static Map<String, Values> rows(Storage storage, String table) {
        Map<String, Values> rows = new TreeMap<>();
        for (Row row : Rows.all(storage.tables(), table, KeyRange.everything())) {
            if (!row.key().partition().equals("copy") && !row.key().partition().startsWith("tries.")) {
                Values values = row.key().partition().equals("lease")
                        ? row.values().with("Owner", null).with("EndsAt", null)
                        : row.values();
                rows.put(row.key().toString(), values);
            }
        }
        return rows;
    }

    static Map<String, Long> blobs(BlobStore blobs, String container) {
        Map<String, Long> sizes = new TreeMap<>();
        String continuation = null;
        do {
            Page<BlobInfo> page = blobs.list(container, "", 1000, continuation);
            for (BlobInfo blob : page.items()) {
                sizes.put(blob.name(), blob.size());
            }
            continuation = page.continuation();
        } while (continuation != null);
        return sizes;
    }

    static List<String> items(QueueStore queues, String queue) {
        List<String> texts = new ArrayList<>();
        List<QueueItem> items = queues.receive(queue, 32, Duration.ofDays(1));
        while (!items.isEmpty()) {
            items.forEach(item -> texts.add(item.text()));
            items = queues.receive(queue, 32, Duration.ofDays(1));
        }
        return texts.stream().sorted().toList();
    }

    /** Compares all rows and blobs. */
    static void assertEqual(CopyEndpoint source, CopyEndpoint copy) {
        assertThat(copy.names()).isEqualTo(source.names());
        for (String table : source.names().tables()) {
            assertThat(rows(copy.storage(), table)).as(table).isEqualTo(rows(source.storage(), table));
        }
        for (String container : source.names().containers()) {
            assertThat(blobs(copy.storage().blobs(), container))
                    .as(container)
                    .isEqualTo(blobs(source.storage().blobs(), container));
        }
    }
}
