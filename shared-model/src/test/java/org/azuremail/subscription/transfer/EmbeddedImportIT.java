package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.azuremail.app.Wiring;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.Deliveries;
import org.azuremail.subscription.Invariants;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.transfer.Imports.ImportItem;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.time.Time;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.WorkQueues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** Checks imports on the default storage, with several shards at a time. */
class EmbeddedImportIT {

    private static final int ROWS = 10_000;

    @TempDir
    private Path directory;

    @Test
    void importingManyRowsTwiceKeepsTheCountsExact() throws Exception {
        try (EmbeddedStorage embedded = EmbeddedStorage.open(directory, Time.system())) {
            Storage storage = embedded.storage();
            storage.tables().createTable(ListStore.TABLE);
            storage.tables().createTable(ShardChoreIndex.TABLE);
            storage.tables().createTable(PersonDirectory.TABLE);
            ListStore lists = new ListStore(storage.tables());
            lists.create(SubscriptionWorld.list(SubscriptionWorld.LIST, OptIn.DOUBLE));
            WorkQueues queues = InlineWork.queues(storage, ImportItem.TYPE, ConfirmationItem.TYPE);
            SubscriptionFeature subscriptions = SubscriptionFeature.of(
                    storage, queues, (list, shard, address) -> {}, list -> false, IdSource.secure(), Time.system());
            Wiring imports = ImportWorld.wiring(
                    storage,
                    subscriptions,
                    queues,
                    IdSource.secure(),
                    Time.system(),
                    new ImportProperties(DataSize.ofMegabytes(64), 4, 20_000, Duration.ofDays(30), 1000));
            assertThat(bring(imports)).isEqualTo(new SubscriberImport.Counts(ROWS, ROWS, 0, 0, 0, 0));
            assertThat(bring(imports)).isEqualTo(new SubscriberImport.Counts(ROWS, 0, ROWS, 0, 0, 0));
            MailingList list = lists.find(SubscriptionWorld.LIST).orElseThrow().value();
            assertThat(subscriptions.store().counts(list)).isEqualTo(new SubscriberCounts(0, ROWS, 0, 0, 0));
            Invariants.check(storage.tables(), list);
        }
    }

    private static SubscriberImport.Counts bring(Wiring wiring) throws Exception {
        Imports imports = wiring.get(Imports.class);
        Imports.ImportStartResult start = imports.start(
                new ImportId(IdSource.secure().token()),
                SubscriptionWorld.LIST,
                new Imports.Upload(file(), "", Optional.empty()),
                true,
                SubscriptionWorld.ADMIN);
        ImportId id = ((Imports.ImportStartResult.Started) start).started().id();
        wiring.get(ImportService.class).handle(new ImportItem(id), Deliveries.first());
        return imports.find(id).orElseThrow().counts();
    }

    private static InputStream file() {
        StringBuilder csv = new StringBuilder("email,name,city\n");
        for (int i = 0; i < ROWS; i++) {
            csv.append("person")
                    .append(i)
                    .append("@example.org,Person ")
                    .append(i)
                    .append(",Ulm\n");
        }
        return new ByteArrayInputStream(csv.toString().getBytes(StandardCharsets.UTF_8));
    }
}
