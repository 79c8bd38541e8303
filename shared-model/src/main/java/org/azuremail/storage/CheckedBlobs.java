package org.azuremail.storage;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Store;
import org.jspecify.annotations.Nullable;

/** Blobs: checks each call before a back end sees it, and may count it; reading from an open blob is no further call. */
record CheckedBlobs(BlobStore real, PortCalls calls) implements BlobStore {

    /** @param counts of the calls; {@code null} when nobody counts them */
    static CheckedBlobs of(BlobStore store, @Nullable StorageCalls counts) {
        return new CheckedBlobs(
                store instanceof CheckedBlobs checked ? checked.real : store, new PortCalls(Store.BLOB, counts));
    }

    @Override
    public void createContainer(String container) {
        StorageNames.requireContainer(container);
        calls.make(Operation.CREATE, container, () -> real.createContainer(container));
    }

    @Override
    public WriteResult put(String container, String name, InputStream content, Condition condition) throws IOException {
        StorageNames.requireBlob(container, name);
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

    /** A back end may have a better way than a stream for content that is already in memory. */
    @Override
    public WriteResult put(String container, String name, byte[] content, Condition condition) {
        StorageNames.requireBlob(container, name);
        return calls.make(
                Operation.PUT, container, () -> real.put(container, name, content, condition), WriteResult::written);
    }

    @Override
    public Optional<OpenBlob> open(String container, String name) {
        StorageNames.requireBlob(container, name);
        return calls.make(Operation.OPEN, container, () -> real.open(container, name));
    }

    /** A back end may have a better way than a stream for small blobs. */
    @Override
    public Optional<byte[]> read(String container, String name) {
        StorageNames.requireBlob(container, name);
        return calls.make(Operation.OPEN, container, () -> real.read(container, name));
    }

    @Override
    public WriteResult delete(String container, String name, Condition condition) {
        StorageNames.requireBlob(container, name);
        return calls.make(
                Operation.DELETE, container, () -> real.delete(container, name, condition), WriteResult::written);
    }

    @Override
    public BlobPage list(String container, String prefix, int limit, @Nullable String continuation) {
        StorageNames.requireContainer(container);
        StorageLimits.checkPage(limit);
        return calls.make(Operation.LIST, container, () -> real.list(container, prefix, limit, continuation));
    }
}
