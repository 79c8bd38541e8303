package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVRecord;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.ParallelCalls;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.transfer.ImportBatch.ImportRow;
import org.azuremail.subscription.transfer.ImportRefusedException.ImportReason;
import org.azuremail.subscription.transfer.Imports.ImportItem;
import org.azuremail.subscription.transfer.Imports.RefusedRow;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs imports, each in one process at a time, chunk by chunk, and saves the progress after each chunk. After a stop or
 * a crash, the next delivery continues. Before the first chunk, the whole file is read once, so that a file that cannot
 * be read to its end changes nothing.
 */
@ConditionalOnRole(Role.SCHEDULER)
record ImportService(
        TableStore tables,
        BlobStore blobs,
        ListStore lists,
        ShardWriter writer,
        ImportStore imports,
        ParallelCalls threads,
        ImportProperties properties,
        FieldStore fields,
        WorkQueues queues,
        IdSource ids,
        Time time)
        implements QueueService<ImportItem> {

    private static final Logger LOG = LoggerFactory.getLogger(ImportService.class);
    private static final int MAX_DELIVERIES = 20;

    @Override
    public ItemType<ImportItem> itemType() {
        return ImportItem.TYPE;
    }

    @Override
    public int concurrency() {
        return 2;
    }

    /** Returns false, because the import itself records the failure that stops it permanently. */
    @Override
    public boolean deadLetters() {
        return false;
    }

    @Override
    public WorkResult handle(ImportItem item, Delivery delivery) throws IOException {
        try {
            boolean finished = run(item.id(), delivery::stopping);
            if (!finished) {
                return new WorkResult.RetryAfter(Duration.ZERO);
            }
            queues.needAttention();
            return WorkResult.DONE;
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            if (delivery.dequeueCount() < MAX_DELIVERIES) {
                throw e;
            }
            LOG.error("Import {} is given up.", item.id(), e);
            giveUp(item.id());
            queues.needAttention();
            return WorkResult.DONE;
        }
    }

    /** Continues an import until it is finished or the process stops, in which case the next run continues it. */
    private boolean run(ImportId id, BooleanSupplier stopping) throws IOException {
        Optional<Versioned<SubscriberImport>> now = imports.find(id);
        while (now.isPresent() && now.get().value().state() == SubscriberImport.State.RUNNING) {
            if (stopping.getAsBoolean()) {
                return false;
            }
            now = advance(now.get(), stopping);
        }
        return true;
    }

    /** Fails an import permanently, after failures that are probably a bug and not caused by the storage. */
    private void giveUp(ImportId id) {
        imports.find(id)
                .filter(now -> now.value().state() == SubscriberImport.State.RUNNING)
                .ifPresent(now -> fail(now, Reason.of(ImportReason.IMPORT_BROKE)));
    }

    private Optional<Versioned<SubscriberImport>> advance(Versioned<SubscriberImport> now, BooleanSupplier stopping)
            throws IOException {
        SubscriberImport subscriberImport = now.value();
        Optional<MailingList> list = lists.findActive(subscriberImport.list()).filter(subscriberImport::isFor);
        if (list.isEmpty()) {
            return fail(
                    now,
                    Reason.of(
                            ImportReason.IMPORT_LIST_GONE,
                            subscriberImport.list().value()));
        }
        Optional<BlobStore.OpenBlob> blob =
                blobs.open(Imports.CONTAINER, subscriberImport.id().value());
        if (blob.isEmpty()) {
            return fail(now, Reason.of(ImportReason.FILE_GONE));
        }
        try (CsvFile file =
                CsvFile.open(blob.get().content(), subscriberImport.file().encoding())) {
            return subscriberImport.total() == null ? check(now, file) : chunks(now, list.get(), file, stopping);
        } catch (ImportRefusedException refusal) {
            return fail(now, refusal.reason());
        }
    }

    private Optional<Versioned<SubscriberImport>> fail(Versioned<SubscriberImport> now, Reason reason) {
        return save(now, now.value().failed(reason, time.instant()));
    }

    /** @return the import as it is saved, even if another process saved it */
    private Optional<Versioned<SubscriberImport>> save(Versioned<SubscriberImport> read, SubscriberImport next) {
        Saved<SubscriberImport> saved = imports.save(next, read.etag());
        return saved instanceof Saved.Conflict<SubscriberImport> conflict
                ? Optional.of(conflict.current())
                : saved.done();
    }

    private Optional<Versioned<SubscriberImport>> check(Versioned<SubscriberImport> now, CsvFile file)
            throws ImportRefusedException {
        long rows = 0;
        while (file.next() != null) {
            rows++;
        }
        try {
            lists.addAttributes(now.value().list(), file.columns().attributeNames());
        } catch (IllegalArgumentException tooMany) {
            return fail(now, Reason.of(ImportReason.FILE_MORE_ATTRIBUTES, MailingList.MAX_ATTRIBUTES));
        }
        imports.keepColumns(now.value().id(), file.columns().others(file.header()));
        return save(now, now.value().checked(rows));
    }

    private Optional<Versioned<SubscriberImport>> chunks(
            Versioned<SubscriberImport> read, MailingList list, CsvFile file, BooleanSupplier stopping)
            throws ImportRefusedException {
        for (long done = 0; done < read.value().counts().rows(); done++) {
            file.next();
        }
        Versioned<SubscriberImport> now = read;
        while (!stopping.getAsBoolean()) {
            Chunk chunk = read(file, fields.of(list));
            if (chunk.rows() == 0) {
                return save(now, now.value().completed(time.instant()));
            }
            SubscriberImport next = now.value().advancedTo(importChunk(now.value(), list, chunk));
            Saved<SubscriberImport> saved = imports.save(next, now.etag());
            if (saved.done().isEmpty()) {
                return imports.find(next.id());
            }
            now = saved.done().get();
            imports.announce(next.id(), time.instant());
        }
        return Optional.of(now);
    }

    /** Imports a chunk. Refusals saved by an earlier attempt stay valid. */
    private SubscriberImport.Counts importChunk(SubscriberImport subscriberImport, MailingList list, Chunk chunk) {
        Set<Long> refused = new HashSet<>();
        imports.refused(subscriberImport.id(), chunk.first(), chunk.last()).forEach(row -> refused.add(row.row()));
        imports.saveRefused(
                subscriberImport.id(),
                chunk.bad().stream().filter(row -> !refused.contains(row.row())).toList());
        Map<Integer, List<ImportRow>> byShard = chunk.good().stream()
                .filter(row -> !refused.contains(row.number()))
                .collect(Collectors.groupingBy(row -> list.shardOf(row.address())));
        ImportDecision decision = new ImportDecision(
                list, subscriberImport, subscriberImport.counts().rows() / properties.chunk(), ids);
        List<Supplier<ImportProgress>> shards = new ArrayList<>();
        for (int shard = 0; shard < list.shards(); shard++) {
            ShardImport task = new ShardImport(this, list, subscriberImport.id(), decision, shard);
            List<ImportRow> rows = byShard.getOrDefault(shard, List.of());
            shards.add(() -> task.write(rows));
        }
        ImportProgress sum = threads.invokeAll(shards).stream().reduce(ImportProgress.NONE, ImportProgress::plus);
        long newlyRefused = imports.refused(subscriberImport.id(), chunk.first(), chunk.last())
                .count();
        return new SubscriberImport.Counts(
                subscriberImport.counts().rows() + chunk.rows(),
                sum.imported(),
                sum.updated(),
                subscriberImport.counts().refused() + newlyRefused,
                sum.repeated(),
                sum.smtpUtf8());
    }

    private record Chunk(long rows, long first, long last, List<ImportRow> good, List<RefusedRow> bad) {}

    private Chunk read(CsvFile file, ListFields known) throws ImportRefusedException {
        List<ImportRow> good = new ArrayList<>();
        List<RefusedRow> bad = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        long first = file.line() + 1;
        long last = first;
        long rows = 0;
        for (CSVRecord row = file.next(); row != null; row = rows < properties.chunk() ? file.next() : null) {
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
                    boolean unconfirmed = file.columns().unconfirmed(row);
                    good.add(new ImportRow(last, address.get(), profile, others, unconfirmed, again));
                }
            } catch (ImportRefusedException refused) {
                bad.add(new RefusedRow(last, text, why.and(refused.reason()), others));
            }
        }
        return new Chunk(rows, first, last, good, bad);
    }
}
