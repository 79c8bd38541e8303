package org.azuremail.storage;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Store;
import org.jspecify.annotations.Nullable;

/**
 * Blobs whose calls are checked before a back end sees them, and may be counted; reading on in an open blob is no further call.
 */
final class CheckedBlobs implements BlobStore {

    private final BlobStore real;
    private final PortCalls calls;

    private CheckedBlobs(BlobStore real, @Nullable StorageCalls calls) {
        this.real = real;
        this.calls = new PortCalls(Store.BLOB, calls);
    }

    static CheckedBlobs of(BlobStore real) {
        return real instanceof CheckedBlobs checked ? checked : new CheckedBlobs(real, null);
    }

    CheckedBlobs countedBy(StorageCalls counts) {
        return new CheckedBlobs(real, counts);
    }

    @Override
    public void createContainer(String container) {
        StorageNames.requireContainer(container);
        calls.make(Operation.CREATE, container, () -> real.createContainer(container));
    }

    @Override
    public WriteResult put(String container, String name, InputStream content, Condition condition) throws IOException {
        StorageLimits.checkBlob(container, name);
        WriteResult result;
        try {
            result = real.put(container, name, content, condition);
        } catch (IOException | RuntimeException | Error e) {
            calls.threw(Operation.PUT, container, e);
            throw e;
        }
        calls.answered(Operation.PUT, container, result.written(), 0);
        return result;
    }

    /** A back end may put what is in memory already in a better way than a stream. */
    @Override
    public WriteResult put(String container, String name, byte[] content, Condition condition) {
        StorageLimits.checkBlob(container, name);
        return calls.make(
                Operation.PUT, container, () -> real.put(container, name, content, condition), WriteResult::written);
    }

    @Override
    public Optional<OpenBlob> open(String container, String name) {
        StorageLimits.checkBlob(container, name);
        return calls.make(Operation.OPEN, container, () -> real.open(container, name));
    }

    /** A back end may read small blobs in a better way than a stream. */
    @Override
    public Optional<byte[]> read(String container, String name) {
        StorageLimits.checkBlob(container, name);
        return calls.make(Operation.OPEN, container, () -> real.read(container, name));
    }

    @Override
    public WriteResult delete(String container, String name, Condition condition) {
        StorageLimits.checkBlob(container, name);
        return calls.make(
                Operation.DELETE, container, () -> real.delete(container, name, condition), WriteResult::written);
    }

    @Override
    public BlobPage list(String container, String prefix, int limit, @Nullable String continuation) {
        StorageLimits.checkList(container, limit);
        return calls.make(Operation.LIST, container, () -> real.list(container, prefix, limit, continuation));
    }
}
