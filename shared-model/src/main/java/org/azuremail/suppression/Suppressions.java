package org.azuremail.suppression;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Write;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The addresses to which no list may send: the table {@code suppression}, in {@value #PARTITIONS} partitions by the
 * hash that also selects the shards of lists. So the walk of a shard reads few of them, in its own order. Every change
 * is one conditional write of one row; repeating it changes nothing. Safe for use from many threads and processes.
 */
public final class Suppressions {

    static final int PARTITIONS = 16;

    private static final int PAGE = 1000;

    /** The time for which the walks of this process share one read of a small table. */
    private static final Duration CACHE_TTL = Duration.ofSeconds(5);

    /** The time for which a table that was too large for one call is not read as a whole again. */
    private static final Duration LARGE_TABLE_TTL = Duration.ofMinutes(10);

    private final Table table;
    private final SuppressionProperties settings;
    private final Time time;

    /** The whole table as last read, if one call was enough for it. */
    private record CachedTable(@Nullable Map<String, Row> rows, Duration untilElapsed) {}

    private volatile @Nullable CachedTable cachedTable;

    Suppressions(Storage storage, SuppressionProperties settings, Time time) {
        this.table = new Table(storage.tables(), "suppression");
        this.settings = settings;
        this.time = time;
    }

    /** Returns the record of an address; one call. */
    public Optional<Suppression> find(EmailAddress address) {
        return row(address).map(row -> Suppression.from(row.values()));
    }

    /** Returns the reason why the address must get no email, if there is one; one call. */
    public Optional<SuppressionReason> findReason(EmailAddress address) {
        return find(address).filter(Suppression::active).map(Suppressions::reason);
    }

    private static SuppressionReason reason(Suppression suppression) {
        return Optional.ofNullable(suppression.since())
                .map(Suppression.SuppressionAction::reason)
                .orElse(SuppressionReason.SUPPRESSED_BY_ADMIN);
    }

    /**
     * Suppresses an address, unless it was released after that time.
     *
     * @param at when the reason arose
     * @param by the admin; empty for an event
     * @return whether this call suppressed the address, which was not suppressed before
     */
    public boolean suppress(EmailAddress address, SuppressionReason reason, Instant at, String by, String why) {
        Suppression.SuppressionAction action = new Suppression.SuppressionAction(reason, at, by, why);
        return change(address, known -> known.suppressed(action));
    }

    /**
     * Records an email that bounced, but not for a reason that suppresses the address at once. Several of them do; the
     * same email counts once.
     *
     * @param generation the generation of the message's sending in which the email was sent
     */
    public void softBounce(EmailAddress address, MessageRef message, int generation, Instant at) {
        String email = message + "." + generation;
        change(address, known -> known.softBounced(email, at, settings.softBounces(), settings.within()));
    }

    /** Removes the rows of addresses that have nothing but soft bounces that are too old to count. */
    void removeOldSoftBounces() {
        Instant old = time.instant().minus(settings.within());
        table.stream(KeyRange.everything())
                .filter(row -> Suppression.from(row.values()).hasOnlySoftBouncesBefore(old))
                .forEach(row -> table.write(row.key().partition(), Write.delete(row)));
    }

    /**
     * Releases the address, so that it gets email again, unless another reason arises meanwhile.
     *
     * @return false if the address is not suppressed
     */
    public boolean release(EmailAddress address, Instant at, String by, String why) {
        Optional<Suppression.SuppressionAction> meant =
                find(address).filter(Suppression::active).map(Suppression::since);
        if (meant.isEmpty()) {
            return false;
        }
        change(
                address,
                known -> known.active() && meant.get().equals(known.since()) ? known.released(at, by, why) : known);
        return true;
    }

    private boolean change(EmailAddress address, UnaryOperator<Suppression> change) {
        try {
            return changed(address, change);
        } finally {
            cachedTable = null;
        }
    }

    private boolean changed(EmailAddress address, UnaryOperator<Suppression> change) {
        return ConditionalWrites.retryIdempotent("the suppression of an address", () -> {
            Optional<Row> existing = row(address);
            Suppression before =
                    existing.map(row -> Suppression.from(row.values())).orElseGet(() -> Suppression.none(address));
            Suppression now = change.apply(before);
            boolean news = now.active() && !before.active();
            boolean settled = now.equals(before)
                    || table.write(partition(address), Write.put(existing, key(address), now.values()))
                            .written();
            return settled ? Optional.of(news) : Optional.empty();
        });
    }

    private Optional<Row> row(EmailAddress address) {
        return table.get(partition(address), key(address));
    }

    private static String key(EmailAddress address) {
        return KeyEscaper.escape(address.folded());
    }

    private static String partition(EmailAddress address) {
        return Integer.toString(MailingList.shardOf(address.folded(), PARTITIONS));
    }

    /**
     * Returns addresses in alphabetical order.
     *
     * @param beginning the beginning of the addresses; empty for all
     * @param after the address at which the previous page ended
     * @return at most {@code limit} addresses; only a missing continuation marks the end, not a short page
     * @throws IllegalArgumentException if no page of this beginning can end there
     */
    public Page<Suppression> page(String beginning, @Nullable String after, int limit, Predicate<Suppression> which) {
        String prefix = KeyEscaper.escape(EmailAddress.fold(beginning.strip()));
        Assert.isTrue(after == null || after.startsWith(prefix), "not a continuation of this beginning");
        List<Row> rows = new ArrayList<>();
        for (int number = 0; number < PARTITIONS; number++) {
            String from = after == null ? prefix : KeyRange.next(KeyEscaper.requireKey(after));
            String to = prefix.isEmpty() ? null : KeyRange.afterPrefix(prefix);
            KeyRange range = KeyRange.rows(Integer.toString(number), from.isEmpty() ? null : from, to);
            rows.addAll(table.first(range, limit + 1, null).items());
        }
        rows.sort(Comparator.comparing(Row::rowKey));
        List<Row> shown = rows.subList(0, Math.min(limit, rows.size()));
        List<Suppression> found = shown.stream()
                .map(row -> Suppression.from(row.values()))
                .filter(which)
                .toList();
        return new Page<>(found, rows.size() > limit ? shown.get(limit - 1).rowKey() : null);
    }

    /**
     * Returns those of the addresses that must get no email; one call while the table is small, otherwise at most one
     * for each partition.
     */
    public Set<EmailAddress> among(Collection<EmailAddress> addresses) {
        List<EmailAddress> ordered = addresses.stream()
                .sorted(Comparator.comparing(Suppressions::key))
                .toList();
        if (ordered.isEmpty()) {
            return Set.of();
        }
        SuppressionLookup lookup = lookupUpTo(ordered.get(ordered.size() - 1), 0, 1);
        return ordered.stream()
                .filter(address -> lookup.findReason(address).isPresent())
                .collect(Collectors.toSet());
    }

    public SuppressionLookup lookup(int shard, int shards) {
        return lookup(shard, shards, null);
    }

    /** Returns a walk that ends at this address and reads nothing beyond it. */
    public SuppressionLookup lookupUpTo(EmailAddress last, int shard, int shards) {
        return lookup(shard, shards, KeyRange.next(key(last)));
    }

    private SuppressionLookup lookup(int shard, int shards, @Nullable String to) {
        return new SuppressionLookup(MailingList.partitionsOf(shard, shards, PARTITIONS)
                .mapToObj(number -> new PartitionReader(Integer.toString(number), to))
                .toList());
    }

    private @Nullable Map<String, Row> wholeTable() {
        CachedTable known = cachedTable;
        if (known == null || known.untilElapsed().compareTo(time.elapsed()) <= 0) {
            Duration now = time.elapsed();
            Page<Row> page = table.first(KeyRange.everything(), PAGE, null);
            known = page.last()
                    ? new CachedTable(
                            page.items().stream().collect(Collectors.toMap(Row::rowKey, row -> row)),
                            now.plus(CACHE_TTL))
                    : new CachedTable(null, now.plus(LARGE_TABLE_TTL));
            cachedTable = known;
        }
        return known.rows();
    }

    /**
     * Looks up addresses in ascending order of row key. One call reads a table of at most a thousand rows, and the
     * walks of this process share the result for a few seconds. Of a larger table, the partitions that can contain the
     * addresses are read, a thousand rows at a time.
     */
    public final class SuppressionLookup {

        private final List<PartitionReader> partitions;
        private boolean begun;
        private @Nullable Map<String, Row> all;

        private SuppressionLookup(List<PartitionReader> partitions) {
            this.partitions = partitions;
        }

        /**
         * Returns the reason why the address must get no email, if there is one.
         *
         * @throws StorageException if the storage is out of reach
         */
        public Optional<SuppressionReason> findReason(EmailAddress address) {
            if (!begun) {
                all = wholeTable();
                begun = true;
            }
            Map<String, Row> known = all;
            if (known != null && known.isEmpty()) {
                return Optional.empty();
            }
            String key = key(address);
            Stream<Row> existing = known != null
                    ? Stream.ofNullable(known.get(key))
                    : partitions.stream().map(partition -> partition.row(key)).flatMap(Optional::stream);
            return existing.map(row -> Suppression.from(row.values()))
                    .filter(Suppression::active)
                    .map(Suppressions::reason)
                    .findFirst();
        }
    }

    private final class PartitionReader {

        private final String partition;
        private final @Nullable String to;
        private List<Row> rows = List.of();
        private int next;
        private boolean end;

        private PartitionReader(String partition, @Nullable String to) {
            this.partition = partition;
            this.to = to;
        }

        private Optional<Row> row(String key) {
            while (next < rows.size() && rows.get(next).rowKey().compareTo(key) < 0) {
                next++;
            }
            if (next == rows.size() && !end) {
                Page<Row> page = table.first(KeyRange.rows(partition, key, to), PAGE, null);
                rows = page.items();
                next = 0;
                end = page.last();
            }
            return next < rows.size() && rows.get(next).rowKey().equals(key)
                    ? Optional.of(rows.get(next))
                    : Optional.empty();
        }
    }
}
