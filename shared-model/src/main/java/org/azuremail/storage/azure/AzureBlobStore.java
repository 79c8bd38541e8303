package org.azuremail.storage.azure;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Block blobs of an Azure Storage account. A write and a read hold one block of {@link BlobBlocks#BYTES} in memory, not
 * more. A blob that is smaller than a block takes one request each way; a refused write one more, to see why.
 */
final class AzureBlobStore implements BlobStore {

    private final BlobServiceClient service;
    private final Map<String, BlobContainerClient> containers = new ConcurrentHashMap<>();

    AzureBlobStore(BlobServiceClient service) {
        this.service = service;
    }

    @Override
    public void createContainer(String container) {
        call("create container " + container, () -> {
            try {
                container(container).create();
            } catch (BlobStorageException e) {
                if (!BlobErrorCode.CONTAINER_ALREADY_EXISTS.equals(e.getErrorCode())) {
                    throw e;
                }
            }
            return true;
        });
    }

    @Override
    public WriteResult put(String container, String name, InputStream content, Condition condition) throws IOException {
        BlobBlocks blocks = new BlobBlocks(blob(container, name));
        byte[] first = content.readNBytes(BlobBlocks.BYTES);
        if (first.length < BlobBlocks.BYTES) {
            return call("put " + container + "/" + name, () -> blocks.putWhole(first, condition));
        }
        for (byte[] block = first; block.length > 0; block = content.readNBytes(BlobBlocks.BYTES)) {
            byte[] next = block;
            call("stage a block of " + container + "/" + name, () -> blocks.stage(next));
        }
        return call("put " + container + "/" + name, () -> blocks.commit(condition));
    }

    @Override
    public Optional<OpenBlob> open(String container, String name) {
        return call("open " + container + "/" + name, () -> AzureBlobContent.open(name, blob(container, name)));
    }

    @Override
    public WriteResult delete(String container, String name, Condition condition) {
        BlockBlobClient blob = blob(container, name);
        return call("delete " + container + "/" + name, () -> {
            try {
                blob.deleteWithResponse(
                        DeleteSnapshotsOptionType.INCLUDE, BlobConditions.headers(condition), null, Context.NONE);
                return new WriteResult.Written(List.of(""));
            } catch (BlobStorageException e) {
                if (BlobConditions.isMissing(e)) {
                    return new WriteResult.Missing();
                }
                return BlobConditions.outcome(e, blob, condition).orElseThrow(() -> e);
            }
        });
    }

    @Override
    public BlobPage list(String container, String prefix, int limit, @Nullable String continuation) {
        ListBlobsOptions options = new ListBlobsOptions().setPrefix(prefix).setMaxResultsPerPage(limit);
        return call("list " + container, () -> {
            PagedResponse<BlobItem> page = container(container)
                    .listBlobs(options, continuation, null)
                    .iterableByPage()
                    .iterator()
                    .next();
            List<BlobInfo> blobs =
                    page.getValue().stream().map(AzureBlobStore::info).toList();
            String next = page.getContinuationToken();
            return new BlobPage(blobs, next == null || next.isEmpty() ? null : next);
        });
    }

    private static BlobInfo info(BlobItem item) {
        return new BlobInfo(
                item.getName(),
                BlobConditions.etag(item.getProperties().getETag()),
                item.getProperties().getContentLength(),
                item.getProperties().getLastModified().toInstant());
    }

    private static <T> T call(String about, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw AzureErrors.translate(about, e);
        }
    }

    private BlockBlobClient blob(String container, String name) {
        return container(container).getBlobClient(name).getBlockBlobClient();
    }

    private BlobContainerClient container(String container) {
        return containers.computeIfAbsent(container, service::getBlobContainerClient);
    }
}
