package org.azuremail.storage.azure;

import com.azure.core.http.rest.PagedIterable;
import com.azure.core.util.Context;
import com.azure.data.tables.models.TableItem;
import com.azure.storage.blob.models.BlobContainerItem;
import com.azure.storage.queue.models.QueueItem;
import com.azure.storage.queue.models.QueuesSegmentOptions;
import java.time.Duration;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageInventory;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** A storage account as a storage, for a program that is not the service. Safe for use from many threads. */
public final class AzureAccount {

    /** Else the library asks for {@code include=} nothing, which Azurite refuses. */
    private static final QueuesSegmentOptions WITH_METADATA = new QueuesSegmentOptions().setIncludeMetadata(true);

    private final AzureClients clients;

    private AzureAccount(AzureClients clients) {
        this.clients = clients;
    }

    /**
     * Opens an account with the service's own time-outs; nothing is sent yet.
     *
     * @param connectionString of the account, or {@code null}
     * @param account its name, for a process that runs under a managed identity, or {@code null}
     * @param clientId which managed identity, where there are several
     * @throws IllegalArgumentException when not exactly one of connection string and account is given, or it cannot be
     *     read; the message says what to do and no secret
     */
    public static AzureAccount open(
            @Nullable String connectionString, @Nullable String account, @Nullable String clientId, Time time) {
        AzureProperties properties = new AzureProperties(
                connectionString,
                account,
                clientId,
                Duration.ofSeconds(2),
                Duration.ofSeconds(8),
                Duration.ofSeconds(20));
        return new AzureAccount(AzureClients.of(properties, time));
    }

    public Storage storage() {
        return new Storage(
                new AzureTableStore(clients.tables()),
                new AzureQueueStore(clients.queues()),
                new AzureBlobStore(clients.blobs()));
    }

    public String name() {
        return clients.blobs().getAccountName();
    }

    /**
     * Everything in the account, also what others created.
     *
     * @throws StorageException when it cannot be listed
     */
    public StorageInventory inventory() {
        try {
            return new StorageInventory(
                    names(clients.tables().listTables(), TableItem::getName),
                    names(clients.queues().listQueues(WITH_METADATA, null, Context.NONE), QueueItem::getName),
                    names(clients.blobs().listBlobContainers(), BlobContainerItem::getName));
        } catch (RuntimeException e) {
            throw AzureErrors.translate("list what is in the account", e);
        }
    }

    private static <T> TreeSet<String> names(PagedIterable<T> items, Function<T, String> name) {
        return items.stream().map(name).collect(Collectors.toCollection(TreeSet::new));
    }
}
