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
 * Checks the limits of a call before a back end sees it, for {@link Storage}. All checks throw
 * {@link IllegalArgumentException}, because a call that breaks a limit is a programming error.
 *
 * @see <a href="https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model">Azure
 *     table service data model</a>
 */
public final class StorageLimits {

    public static final int MAX_PROPERTIES = 252;

    private static final NameRule TABLES = new NameRule("[a-z][a-z0-9]{2,62}");
    private static final NameRule QUEUES = new NameRule("(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern BLOB = Pattern.compile("[!-\\[\\]-~]{1,512}");
    private static final NameRule PROPERTIES =
            new NameRule("(?!(PartitionKey|RowKey|Timestamp)$)[A-Za-z_][A-Za-z0-9_]{0,254}");
    private static final Instant EARLIEST = Instant.parse("1601-01-01T00:00:00Z");
    private static final Instant END_OF_TIME = Instant.parse("+10000-01-01T00:00:00Z");
    private static final Duration MIN_HIDING = Duration.ofSeconds(1);
    private static final int BYTES_AROUND_A_WRITE = 512;
    private static final int BYTES_AROUND_A_PROPERTY = 48;

    private StorageLimits() {}

    /** @throws IllegalArgumentException if the name is not valid for a table */
    public static String requireTable(String name) {
        return require(TABLES.allow(name), name, "table");
    }

    /** @throws IllegalArgumentException if the name is not valid for a queue */
    public static String requireQueue(String name) {
        return require(QUEUES.allow(name), name, "queue");
    }

    /** @throws IllegalArgumentException if the name is not valid for a container */
    public static String requireContainer(String name) {
        return require(QUEUES.allow(name), name, "container");
    }

    /** @throws IllegalArgumentException if one of the names is not valid for a container or a blob */
    static void requireBlob(String container, String name) {
        requireContainer(container);
        require(BLOB.matcher(name).matches(), name, "blob");
    }

    private static String require(boolean allowed, String name, String what) {
        if (!allowed) {
            throw new IllegalArgumentException("not a " + what + " name: " + KeyEscaper.escape(name));
        }
        return name;
    }

    /** Checks the arguments of {@link TableStore#write}. */
    static void checkWrites(String table, String partition, List<Write> writes) {
        requireTable(table);
        KeyEscaper.requireKey(partition);
        if (writes.isEmpty() || writes.size() > TableStore.MAX_BATCH) {
            throw refused("a batch has 1 to " + TableStore.MAX_BATCH + " writes, not " + writes.size());
        }
        Set<String> rowKeys = new HashSet<>(writes.size() * 2);
        long max = 0;
        for (Write write : writes) {
            KeyEscaper.requireKey(write.rowKey());
            if (!rowKeys.add(write.rowKey())) {
                throw refused("two writes of row " + write.rowKey() + " in one batch");
            }
            checkRow(partition, write);
            max += maxBytesInBatch(partition, write);
        }
        if (max > TableStore.MAX_BATCH_BYTES) {
            checkBatch(partition, writes);
        }
    }

    private static void checkRow(String partition, Write write) {
        Values values = write.values();
        if (values.size() > MAX_PROPERTIES) {
            throw refused("a row has at most " + MAX_PROPERTIES + " properties");
        }
        for (int i = 0; i < values.size(); i++) {
            checkProperty(values.name(i), values.value(i));
        }
        long bytes = bytesInRow(partition, write);
        if (bytes > TableStore.MAX_ROW_BYTES) {
            throw refused(
                    "row " + write.rowKey() + " of " + bytes + " bytes is larger than " + TableStore.MAX_ROW_BYTES);
        }
    }

    private static void checkProperty(String name, Object value) {
        require(PROPERTIES.allow(name), name, "property");
        if (value instanceof String text) {
            requireUnicode(text);
        }
        if (value instanceof Instant instant && (instant.isBefore(EARLIEST) || !instant.isBefore(END_OF_TIME))) {
            throw refused("property " + name + " is outside the years 1601 to 9999: " + instant);
        }
    }

    /** The rule for one kind of name. Valid names are remembered, because the program reuses a few names. */
    private record NameRule(Pattern pattern, Set<String> known) {

        private static final int MAX_KNOWN = 1000;

        NameRule(String pattern) {
            this(Pattern.compile(pattern), ConcurrentHashMap.newKeySet());
        }

        boolean allow(String name) {
            if (known.contains(name)) {
                return true;
            }
            boolean fits = pattern.matcher(name).matches();
            if (fits && known.size() < MAX_KNOWN) {
                known.add(name);
            }
            return fits;
        }
    }

    private static void checkBatch(String partition, List<Write> writes) {
        long bytes = writes.stream()
                .mapToLong(write -> bytesInBatch(partition, write))
                .sum();
        if (bytes > TableStore.MAX_BATCH_BYTES) {
            throw refused("a batch of " + bytes + " bytes is larger than " + TableStore.MAX_BATCH_BYTES);
        }
    }

    /** Checks the size limit of a page of rows or blobs. */
    static void checkPage(int limit) {
        if (limit < 1 || limit > TableStore.MAX_PAGE) {
            throw refused("a page has 1 to " + TableStore.MAX_PAGE + " entries, not " + limit);
        }
    }

    /** Checks the arguments of {@link QueueStore#send}. */
    static void checkSend(String queue, String text, Duration delay) {
        requireQueue(queue);
        checkVisibility(delay);
        requireUnicode(text);
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > QueueStore.MAX_TEXT_BYTES) {
            throw refused("an item has at most " + QueueStore.MAX_TEXT_BYTES + " bytes, not " + bytes);
        }
    }

    /** Checks the arguments of {@link QueueStore#receive}. */
    static void checkReceive(String queue, int max, Duration visibility) {
        checkPeek(queue, max);
        checkVisibility(visibility);
        if (visibility.compareTo(MIN_HIDING) < 0) {
            throw refused("received items are hidden for a second or longer, not for " + visibility);
        }
    }

    /** Checks the arguments of {@link QueueStore#peek}. */
    static void checkPeek(String queue, int max) {
        requireQueue(queue);
        if (max < 1 || max > QueueStore.MAX_RECEIVE) {
            throw refused("1 to " + QueueStore.MAX_RECEIVE + " items at once, not " + max);
        }
    }

    static void checkVisibility(Duration duration) {
        if (duration.isNegative() || duration.compareTo(QueueStore.MAX_VISIBILITY) > 0) {
            throw refused("items are hidden for zero to seven days, not " + duration);
        }
    }

    /**
     * Returns the approximate size of a write inside a batch on its way to Azure, in bytes.
     * {@link TableStore#MAX_BATCH_BYTES} limits the sum of these sizes.
     */
    public static long bytesInBatch(String partition, Write write) {
        Values values = write.values();
        long bytes =
                BYTES_AROUND_A_WRITE + 2L * (partition.length() + write.rowKey().length());
        for (int i = 0; i < values.size(); i++) {
            bytes += BYTES_AROUND_A_PROPERTY + values.name(i).length() + bytesAsJson(values.value(i));
        }
        return bytes;
    }

    /**
     * Returns an upper bound of {@link #bytesInBatch}. This is faster, because it examines no characters: a character
     * that counts as two bytes in a row takes at most six bytes in a batch.
     */
    static long maxBytesInBatch(String partition, Write write) {
        return BYTES_AROUND_A_WRITE
                + (long) BYTES_AROUND_A_PROPERTY * write.values().size()
                + 3 * bytesInRow(partition, write);
    }

    /** Returns the size of a row in bytes, as {@link TableStore#MAX_ROW_BYTES} limits it. */
    private static long bytesInRow(String partition, Write write) {
        Values values = write.values();
        long bytes = 4 + 2L * (partition.length() + write.rowKey().length());
        for (int i = 0; i < values.size(); i++) {
            bytes += 8 + 2L * values.name(i).length() + bytesInRow(values.value(i));
        }
        return bytes;
    }

    /** Azure counts two bytes for each character. */
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

    /** Refuses half a surrogate pair. It has no UTF-8 form and would be read back as a question mark. */
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
