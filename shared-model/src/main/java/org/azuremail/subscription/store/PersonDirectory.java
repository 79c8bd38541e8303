package org.azuremail.subscription.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.work.service.ScheduledService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table {@code person}: a row {@code <address>!<list>} for each address on each list, in one of 16 partitions by
 * the address. An entry is only a hint. It is written after the subscriber's row and removed before it; if a process
 * dies in between, the entry stays wrong until the next {@link #sweep}. So callers check each entry with its list.
 *
 * <p>Subscribing does not wait for the directory: single rows are gathered for a moment and written in batches. Until
 * then, this process finds them in memory; other processes find them a moment later. Rows are written without being
 * read, since concurrent processes write the same.
 */
public final class PersonDirectory implements AutoCloseable {

    public static final String TABLE = "person";

    /** The usual number of a list's shards. Both use the same hash, so a batch of a shard is one batch here. */
    static final int PARTITIONS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(PersonDirectory.class);
    static final char SEPARATOR = '!';

    /** The number of gathered rows at which the next caller writes them. */
    private static final int MAX_GATHERED = 5_000;

    private final TableStore tables;
    private final Executor later;

    /** The partition of each key to be written; this map is its own lock. */
    private final Map<String, String> buffer = new HashMap<>();

    /** The lock that is held while gathered rows are written. */
    private final Lock writing = new ReentrantLock();

    /** @param later runs a task a moment later, on another thread */
    public PersonDirectory(TableStore tables, Executor later) {
        this.tables = tables;
        this.later = later;
    }

    /** An address that is on a list, or was a moment ago. */
    public record Entry(EmailAddress address, ListName list) {

        static Entry of(Row row) {
            int end = row.rowKey().lastIndexOf(SEPARATOR);
            return new Entry(
                    new EmailAddress(KeyEscaper.unescape(row.rowKey().substring(0, end))),
                    new ListName(KeyEscaper.unescape(row.rowKey().substring(end + 1))));
        }
    }

    /** Adds a stored subscriber a moment later. */
    public void add(ListName list, EmailAddress address) {
        String folded = address.folded();
        int before;
        synchronized (buffer) {
            before = buffer.size();
            buffer.put(key(folded, list), partition(folded));
        }
        if (before == 0) {
            later.execute(this::flush);
        } else if (before >= MAX_GATHERED) {
            flush();
        }
    }

    /** Adds many stored subscribers before this returns. */
    public void add(ListName list, Collection<EmailAddress> addresses) {
        write(byPartition(list, addresses));
    }

    /** Writes rows; the sweep repairs any that fail. */
    private void write(Map<String, List<String>> byPartition) {
        byPartition.forEach((partition, keys) -> {
            try {
                put(partition, keys);
            } catch (StorageException failed) {
                LOG.warn("the directory learns of {} people only by its sweep: {}", keys.size(), failed.toString());
            }
        });
    }

    /** Writes everything that was added before this call. */
    void flush() {
        writing.lock();
        try {
            Map<String, List<String>> byPartition;
            synchronized (buffer) {
                byPartition = buffer.keySet().stream().collect(Collectors.groupingBy(buffer::get));
                buffer.clear();
            }
            write(byPartition);
        } finally {
            writing.unlock();
        }
    }

    /** Removes subscribers who are about to be deleted, so that no entry stays behind. */
    public void removeAll(ListName list, Collection<EmailAddress> addresses) {
        Map<String, List<String>> byPartition = byPartition(list, addresses);
        synchronized (buffer) {
            byPartition.values().forEach(buffer.keySet()::removeAll);
        }
        writing.lock();
        try {
            byPartition.forEach(this::remove);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void close() {
        flush();
    }

    private static Map<String, List<String>> byPartition(ListName list, Collection<EmailAddress> addresses) {
        return addresses.stream()
                .map(EmailAddress::folded)
                .distinct()
                .collect(Collectors.groupingBy(
                        PersonDirectory::partition,
                        Collectors.mapping(folded -> key(folded, list), Collectors.toList())));
    }

    void put(String partition, Collection<String> keys) {
        batches(partition, keys).forEach(batch -> tables.write(TABLE, partition, puts(batch)));
    }

    /**
     * Deletes rows. A batch is refused if one of its rows is missing. In that case, all its rows are written first and
     * then deleted.
     */
    private void remove(String partition, List<String> keys) {
        batches(partition, keys).forEach(batch -> {
            List<Write> deletes = batch.stream().map(Write::delete).toList();
            if (!tables.write(TABLE, partition, deletes).written() && batch.size() > 1) {
                tables.write(TABLE, partition, puts(batch));
                tables.write(TABLE, partition, deletes);
            }
        });
    }

    private static List<Write> puts(List<String> keys) {
        return keys.stream().map(key -> Write.upsert(key, Values.none())).toList();
    }

    private static List<List<String>> batches(String partition, Collection<String> keys) {
        return BatchBudget.divide(
                partition, TableStore.MAX_BATCH, List.copyOf(keys), key -> Write.upsert(key, Values.none()));
    }

    /**
     * Returns the addresses that begin with a text, across all lists, in order.
     *
     * @param cursor the cursor of the previous page; {@code null} for the first
     * @param limit 1 to 1,000
     * @throws IllegalArgumentException if the cursor is invalid
     */
    public Page<Entry> search(String beginning, @Nullable String cursor, int limit) {
        flush();
        String prefix = KeyEscaper.escape(EmailAddress.fold(beginning.strip()));
        String after = cursor == null ? null : decoded(cursor, prefix);
        List<Entry> found = new ArrayList<>();
        do {
            MergedRows next = MergedRows.next(
                    tables, TABLE, ranges(prefix, after), MergedRows.rowsPerRange(limit - found.size(), PARTITIONS));
            after = next.horizon();
            for (Row row : next.rows().values()) {
                found.add(Entry.of(row));
                if (found.size() == limit) {
                    boolean end = next.horizon() == null
                            && row.rowKey().equals(next.rows().lastKey());
                    return new Page<>(found, end ? null : encoded(row.rowKey()));
                }
            }
        } while (after != null);
        return new Page<>(found, null);
    }

    private static List<KeyRange> ranges(String prefix, @Nullable String after) {
        String from = after == null ? prefix : KeyRange.next(after);
        String to = prefix.isEmpty() ? null : KeyRange.afterPrefix(prefix);
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> KeyRange.rows(Integer.toString(partition), from.isEmpty() ? null : from, to))
                .toList();
    }

    /** Returns the service that repairs the directory; one role runs it. */
    public ScheduledService sweep(ListStore lists) {
        return new DirectorySweep(lists, tables, this, DirectorySweep.PAGES_PER_RUN);
    }

    static String partition(String folded) {
        return Integer.toString(MailingList.shardOf(folded, PARTITIONS));
    }

    static String key(String folded, ListName list) {
        return KeyEscaper.escape(folded) + SEPARATOR + KeyEscaper.escape(list.value());
    }

    static String encoded(String rowKey) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(rowKey.getBytes(StandardCharsets.UTF_8));
    }

    /** @throws IllegalArgumentException if it is not the encoded form of a row key */
    static String decoded(String cursor) {
        return KeyEscaper.requireKey(new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8));
    }

    /** Returns the key at which a page ended, consisting of an address with this beginning and a list. */
    private static String decoded(String cursor, String prefix) {
        String key = decoded(cursor);
        if (!key.startsWith(prefix) || key.indexOf(SEPARATOR) < 1) {
            throw new IllegalArgumentException("not a cursor");
        }
        return key;
    }
}
