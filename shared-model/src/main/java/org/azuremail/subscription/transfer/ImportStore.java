package org.azuremail.subscription.transfer;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.list.ListName;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.subscription.subscriber.ColumnJson;
import org.azuremail.subscription.transfer.Imports.RefusedRow;
import org.azuremail.subscription.transfer.SubscriberImport.ImportFile;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.jspecify.annotations.Nullable;

/**
 * Imports in the table {@code imports}. The partition of an import's id contains its state and the refused rows of its
 * file; {@code .running} is an index of all imports that are under way or kept.
 */
record ImportStore(TableStore tables, ServiceChoreIndex chores) {

    static final String TABLE = "imports";

    private static final Comparator<Row> LATEST_FIRST = Comparator.comparing(
                    (Row row) -> row.values().requireInstant("QueuedAt"))
            .reversed()
            .thenComparing(Row::rowKey);

    private static final String INDEX = ".running";
    private static final String STATE = "import";
    private static final String REFUSED = "refused:";
    private static final String COLUMNS = "columns";
    private static final String OTHERS = "OtherCells";
    private static final int MAX_OTHERS = 12_000;

    /** The longest stored reason, in characters; reasons about several choices list all their options. */
    private static final int MAX_REASON = 16_000;

    ImportStore {
        tables.createTable(TABLE);
    }

    Optional<Versioned<SubscriberImport>> find(ImportId id) {
        return tables.get(TABLE, id.value(), STATE).map(row -> new Versioned<>(read(id, row.values()), row.etag()));
    }

    Saved<SubscriberImport> create(SubscriberImport created) {
        return ConditionalWrites.insert(
                tables, TABLE, key(created), values(created), stored -> read(created.id(), stored));
    }

    Saved<SubscriberImport> save(SubscriberImport changed, String etag) {
        return ConditionalWrites.replace(
                tables, TABLE, key(changed), values(changed), etag, stored -> read(changed.id(), stored));
    }

    private static Key key(SubscriberImport subscriberImport) {
        return new Key(subscriberImport.id().value(), STATE);
    }

    /** Adds the import to the index, before any other row of it exists; {@code at} is when it was last queued. */
    void announce(ImportId id, Instant at) {
        chores.announce(ImportSweep.NAME, at);
        tables.write(TABLE, INDEX, Write.upsert(id.value(), Values.of("QueuedAt", at)));
    }

    List<Row> latestFirst() {
        return Rows.stream(tables, TABLE, KeyRange.partition(INDEX))
                .sorted(LATEST_FIRST)
                .toList();
    }

    static boolean tidied(Row indexRow) {
        return indexRow.values().bool("Tidied", false);
    }

    void markTidied(Row indexRow) {
        tables.write(TABLE, INDEX, Write.replace(indexRow, indexRow.values().with("Tidied", true)));
    }

    void forget(Row indexRow) {
        tables.write(TABLE, INDEX, Write.delete(indexRow));
    }

    void remove(ImportId id) {
        Rows.deleteAll(tables, TABLE, KeyRange.partition(id.value()));
    }

    /** Saves refusals; saving them again changes nothing. */
    void saveRefused(ImportId id, List<RefusedRow> rows) {
        List<Write> writes = rows.stream().map(ImportStore::refusal).toList();
        BatchBudget.divide(id.value(), TableStore.MAX_BATCH, writes, write -> write)
                .forEach(batch -> tables.write(TABLE, id.value(), batch));
    }

    private static Write refusal(RefusedRow row) {
        return Write.upsert(
                key(row.row()),
                Values.builder()
                        .put("EmailAddress", row.address())
                        .put("Reason", row.reason().stored(MAX_REASON))
                        .put(OTHERS, others(row))
                        .build());
    }

    private static @Nullable String others(RefusedRow row) {
        String json = row.others().isEmpty() ? "" : ColumnJson.write(row.others());
        return json.isEmpty() || json.length() > MAX_OTHERS ? null : json;
    }

    /**
     * Returns the refused rows between two lines, both inclusive, in order; they are read as the stream is consumed.
     */
    Stream<RefusedRow> refused(ImportId id, long from, long to) {
        return Rows.stream(tables, TABLE, KeyRange.rows(id.value(), key(from), KeyRange.next(key(to))))
                .map(ImportStore::refusedRow);
    }

    Stream<RefusedRow> refused(ImportId id) {
        return Rows.stream(tables, TABLE, KeyRange.prefix(id.value(), REFUSED)).map(ImportStore::refusedRow);
    }

    private static RefusedRow refusedRow(Row row) {
        return new RefusedRow(
                Long.parseLong(row.rowKey().substring(REFUSED.length())),
                row.values().string("EmailAddress", ""),
                Reason.read(row.values().string("Reason")),
                cells(row.values()));
    }

    /** Saves the headings except for the address, for the file of refused rows. */
    void keepColumns(ImportId id, List<String> headings) {
        String json = ColumnJson.write(headings);
        if (json.length() <= Values.MAX_STRING_LENGTH) {
            tables.write(TABLE, id.value(), Write.upsert(COLUMNS, Values.of(OTHERS, json)));
        }
    }

    /** Returns the headings; empty for an import of an older version, or if they are very long. */
    List<String> columns(ImportId id) {
        return tables.get(TABLE, id.value(), COLUMNS)
                .map(row -> cells(row.values()))
                .orElse(List.of());
    }

    private static List<String> cells(Values values) {
        String json = values.string(OTHERS);
        return json == null ? List.of() : ColumnJson.cells(json);
    }

    private static String key(long row) {
        return REFUSED + String.format(Locale.ROOT, "%012d", row);
    }

    private static Values values(SubscriberImport subscriberImport) {
        SubscriberImport.Counts counts = subscriberImport.counts();
        return Values.builder()
                .put("ListName", subscriberImport.list().value())
                .put("ListCreatedAt", subscriberImport.listCreated())
                .put("Verified", subscriberImport.verified())
                .put("StartedBy", subscriberImport.startedBy())
                .put("StartedAt", subscriberImport.startedAt())
                .put("Content", subscriberImport.file().content())
                .put("FileName", subscriberImport.file().name())
                .put("Encoding", subscriberImport.file().encoding().stored())
                .put("EncodingChosen", subscriberImport.file().chosen())
                .put("State", subscriberImport.state().name())
                .put(
                        "Reason",
                        subscriberImport.reason().none()
                                ? null
                                : subscriberImport.reason().stored())
                .put("Total", subscriberImport.total())
                .put("Rows", counts.rows())
                .put("Imported", counts.imported())
                .put("Updated", counts.updated())
                .put("Refused", counts.refused())
                .put("Repeated", counts.repeated())
                .put("SmtpUtf8", counts.smtpUtf8())
                .put("FinishedAt", subscriberImport.finishedAt())
                .build();
    }

    private static SubscriberImport read(ImportId id, Values values) {
        return new SubscriberImport(
                id,
                new ListName(values.requireString("ListName")),
                values.instant("ListCreatedAt"),
                values.bool("Verified", false),
                values.string("StartedBy", ""),
                values.requireInstant("StartedAt"),
                file(values),
                SubscriberImport.State.valueOf(values.requireString("State")),
                Reason.read(values.string("Reason")),
                total(values),
                new SubscriberImport.Counts(
                        values.number("Rows", 0),
                        values.number("Imported", 0),
                        values.number("Updated", 0),
                        values.number("Refused", 0),
                        values.number("Repeated", 0),
                        values.number("SmtpUtf8", 0)),
                values.instant("FinishedAt"));
    }

    private static ImportFile file(Values values) {
        FileEncoding encoding =
                FileEncoding.parse(values.string("Encoding", "")).orElse(FileEncoding.UTF_8);
        return new ImportFile(
                values.string("Content"),
                values.string("FileName", ""),
                encoding,
                values.bool("EncodingChosen", false));
    }

    private static @Nullable Long total(Values values) {
        long total = values.number("Total", -1);
        return total < 0 ? null : total;
    }
}
