package org.azuremail.subscription.transfer;

import org.azuremail.field.FieldStore;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;

/** The parts of imports, put together once; public, so that tests of other features need no container. */
public final class ImportFeature implements AutoCloseable {

    private final Imports imports;
    private final ImportService service;
    private final ImportSweep sweep;
    private final Parallel parallel;

    public ImportFeature(
            Storage storage,
            ListStore lists,
            ShardWriter writer,
            WorkQueues queues,
            IdSource ids,
            Time time,
            ImportProperties properties) {
        ImportStore store = new ImportStore(storage.tables());
        this.parallel = new Parallel(properties.parallelism());
        this.imports = new Imports(lists, storage.blobs(), store, queues, ids, time, properties);
        ImportRun run = new ImportRun(
                storage.tables(),
                storage.blobs(),
                lists,
                writer,
                store,
                parallel,
                properties.chunk(),
                new FieldStore(storage.tables(), lists, time),
                ids,
                time);
        this.service = new ImportService(run, queues::needAttention);
        this.sweep = new ImportSweep(storage.tables(), storage.blobs(), lists, store, queues, time, properties);
    }

    public Imports imports() {
        return imports;
    }

    /** Works imports off; one role runs it. */
    public QueueService<ImportItem> service() {
        return service;
    }

    /** Looks after imports; one role runs it. */
    public ScheduledService sweep() {
        return sweep;
    }

    @Override
    public void close() {
        parallel.close();
    }
}
