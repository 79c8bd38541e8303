package org.azuremail.storage.azure;

import com.azure.core.util.Context;
import com.azure.storage.blob.models.BlobDownloadContentResponse;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.specialized.BlobClientBase;
import java.io.InputStream;
import java.util.Optional;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.BlobStore.OpenBlob;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Reads a blob block by block, each under the ETag of the first: when the blob is overwritten or deleted meanwhile,
 * reading fails.
 */
final class AzureBlobContent extends InputStream {

    private static final DownloadRetryOptions RETRIES = new DownloadRetryOptions().setMaxRetryRequests(1);

    private final BlobClientBase blob;
    private final BlobInfo info;
    private byte[] block;
    private int position;
    private long fetched;

    private AzureBlobContent(BlobClientBase blob, BlobInfo info, byte[] first) {
        this.blob = blob;
        this.info = info;
        this.block = first;
        this.fetched = first.length;
    }

    /** The first block comes with what the blob is, in one request. */
    static Optional<OpenBlob> open(String name, BlobClientBase blob) {
        try {
            BlobDownloadContentResponse first = download(blob, 0, BlobBlocks.BYTES, null);
            return Optional.of(open(blob, info(name, first), first.getValue().toBytes()));
        } catch (BlobStorageException e) {
            if (BlobErrorCode.INVALID_RANGE.equals(e.getErrorCode())) {
                return Optional.of(open(blob, info(name, blob.getProperties()), new byte[0]));
            }
            if (BlobConditions.isMissing(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static OpenBlob open(BlobClientBase blob, BlobInfo info, byte[] first) {
        return new OpenBlob(info, new AzureBlobContent(blob, info, first));
    }

    private static BlobInfo info(String name, BlobDownloadContentResponse first) {
        BlobDownloadHeaders headers = first.getDeserializedHeaders();
        String range = headers.getContentRange();
        long size = Long.parseLong(range.substring(range.lastIndexOf('/') + 1));
        return new BlobInfo(
                name,
                BlobConditions.etag(headers.getETag()),
                size,
                headers.getLastModified().toInstant());
    }

    /** An empty blob has no first block. */
    private static BlobInfo info(String name, BlobProperties properties) {
        return new BlobInfo(
                name,
                BlobConditions.etag(properties.getETag()),
                properties.getBlobSize(),
                properties.getLastModified().toInstant());
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
        if (count == 0) {
            return 0;
        }
        if (position == block.length) {
            if (fetched == info.size()) {
                return -1;
            }
            block = nextBlock();
            position = 0;
        }
        int read = Math.min(count, block.length - position);
        System.arraycopy(block, position, target, offset, read);
        position += read;
        return read;
    }

    @Override
    public int available() {
        return block.length - position;
    }

    private byte[] nextBlock() {
        int count = (int) Math.min(BlobBlocks.BYTES, info.size() - fetched);
        byte[] next;
        try {
            next = download(blob, fetched, count, info.etag()).getValue().toBytes();
        } catch (BlobStorageException e) {
            throw e.getStatusCode() == 404 || e.getStatusCode() == 412 ? changed(e) : failed(e);
        } catch (RuntimeException e) {
            throw failed(e);
        }
        if (next.length != count) {
            throw changed(null);
        }
        fetched += count;
        return next;
    }

    private static BlobDownloadContentResponse download(
            BlobClientBase blob, long from, long count, @Nullable String etag) {
        BlobRequestConditions conditions = new BlobRequestConditions().setIfMatch(etag);
        return blob.downloadContentWithResponse(
                RETRIES, conditions, new BlobRange(from, count), false, null, Context.NONE);
    }

    private RuntimeException changed(@Nullable BlobStorageException e) {
        return new StorageException(Reason.UNAVAILABLE, "blob " + info.name() + " was changed while it was read", e);
    }

    private RuntimeException failed(RuntimeException e) {
        return AzureErrors.translate("read blob " + info.name(), e);
    }
}
