package org.azuremail.subscription.transfer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.app.Wiring;
import org.azuremail.id.IdSource;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.Deliveries;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.transfer.Imports.ImportItem;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.time.Time;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.ScheduledService;
import org.springframework.util.unit.DataSize;

/** Imports on top of a {@link SubscriptionWorld}. */
public final class ImportWorld {

    static final int MOST = 10;

    private final int chunk;

    public final SubscriptionWorld world;
    private Wiring wiring;

    ImportWorld() {
        this(4);
    }

    public ImportWorld(int chunk) {
        this(chunk, MailingList.DEFAULT_SHARDS);
    }

    ImportWorld(int chunk, int shards) {
        this.world = new SubscriptionWorld(OptIn.DOUBLE, shards);
        this.chunk = chunk;
        world.storage.queues().createQueue(ImportItem.TYPE.queue());
        wiring = wiring(world.storage);
    }

    void restart(Storage storage) {
        world.restart(storage);
        wiring = wiring(storage);
    }

    private Wiring wiring(Storage storage) {
        return wiring(
                storage,
                world.feature,
                InlineWork.queues(storage, ImportItem.TYPE),
                world.ids,
                world.time,
                new ImportProperties(DataSize.ofMegabytes(1), 1, chunk, Duration.ofDays(30), MOST));
    }

    /** Returns imports wired as in production. */
    static Wiring wiring(
            Storage storage,
            SubscriptionFeature subscriptions,
            WorkQueues queues,
            IdSource ids,
            Time time,
            ImportProperties properties) {
        Wiring wiring = new Wiring("storage", "list", "subscription", "subscription.transfer");
        wiring.give(storage);
        wiring.give(subscriptions.writer());
        wiring.give(queues);
        wiring.give(ids);
        wiring.give(time);
        wiring.give(properties);
        wiring.get(Imports.class);
        wiring.get(ImportService.class);
        wiring.get(ImportSweep.class);
        return wiring;
    }

    Imports imports() {
        return wiring.get(Imports.class);
    }

    ScheduledService sweep() {
        return wiring.get(ImportSweep.class);
    }

    ImportId nextId() {
        return new ImportId(world.ids.token());
    }

    ImportId start(String file, boolean verified) {
        return start(file.getBytes(StandardCharsets.UTF_8), verified);
    }

    ImportId start(byte[] file, boolean verified) {
        try {
            Imports.ImportStartResult start = imports()
                    .start(
                            nextId(),
                            SubscriptionWorld.LIST,
                            new Imports.Upload(new ByteArrayInputStream(file), "", Optional.empty()),
                            verified,
                            SubscriptionWorld.ADMIN);
            return ((Imports.ImportStartResult.Started) start).started().id();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the import look as if a version without encodings had started it. */
    void forgetEncoding(ImportId id) {
        Row row = world.storage
                .tables()
                .get(ImportStore.TABLE, id.value(), "import")
                .orElseThrow();
        Values.Builder old = Values.builder();
        row.values().asMap().forEach((name, value) -> {
            if (!List.of("FileName", "Encoding", "EncodingChosen").contains(name)) {
                old.put(name, value);
            }
        });
        world.storage.tables().write(ImportStore.TABLE, id.value(), Write.replace(row, old.build()));
    }

    /** Starts and runs an import. */
    public SubscriberImport bring(String file, boolean verified) {
        return run(start(file, verified));
    }

    SubscriberImport run(ImportId id) {
        return run(id, Deliveries.first());
    }

    SubscriberImport run(ImportId id, Delivery delivery) {
        try {
            wiring.get(ImportService.class).handle(new ImportItem(id), delivery);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return get(id);
    }

    SubscriberImport get(ImportId id) {
        return imports().find(id).orElseThrow();
    }

    String refusedCsv(ImportId id) {
        StringWriter out = new StringWriter();
        try {
            imports().writeRefused(id, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    String export() {
        StringWriter out = new StringWriter();
        try {
            new SubscriberExport(
                            world.feature.store(),
                            new org.azuremail.field.FieldStore(world.tables(), world.lists, world.time))
                    .write(world.list(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }
}
