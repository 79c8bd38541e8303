package org.azuremail.storage.azure;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlockBlobItem;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.storage.BlobStore.Condition;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.WriteResult;

/**
 * An upload of content to a blob. Blocks are invisible until all of them are committed together, if the condition is
 * met. Azure does not list uncommitted blocks and drops them after a week.
 */
final class BlobBlocks {

    /** The size of a block, in bytes. One block is held in memory. A blob has at most 50,000 blocks. */
    static final int BYTES = 4 * 1024 * 1024;

    private final BlockBlobClient blob;
    private final List<String> staged = new ArrayList<>();

    BlobBlocks(BlockBlobClient blob) {
        this.blob = blob;
    }

    WriteResult putWhole(byte[] content, Condition condition) {
        BlockBlobSimpleUploadOptions options = new BlockBlobSimpleUploadOptions(BinaryData.fromBytes(content))
                .setRequestConditions(BlobConditions.headers(condition));
        return write(condition, () -> blob.uploadWithResponse(options, null, Context.NONE)
                .getValue());
    }

    /** @return the number of staged blocks */
    int stage(byte[] block) {
        String id = id(staged.size(), block);
        blob.stageBlock(id, BinaryData.fromBytes(block));
        staged.add(id);
        return staged.size();
    }

    /**
     * Returns the id of a block. It contains a hash of the content, so that two uploads of one blob at the same time do
     * not use each other's blocks.
     */
    private static String id(int number, byte[] block) {
        byte[] digest = DigestUtils.sha256(block);
        ByteBuffer id = ByteBuffer.allocate(Integer.BYTES + digest.length);
        return Base64.getEncoder().encodeToString(id.putInt(number).put(digest).array());
    }

    WriteResult commit(Condition condition) {
        BlockBlobCommitBlockListOptions options =
                new BlockBlobCommitBlockListOptions(staged).setRequestConditions(BlobConditions.headers(condition));
        return write(condition, () -> blob.commitBlockListWithResponse(options, null, Context.NONE)
                .getValue());
    }

    private WriteResult write(Condition condition, Supplier<BlockBlobItem> write) {
        try {
            return new WriteResult.Written(
                    List.of(BlobConditions.etag(write.get().getETag())));
        } catch (BlobStorageException e) {
            return BlobConditions.outcome(e, blob, condition).orElseThrow(() -> failure(e));
        }
    }

    private RuntimeException failure(BlobStorageException e) {
        if (BlobConditions.lostItsBlocks(e)) {
            return new StorageException(
                    Reason.UNAVAILABLE, "another write of blob " + blob.getBlobName() + " ended first", e);
        }
        return e;
    }
}
