package org.azuremail.storage;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The limits that {@link Storage} checks before a back end sees a call: each port call begins with one of these checks. All of
 * them throw {@link IllegalArgumentException}, since a call that breaks a limit is a mistake of the program.
 *
 * @see <a href="https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model">Azure
 *     table service data model</a>
 */
public final class StorageLimits {

    /** The most properties in one row. */
    public static final int MAX_PROPERTIES = 252;

    private static final Pattern PROPERTY = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");
    private static final Instant EARLIEST = Instant.parse("1601-01-01T00:00:00Z");
    private static final Instant END_OF_TIME = Instant.parse("+10000-01-01T00:00:00Z");
    private static final Duration SHORTEST_HIDING = Duration.ofSeconds(1);
    private static final Set<String> RESERVED = Set.of("PartitionKey", "RowKey", "Timestamp");
    private static final Set<String> KNOWN_PROPERTIES = ConcurrentHashMap.newKeySet();
    private static final int MOST_KNOWN_PROPERTIES = 1000;
    private static final int BYTES_AROUND_A_WRITE = 512;
    private static final int BYTES_AROUND_A_PROPERTY = 48;

    private StorageLimits() {}

    /** A batch as {@link TableStore#write} takes it. */
    public static void checkWrites(String table, String partition, List<Write> writes) {
        StorageNames.requireTable(table);
        KeyEscaper.requireKey(partition);
        if (writes.isEmpty() || writes.size() > TableStore.MAX_BATCH) {
            throw refused("a batch has 1 to " + TableStore.MAX_BATCH + " writes, not " + writes.size());
        }
        Set<String> rowKeys = new HashSet<>(writes.size() * 2);
        long most = 0;
        for (Write write : writes) {
            KeyEscaper.requireKey(write.rowKey());
            if (!rowKeys.add(write.rowKey())) {
                throw refused("two writes of row " + write.rowKey() + " in one batch");
            }
            most += mostBytesInBatch(write, checkedBytes(partition, write));
        }
        if (most > TableStore.MAX_BATCH_BYTES) {
            checkBatch(partition, writes);
        }
    }

    /** Without a look at any character: those that a row counts as two bytes are six in a batch at the most. */
    private static long mostBytesInBatch(Write write, long bytesInRow) {
        return BYTES_AROUND_A_WRITE
                + (long) BYTES_AROUND_A_PROPERTY * values(write).size()
                + 3 * bytesInRow;
    }

    private static void checkBatch(String partition, List<Write> writes) {
        long bytes = writes.stream()
                .mapToLong(write -> bytesInBatch(partition, write))
                .sum();
        if (bytes > TableStore.MAX_BATCH_BYTES) {
            throw refused("a batch of " + bytes + " bytes is larger than " + TableStore.MAX_BATCH_BYTES);
        }
    }

    /** A query as {@link TableStore#query} takes it. */
    public static void checkQuery(String table, int limit) {
        StorageNames.requireTable(table);
        checkPage(limit);
    }

    /** The size of a page of rows or blobs. */
    public static void checkPage(int limit) {
        if (limit < 1 || limit > TableStore.MAX_PAGE) {
            throw refused("a page has 1 to " + TableStore.MAX_PAGE + " entries, not " + limit);
        }
    }

    /** An item as {@link QueueStore#send} takes it. */
    public static void checkSend(String queue, String text, Duration delay) {
        StorageNames.requireQueue(queue);
        checkVisibility(delay);
        requireUnicode(text);
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > QueueStore.MAX_TEXT_BYTES) {
            throw refused("an item has at most " + QueueStore.MAX_TEXT_BYTES + " bytes, not " + bytes);
        }
    }

    /** A receive as {@link QueueStore#receive} takes it. */
    public static void checkReceive(String queue, int max, Duration visibility) {
        checkPeek(queue, max);
        checkVisibility(visibility);
        if (visibility.compareTo(SHORTEST_HIDING) < 0) {
            throw refused("received items are hidden for a second or longer, not for " + visibility);
        }
    }

    /** A peek as {@link QueueStore#peek} takes it. */
    public static void checkPeek(String queue, int max) {
        StorageNames.requireQueue(queue);
        if (max < 1 || max > QueueStore.MAX_RECEIVE) {
            throw refused("1 to " + QueueStore.MAX_RECEIVE + " items at once, not " + max);
        }
    }

    /** A renewal as {@link QueueStore#renew} takes it. */
    public static void checkRenew(String queue, Duration visibility) {
        StorageNames.requireQueue(queue);
        checkVisibility(visibility);
    }

    /** The name of a blob and of its container. */
    public static void checkBlob(String container, String name) {
        StorageNames.requireContainer(container);
        StorageNames.requireBlob(name);
    }

    /** A listing as {@link BlobStore#list} takes it. */
    public static void checkList(String container, int limit) {
        StorageNames.requireContainer(container);
        checkPage(limit);
    }

    /**
     * About how many bytes a write takes inside a batch on its way to Azure: what {@link TableStore#MAX_BATCH_BYTES}
     * limits. Code that fills a batch adds these up.
     */
    public static long bytesInBatch(String partition, Write write) {
        long bytes =
                BYTES_AROUND_A_WRITE + 2L * (partition.length() + write.rowKey().length());
        for (var property : values(write).entries()) {
            bytes += BYTES_AROUND_A_PROPERTY + property.getKey().length() + bytesAsJson(property.getValue());
        }
        return bytes;
    }

    /** No less than {@link #bytesInBatch}, without a look at any character: as if each had to be escaped. */
    static long mostBytesInBatch(String partition, Write write) {
        long bytesInRow = 2L * (partition.length() + write.rowKey().length());
        for (var property : values(write).entries()) {
            bytesInRow += 8 + 2L * property.getKey().length() + bytesInRow(property.getValue());
        }
        return mostBytesInBatch(write, bytesInRow);
    }

    /** Returns the size of the row in bytes, as {@link TableStore#MAX_ROW_BYTES} counts them. */
    private static long checkedBytes(String partition, Write write) {
        Values values = values(write);
        if (values.size() > MAX_PROPERTIES) {
            throw refused("a row has at most " + MAX_PROPERTIES + " properties");
        }
        long stored = 4 + 2L * (partition.length() + write.rowKey().length());
        for (var property : values.entries()) {
            checkProperty(property.getKey(), property.getValue());
            stored += 8 + 2L * property.getKey().length() + bytesInRow(property.getValue());
        }
        if (stored > TableStore.MAX_ROW_BYTES) {
            throw refused(
                    "row " + write.rowKey() + " of " + stored + " bytes is larger than " + TableStore.MAX_ROW_BYTES);
        }
        return stored;
    }

    private static void checkProperty(String name, Object value) {
        requireProperty(name);
        if (value instanceof String text) {
            requireUnicode(text);
        }
        if (value instanceof Instant instant && (instant.isBefore(EARLIEST) || !instant.isBefore(END_OF_TIME))) {
            throw refused("property " + name + " is outside the years 1601 to 9999: " + instant);
        }
    }

    /** Names are in the program: a few are asked for again and again. */
    private static void requireProperty(String name) {
        if (KNOWN_PROPERTIES.contains(name)) {
            return;
        }
        if (!PROPERTY.matcher(name).matches() || RESERVED.contains(name)) {
            throw refused("not a property name: " + KeyEscaper.escape(name));
        }
        if (KNOWN_PROPERTIES.size() < MOST_KNOWN_PROPERTIES) {
            KNOWN_PROPERTIES.add(name);
        }
    }

    private static Values values(Write write) {
        if (write instanceof Write.Insert insert) {
            return insert.values();
        }
        if (write instanceof Write.Replace replace) {
            return replace.values();
        }
        if (write instanceof Write.Upsert upsert) {
            return upsert.values();
        }
        return Values.none();
    }

    /** As Azure counts a row: two bytes a character. */
    private static long bytesInRow(Object value) {
        if (value instanceof String text) {
            return 4 + 2L * text.length();
        }
        return value instanceof byte[] bytes ? 4 + bytes.length : 8;
    }

    private static long bytesAsJson(Object value) {
        if (value instanceof byte[] bytes) {
            return (bytes.length + 2) / 3 * 4L;
        }
        if (!(value instanceof String text)) {
            return 32;
        }
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < ' ' || Character.isSurrogate(c) || c == 0x2028 || c == 0x2029
                    ? 6
                    : c == '"' || c == '\\' ? 2 : c < 0x80 ? 1 : 3;
        }
        return bytes;
    }

    private static void checkVisibility(Duration duration) {
        if (duration.isNegative() || duration.compareTo(QueueStore.MAX_VISIBILITY) > 0) {
            throw refused("items are hidden for zero to seven days, not " + duration);
        }
    }

    /** Half a surrogate pair has no UTF-8 form: it would come back as a question mark. */
    private static void requireUnicode(String text) {
        if (!isAscii(text) && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw refused("half a surrogate pair cannot be stored");
        }
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(why);
    }
}
