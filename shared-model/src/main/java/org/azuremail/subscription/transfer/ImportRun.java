package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVRecord;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.time.Time;

/**
 * Does an import, chunk by chunk, and keeps what it reached after each. Before the first chunk the whole file is read once,
 * so that a file which cannot be read to its end changes nothing at all.
 */
record ImportRun(
        TableStore tables,
        BlobStore blobs,
        ListStore lists,
        ShardWriter writer,
        ImportStore imports,
        Parallel parallel,
        int chunkRows,
        FieldStore fields,
        IdSource ids,
        Time time) {

    /**
     * Goes on with an import until it is finished or somebody wants it to stop; then it returns in order, and whoever runs
     * it next goes on.
     *
     * @return whether it is finished
     */
    boolean run(ImportId id, BooleanSupplier stopping) throws IOException {
        Optional<Versioned<SubscriberImport>> now = imports.find(id);
        while (now.isPresent() && now.get().value().state() == SubscriberImport.State.RUNNING) {
            if (stopping.getAsBoolean()) {
                return false;
            }
            now = goOn(now.get(), stopping);
        }
        return true;
    }

    /** After failures that have nothing to do with the storage: a mistake of the program, most likely. */
    void giveUp(ImportId id) {
        imports.find(id)
                .filter(now -> now.value().state() == SubscriberImport.State.RUNNING)
                .ifPresent(now -> fail(now, Reason.of(ImportReason.IMPORT_BROKE)));
    }

    private Optional<Versioned<SubscriberImport>> goOn(Versioned<SubscriberImport> now, BooleanSupplier stopping)
            throws IOException {
        SubscriberImport some = now.value();
        Optional<MailingList> list = lists.findActive(some.list());
        if (list.isEmpty()) {
            return fail(
                    now, Reason.of(ImportReason.IMPORT_LIST_GONE, some.list().value()));
        }
        Optional<BlobStore.OpenBlob> blob =
                blobs.open(Imports.CONTAINER, some.id().value());
        if (blob.isEmpty()) {
            return fail(now, Reason.of(ImportReason.FILE_GONE));
        }
        try (CsvFile file = CsvFile.open(blob.get().content(), some.file().encoding())) {
            return some.total() == null ? check(now, file) : chunks(now, list.get(), file, stopping);
        } catch (CsvFile.Broken broken) {
            return fail(now, broken.reason());
        }
    }

    private Optional<Versioned<SubscriberImport>> fail(Versioned<SubscriberImport> now, Reason reason) {
        return save(now, now.value().failed(reason, time.instant()));
    }

    /** @return what is stored now, also when it is somebody else's */
    private Optional<Versioned<SubscriberImport>> save(Versioned<SubscriberImport> read, SubscriberImport next) {
        Saved<SubscriberImport> saved = imports.save(next, read.etag());
        return saved instanceof Saved.Conflict<SubscriberImport> conflict
                ? Optional.of(conflict.current())
                : saved.done();
    }

    private Optional<Versioned<SubscriberImport>> check(Versioned<SubscriberImport> now, CsvFile file)
            throws CsvFile.Broken {
        long rows = 0;
        while (file.next() != null) {
            rows++;
        }
        try {
            lists.addAttributes(now.value().list(), file.columns().attributeNames());
        } catch (IllegalArgumentException tooMany) {
            return fail(now, Reason.of(ImportReason.FILE_ATTRIBUTES, String.valueOf(tooMany.getMessage())));
        }
        imports.keepColumns(now.value().id(), file.columns().others(file.header()));
        return save(now, now.value().checked(rows));
    }

    private Optional<Versioned<SubscriberImport>> chunks(
            Versioned<SubscriberImport> read, MailingList list, CsvFile file, BooleanSupplier stopping)
            throws CsvFile.Broken {
        for (long done = 0; done < read.value().counts().rows(); done++) {
            file.next();
        }
        Versioned<SubscriberImport> now = read;
        while (!stopping.getAsBoolean()) {
            Chunk chunk = read(file, fields.of(list));
            if (chunk.rows() == 0) {
                return save(now, now.value().completed(time.instant()));
            }
            SubscriberImport next = now.value().advancedTo(bringIn(now.value(), list, chunk));
            Saved<SubscriberImport> saved = imports.save(next, now.etag());
            if (saved.done().isEmpty()) {
                return imports.find(next.id());
            }
            now = saved.done().get();
            imports.announce(next.id(), time.instant());
        }
        return Optional.of(now);
    }

    /** Refusals that were written down in an earlier attempt stand. */
    private SubscriberImport.Counts bringIn(SubscriberImport some, MailingList list, Chunk chunk) {
        Set<Long> refused = new HashSet<>();
        imports.refused(some.id(), chunk.first(), chunk.last()).forEach(row -> refused.add(row.row()));
        imports.refuse(
                some.id(),
                chunk.bad().stream().filter(row -> !refused.contains(row.row())).toList());
        Map<Integer, List<ImportRow>> byShard = chunk.good().stream()
                .filter(row -> !refused.contains(row.number()))
                .collect(Collectors.groupingBy(row -> list.shardOf(row.address())));
        ImportDecision decision = new ImportDecision(list, some, some.counts().rows() / chunkRows, ids);
        ImportProgress sum = parallel
                .all(IntStream.range(0, list.shards())
                        .mapToObj(shard -> shardTask(some, list, decision, shard, byShard))
                        .toList())
                .stream()
                .reduce(ImportProgress.NONE, ImportProgress::plus);
        long newlyRefused =
                imports.refused(some.id(), chunk.first(), chunk.last()).count();
        return new SubscriberImport.Counts(
                some.counts().rows() + chunk.rows(),
                sum.imported(),
                sum.updated(),
                some.counts().refused() + newlyRefused,
                sum.repeated(),
                sum.smtpUtf8());
    }

    private Supplier<ImportProgress> shardTask(
            SubscriberImport some,
            MailingList list,
            ImportDecision decision,
            int shard,
            Map<Integer, List<ImportRow>> byShard) {
        ShardImport task = new ShardImport(tables, writer, imports, time, list, some.id(), decision, shard);
        return () -> task.write(byShard.getOrDefault(shard, List.of()));
    }

    private record Chunk(long rows, long first, long last, List<ImportRow> good, List<RefusedRow> bad) {}

    private Chunk read(CsvFile file, ListFields known) throws CsvFile.Broken {
        List<ImportRow> good = new ArrayList<>();
        List<RefusedRow> bad = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        long first = file.line() + 1;
        long last = first;
        long rows = 0;
        for (CSVRecord row = file.next(); row != null; row = rows < chunkRows ? file.next() : null) {
            rows++;
            last = file.line();
            List<String> others = file.columns().others(row.toList());
            String text = file.columns().email(row);
            Optional<EmailAddress> address = EmailAddress.parse(text);
            Reason why = address.isPresent()
                    ? Reason.NONE
                    : Reason.of(text.isEmpty() ? ImportReason.ROW_NO_ADDRESS : ImportReason.ROW_NOT_AN_ADDRESS);
            try {
                Profile profile = file.columns().profile(row, known);
                if (address.isEmpty()) {
                    bad.add(new RefusedRow(last, text, why, others));
                } else {
                    boolean again = !seen.add(address.get().folded());
                    good.add(new ImportRow(last, address.get(), profile, others, again));
                }
            } catch (ImportColumns.Refused refused) {
                bad.add(new RefusedRow(last, text, why.and(refused.reason()), others));
            }
        }
        return new Chunk(rows, first, last, good, bad);
    }
}
