package org.azuremail.storage.azure;

import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.specialized.BlobClientBase;
import java.util.Optional;
import java.util.Set;
import org.azuremail.storage.BlobStore.Condition;
import org.azuremail.storage.WriteResult;

/** Converts conditions to Azure's headers, and Azure's refusals to outcomes. */
final class BlobConditions {

    private static final Set<BlobErrorCode> NOT_MET =
            Set.of(BlobErrorCode.CONDITION_NOT_MET, BlobErrorCode.BLOB_ALREADY_EXISTS, BlobErrorCode.BLOB_NOT_FOUND);

    private BlobConditions() {}

    static BlobRequestConditions headers(Condition condition) {
        BlobRequestConditions headers = new BlobRequestConditions();
        if (condition instanceof Condition.Absent) {
            return headers.setIfNoneMatch("*");
        }
        return condition instanceof Condition.AtEtag at ? headers.setIfMatch(at.etag()) : headers;
    }

    /**
     * Returns the outcome behind a refusal; empty if the refusal has another reason than the condition. Azure answers
     * 412 both if the ETag differs and if the blob does not exist, so this method checks whether the blob exists.
     */
    static Optional<WriteResult> outcome(BlobStorageException refusal, BlobClientBase blob, Condition condition) {
        if (condition instanceof Condition.Always || !(lostItsBlocks(refusal) || notMet(refusal))) {
            return Optional.empty();
        }
        boolean exists = blob.exists();
        if (condition instanceof Condition.Absent) {
            return exists || notMet(refusal) ? Optional.of(new WriteResult.Exists()) : Optional.empty();
        }
        return Optional.of(exists ? new WriteResult.Stale() : new WriteResult.Missing());
    }

    /**
     * Returns whether the blocks of an upload were removed. A finished write of a blob removes the blocks that other
     * writers have not committed yet.
     */
    static boolean lostItsBlocks(BlobStorageException refusal) {
        return BlobErrorCode.INVALID_BLOCK_LIST.equals(refusal.getErrorCode());
    }

    static boolean isMissing(BlobStorageException refusal) {
        return BlobErrorCode.BLOB_NOT_FOUND.equals(refusal.getErrorCode());
    }

    private static boolean notMet(BlobStorageException refusal) {
        return NOT_MET.contains(refusal.getErrorCode());
    }

    /** Returns an ETag with quotes, as in headers. Listings show ETags without quotes. */
    static String etag(String etag) {
        return etag.startsWith("\"") ? etag : '"' + etag + '"';
    }
}
