package org.azuremail.storage.azure;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.BlobDownloadContentResponse;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.specialized.BlobClientBase;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Page;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Stores block blobs in an Azure Storage account. A write or a read holds at most one block of {@link BlobBlocks#BYTES}
 * in memory. Writing or reading a blob that is smaller than a block takes one request. A refused write takes one more,
 * to find the reason.
 */
final class AzureBlobStore implements BlobStore {

    private static final DownloadRetryOptions RETRIES = new DownloadRetryOptions().setMaxRetryRequests(1);

    private final BlobServiceClient service;
    private final Map<String, BlobContainerClient> containers = new ConcurrentHashMap<>();

    AzureBlobStore(BlobServiceClient service) {
        this.service = service;
    }

    @Override
    public void createContainer(String container) {
        AzureErrors.create("container " + container, "ContainerAlreadyExists", container(container)::create);
    }

    @Override
    public WriteResult put(String container, String name, InputStream content, Condition condition) throws IOException {
        BlobBlocks blocks = new BlobBlocks(blob(container, name));
        byte[] first = content.readNBytes(BlobBlocks.BYTES);
        if (first.length < BlobBlocks.BYTES) {
            return AzureErrors.translated("put " + container + "/" + name, () -> blocks.putWhole(first, condition));
        }
        for (byte[] block = first; block.length > 0; block = content.readNBytes(BlobBlocks.BYTES)) {
            byte[] next = block;
            AzureErrors.translated("stage a block of " + container + "/" + name, () -> blocks.stage(next));
        }
        return AzureErrors.translated("put " + container + "/" + name, () -> blocks.commit(condition));
    }

    @Override
    public Optional<OpenBlob> open(String container, String name) {
        return AzureErrors.translated("open " + container + "/" + name, () -> {
            BlockBlobClient blob = blob(container, name);
            try {
                return Optional.of(open(name, blob));
            } catch (BlobStorageException e) {
                if (BlobErrorCode.INVALID_RANGE.equals(e.getErrorCode())) {
                    return Optional.of(openEmpty(name, blob));
                }
                if (BlobConditions.isMissing(e)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    /** Opens a blob with one request, which returns its properties and its first block. */
    private static OpenBlob open(String name, BlobClientBase blob) {
        BlobDownloadContentResponse first = download(blob, 0, BlobBlocks.BYTES, null);
        BlobDownloadHeaders headers = first.getDeserializedHeaders();
        String range = headers.getContentRange();
        BlobInfo info = new BlobInfo(
                name,
                BlobConditions.etag(headers.getETag()),
                Long.parseLong(range.substring(range.lastIndexOf('/') + 1)),
                headers.getLastModified().toInstant());
        return OpenBlob.inChunks(info, first.getValue().toBytes(), position -> nextBlock(blob, info, position));
    }

    /** Opens an empty blob, which has no first block. */
    private static OpenBlob openEmpty(String name, BlobClientBase blob) {
        BlobProperties properties = blob.getProperties();
        BlobInfo info = new BlobInfo(
                name,
                BlobConditions.etag(properties.getETag()),
                properties.getBlobSize(),
                properties.getLastModified().toInstant());
        return OpenBlob.inChunks(info, new byte[0], position -> nextBlock(blob, info, position));
    }

    /**
     * Reads a block under the ETag of the first one, so that reading fails if the blob is overwritten or deleted
     * meanwhile.
     */
    private static byte[] nextBlock(BlobClientBase blob, BlobInfo info, long position) {
        int count = (int) Math.min(BlobBlocks.BYTES, info.size() - position);
        byte[] next;
        try {
            next = download(blob, position, count, info.etag()).getValue().toBytes();
        } catch (BlobStorageException e) {
            throw e.getStatusCode() == 404 || e.getStatusCode() == 412 ? changed(info, e) : failed(info, e);
        } catch (RuntimeException e) {
            throw failed(info, e);
        }
        if (next.length != count) {
            throw changed(info, null);
        }
        return next;
    }

    private static BlobDownloadContentResponse download(
            BlobClientBase blob, long from, long count, @Nullable String etag) {
        BlobRequestConditions conditions = new BlobRequestConditions().setIfMatch(etag);
        return blob.downloadContentWithResponse(
                RETRIES, conditions, new BlobRange(from, count), false, null, Context.NONE);
    }

    private static StorageException changed(BlobInfo info, @Nullable BlobStorageException e) {
        return new StorageException(Reason.UNAVAILABLE, "blob " + info.name() + " was changed while it was read", e);
    }

    private static StorageException failed(BlobInfo info, RuntimeException e) {
        return AzureErrors.translate("read blob " + info.name(), e);
    }

    @Override
    public WriteResult delete(String container, String name, Condition condition) {
        BlockBlobClient blob = blob(container, name);
        return AzureErrors.translated("delete " + container + "/" + name, () -> {
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
    public Page<BlobInfo> list(String container, String prefix, int limit, @Nullable String continuation) {
        ListBlobsOptions options = new ListBlobsOptions().setPrefix(prefix).setMaxResultsPerPage(limit);
        return AzureErrors.translated("list " + container, () -> {
            PagedResponse<BlobItem> page = container(container)
                    .listBlobs(options, continuation, null)
                    .iterableByPage()
                    .iterator()
                    .next();
            List<BlobInfo> blobs =
                    page.getValue().stream().map(AzureBlobStore::info).toList();
            String next = page.getContinuationToken();
            return new Page<>(blobs, next == null || next.isEmpty() ? null : next);
        });
    }

    private static BlobInfo info(BlobItem item) {
        return new BlobInfo(
                item.getName(),
                BlobConditions.etag(item.getProperties().getETag()),
                item.getProperties().getContentLength(),
                item.getProperties().getLastModified().toInstant());
    }

    private BlockBlobClient blob(String container, String name) {
        return container(container).getBlobClient(name).getBlockBlobClient();
    }

    private BlobContainerClient container(String container) {
        return containers.computeIfAbsent(container, service::getBlobContainerClient);
    }
}
