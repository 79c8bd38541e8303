package org.azuremail.delivery.range;

import static org.azuremail.message.MessageStore.ARCHIVE;
import static org.azuremail.message.MessageStore.MESSAGE;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.message.Message;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Email rows, control rows and the archive of outcomes, row by row. Writes of S and R always carry the ETag that was
 * read; the caller reads again to find out what a refusal means.
 *
 * @param holderDead whether the process of the attempt with this nonce has ended; false where this cannot be known
 */
public record DeliveryStore(TableStore tables, DeliveryLimits limits, Predicate<String> holderDead) {

    public record Controls(Optional<Versioned<ShardControl>> shard, List<Versioned<Range>> ranges) {}

    /**
     * Returns whether another attempt may still work on a range: its lease has not ended, and its process is not known
     * to have ended.
     */
    public boolean held(Range range, Instant now) {
        return range.heldAt(now, limits.skew())
                && !holderDead.test(range.claim().nonce());
    }

    /** Reads the control row S. */
    public Optional<Versioned<ShardControl>> shard(ShardKey key) {
        return tables.get(MESSAGE, key.partition(), ShardControl.ROW)
                .map(row -> new Versioned<>(ShardControl.from(row.values()), row.etag()));
    }

    /** Reads the control row R. */
    public Optional<Versioned<Range>> range(RangeKey key) {
        return tables.get(MESSAGE, key.shard().partition(), key.row())
                .map(row -> new Versioned<>(Range.from(key, row.values()), row.etag()));
    }

    /** Reads S and every R of a shard, in one walk over its control rows. */
    public Controls controls(ShardKey key) {
        List<Versioned<Range>> ranges = new ArrayList<>();
        Versioned<ShardControl> shard = null;
        for (Row row : Rows.all(tables, MESSAGE, KeyRange.prefix(key.partition(), "!"))) {
            if (row.rowKey().equals(ShardControl.ROW)) {
                shard = new Versioned<>(ShardControl.from(row.values()), row.etag());
            } else {
                RangeKey range = new RangeKey(key, Integer.parseInt(row.rowKey().substring("!range".length())));
                ranges.add(new Versioned<>(Range.from(range, row.values()), row.etag()));
            }
        }
        return new Controls(Optional.ofNullable(shard), ranges);
    }

    /** Returns every R of a message, read shard by shard as the stream is consumed. */
    public Stream<Versioned<Range>> ranges(Message message) {
        return ShardKey.all(message).flatMap(key -> controls(key).ranges().stream());
    }

    /** Inserts S; {@code Exists} when the shard has one. */
    public WriteResult insertShard(ShardKey key, ShardControl shard) {
        return tables.write(MESSAGE, key.partition(), Write.insert(ShardControl.ROW, shard.toValues()));
    }

    public WriteResult replaceShard(ShardKey key, Versioned<ShardControl> old, ShardControl next) {
        return fanOut(key, old, next, List.of(), List.of());
    }

    /** Writes one fan-out batch, all or nothing: email rows, S and the ranges that it closes. */
    public WriteResult fanOut(
            ShardKey key, Versioned<ShardControl> old, ShardControl next, List<Write> emailRows, List<Range> closed) {
        List<Write> writes = new ArrayList<>(emailRows);
        writes.add(new Write.Replace(ShardControl.ROW, next.toValues(), old.etag()));
        for (Range range : closed) {
            writes.add(Write.insert(range.key().row(), range.toValues()));
        }
        return tables.write(MESSAGE, key.partition(), writes);
    }

    /**
     * Returns the insert of a recipient's email row.
     *
     * @param suppressed the reason why the address must not be emailed, or none; the sender then only records it
     */
    public Write emailRow(
            Recipient recipient, Message message, String fromEmail, Optional<? extends Reason.Code> suppressed) {
        return Write.insert(recipient.rowKey(), EmailRow.values(recipient.toValues(message, fromEmail), suppressed));
    }

    public WriteResult replaceRange(Versioned<Range> old, Range next) {
        return change(old, next, List.of());
    }

    /**
     * Changes R from outside, whatever its holder does: after a refused write, R is read again.
     *
     * @param change returns {@code null} when there is nothing to change
     * @return R as it was written; empty when there was nothing to change
     */
    public Optional<Range> rewrite(Versioned<Range> read, Function<Range, @Nullable Range> change) {
        Iterator<Versioned<Range>> first = List.of(read).iterator();
        RangeKey key = read.value().key();
        return ConditionalWrites.retry("range " + key, () -> {
            Versioned<Range> now = first.hasNext() ? first.next() : range(key).orElse(null);
            Range next = now == null ? null : change.apply(now.value());
            if (now == null || next == null) {
                return Optional.of(Optional.empty());
            }
            return replaceRange(now, next).written() ? Optional.of(Optional.of(next)) : Optional.empty();
        });
    }

    /** Writes one batch of a range, all or nothing: R under its ETag, and changes of its email rows. */
    public WriteResult change(Versioned<Range> old, Range next, List<Write> emailRows) {
        List<Write> writes = new ArrayList<>(emailRows);
        writes.add(new Write.Replace(next.key().row(), next.toValues(), old.etag()));
        return tables.write(MESSAGE, next.key().shard().partition(), writes);
    }

    /** Writes email rows and control rows of a shard, all or nothing. */
    public WriteResult write(ShardKey key, List<Write> writes) {
        return tables.write(MESSAGE, key.partition(), writes);
    }

    /** Returns the remaining email rows of the range, in order. */
    public List<EmailRow> waiting(Range range) {
        return Rows.stream(tables, MESSAGE, span(range))
                .map(row -> new EmailRow(Recipient.from(row.values()), row))
                .filter(waiting ->
                        waiting.recipient().generation() == range.span().generation())
                .toList();
    }

    /** Returns the row keys of all email rows between the range's bounds, including other generations. */
    public Set<String> emailRows(Range range) {
        return Rows.stream(tables, MESSAGE, span(range)).map(Row::rowKey).collect(Collectors.toSet());
    }

    /** Returns the archive's outcomes between the range's bounds, of every generation, by row key. */
    public Map<String, RecordedOutcome> recorded(Range range) {
        Map<String, RecordedOutcome> outcomes = new TreeMap<>();
        for (Row row : Rows.all(tables, ARCHIVE, span(range))) {
            outcomes.put(row.rowKey(), recorded(row));
        }
        return outcomes;
    }

    public Optional<EmailRow> waitingRow(ShardKey key, String rowKey) {
        return tables.get(MESSAGE, key.partition(), rowKey).map(row -> new EmailRow(Recipient.from(row.values()), row));
    }

    public Optional<RecordedOutcome> outcome(ShardKey key, String rowKey) {
        return tables.get(ARCHIVE, key.partition(), rowKey).map(DeliveryStore::recorded);
    }

    /** Returns a page of a shard's outcomes in order of address. */
    public Page<RecordedOutcome> outcomes(ShardKey key, int limit, @Nullable String continuation) {
        KeyRange all = KeyRange.prefix(key.partition(), Recipient.PREFIX);
        return Rows.first(tables, ARCHIVE, all, limit, continuation).map(DeliveryStore::recorded);
    }

    /**
     * Returns outcomes of a shard between two row keys, after another row key.
     *
     * @param to inclusive
     * @param after exclusive; may be empty
     */
    public Page<RecordedOutcome> outcomes(ShardKey key, String from, String to, String after, int limit) {
        String begin = after.compareTo(from) < 0 ? from : KeyRange.next(after);
        KeyRange span = KeyRange.rows(key.partition(), begin, KeyRange.next(to));
        return Rows.first(tables, ARCHIVE, span, limit, null).map(DeliveryStore::recorded);
    }

    /**
     * Deletes outcomes of a shard, batch by batch.
     *
     * @param max the number to delete; up to a batch more may be deleted
     * @return the number of deleted outcomes; fewer than {@code max} when none is left
     */
    public int removeOutcomes(ShardKey key, int max) {
        KeyRange all = KeyRange.prefix(key.partition(), Recipient.PREFIX);
        int removed = 0;
        List<Row> rows =
                Rows.first(tables, ARCHIVE, all, TableStore.MAX_BATCH, null).items();
        while (!rows.isEmpty() && removed < max) {
            tables.write(
                    ARCHIVE,
                    key.partition(),
                    rows.stream().map(row -> Write.delete(row.rowKey())).toList());
            removed += rows.size();
            rows = Rows.first(tables, ARCHIVE, all, TableStore.MAX_BATCH, null).items();
        }
        return removed;
    }

    /** Returns a page of a shard's email rows, in order of address. */
    public Page<Recipient> waiting(ShardKey key, int limit, @Nullable String continuation) {
        KeyRange all = KeyRange.prefix(key.partition(), Recipient.PREFIX);
        return Rows.first(tables, MESSAGE, all, limit, continuation).map(row -> Recipient.from(row.values()));
    }

    private static RecordedOutcome recorded(Row row) {
        return RecordedOutcome.from(row.rowKey(), row.values());
    }

    private static KeyRange span(Range range) {
        return KeyRange.rows(
                range.key().shard().partition(),
                range.span().from(),
                KeyRange.next(range.span().to()));
    }
}
