package org.azuremail.watcher.feed;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.binary.Base64;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.watcher.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The entries that watchers have seen (table {@code watcher}, one partition for each watcher). A permanent row
 * {@code entry:} names the message that contains the entry; a row {@code open:} in the same batch holds everything that
 * the message needs until it exists. So an entry that has a row never counts as new again, and an entry that has no
 * message yet is never forgotten. Every method may be repeated by any process.
 */
final class FeedEntries {

    static final String TABLE = "watcher";
    private static final String ENTRY = "entry:";
    private static final String OPEN = "open:";
    private static final String BEGUN = "begun:";

    /** The most entries that may wait for their messages. */
    static final int MAX_WAITING = 500;

    private final Table table;

    FeedEntries(Storage storage) {
        this.table = new Table(storage.tables(), TABLE);
    }

    /**
     * An entry whose message does not exist yet.
     *
     * @param message chosen for it, together with the instant; null while the entry waits for a digest
     */
    record PendingEntry(
            Row row,
            FeedEntry entry,
            Instant seenAt,
            @Nullable MessageRef message,
            @Nullable Instant at) {

        private static PendingEntry of(Row row) {
            Values v = row.values();
            long ref = v.number("MessageRef", 0);
            return new PendingEntry(
                    row,
                    FeedEntry.from(v),
                    v.requireInstant("SeenAt"),
                    ref == 0 ? null : new MessageRef(ref),
                    v.instant("At"));
        }

        private String key() {
            return row.rowKey().substring(OPEN.length());
        }

        private int place() {
            return row.values().integer("Place", 0);
        }
    }

    /**
     * Returns when this watcher read this address to the end for the first time, or for the first time after a restore;
     * empty if it never did.
     */
    Optional<Instant> firstReadAt(Watcher watcher, String address) {
        return table.get(partition(watcher), begunKey(watcher, address))
                .map(row -> row.values().requireInstant("SeenAt"));
    }

    void markRead(Watcher watcher, String address, Instant now) {
        table.write(partition(watcher), Write.upsert(begunKey(watcher, address), Values.of("SeenAt", now)));
    }

    private static String begunKey(Watcher watcher, String address) {
        return BEGUN + hash(feed(watcher, address));
    }

    /**
     * Remembers entries. A message is due for new ones, unless they are only marked.
     *
     * @return how many of them were new
     */
    int remember(Watcher watcher, String address, List<FeedEntry> entries, Instant now, boolean marked) {
        int fresh = 0;
        int size = TableStore.MAX_BATCH / 2;
        for (int from = 0; from < entries.size(); from += size) {
            List<FeedEntry> part = entries.subList(from, Math.min(from + size, entries.size()));
            List<List<Write>> writes = new ArrayList<>();
            for (int i = 0; i < part.size(); i++) {
                writes.add(writes(key(watcher, address, part.get(i)), part.get(i), from + i, now, marked));
            }
            fresh += insert(watcher, writes);
        }
        return fresh;
    }

    private static List<Write> writes(String key, FeedEntry entry, int place, Instant now, boolean marked) {
        Write row = Write.insert(ENTRY + key, permanent(entry.id(), now, null));
        return marked
                ? List.of(row)
                : List.of(
                        row,
                        Write.insert(
                                OPEN + key,
                                entry.toValues()
                                        .put("SeenAt", now)
                                        .put("Place", place)
                                        .build()));
    }

    /** Inserts all entries at once or, if one of them is known already, one by one. */
    private int insert(Watcher watcher, List<List<Write>> entries) {
        List<Write> all = entries.stream().flatMap(List::stream).toList();
        if (table.write(partition(watcher), all).written()) {
            return entries.size();
        }
        return entries.size() == 1
                ? 0
                : entries.stream()
                        .mapToInt(one -> insert(watcher, List.of(one)))
                        .sum();
    }

    /** Returns the entries without a message, oldest first. */
    List<PendingEntry> waiting(Watcher watcher) {
        return table.first(KeyRange.prefix(partition(watcher), OPEN), MAX_WAITING, null).items().stream()
                .map(PendingEntry::of)
                .sorted(Comparator.comparing(PendingEntry::seenAt).thenComparing(PendingEntry::place))
                .toList();
    }

    /** Chooses the message of entries that have none, permanently, unless another process chose or created it. */
    void assignMessage(Watcher watcher, List<PendingEntry> entries, MessageRef message, Instant now) {
        List<Write> writes = new ArrayList<>();
        for (PendingEntry entry : entries) {
            writes.add(Write.upsert(ENTRY + entry.key(), permanent(entry.entry().id(), entry.seenAt(), message)));
            writes.add(Write.replace(
                    entry.row(),
                    entry.row().values().with("MessageRef", message.value()).with("At", now)));
        }
        table.write(partition(watcher), writes);
    }

    /** Records that the entries' message exists, or that they get none. */
    void done(Watcher watcher, List<PendingEntry> entries) {
        for (int from = 0; from < entries.size(); from += TableStore.MAX_BATCH) {
            List<PendingEntry> part = entries.subList(from, Math.min(from + TableStore.MAX_BATCH, entries.size()));
            table.write(
                    partition(watcher),
                    part.stream().map(entry -> Write.delete(entry.row())).toList());
        }
    }

    private static Values permanent(String id, Instant seenAt, @Nullable MessageRef message) {
        return Values.builder()
                .put("EntryId", id)
                .put("SeenAt", seenAt)
                .put("MessageRef", message == null ? null : message.value())
                .build();
    }

    private static String partition(Watcher watcher) {
        return KeyEscaper.escape(watcher.name());
    }

    /**
     * Returns the key of an entry. It contains the address, because two feeds may use the same ids, and distinguishes
     * this watcher from an earlier one of the same name.
     */
    static String key(Watcher watcher, String address, FeedEntry entry) {
        return hash(feed(watcher, address) + " " + entry.id());
    }

    private static String feed(Watcher watcher, String address) {
        return watcher.createdAt() + " " + address;
    }

    static String hash(String text) {
        return Base64.encodeBase64URLSafeString(DigestUtils.sha256(text));
    }
}
