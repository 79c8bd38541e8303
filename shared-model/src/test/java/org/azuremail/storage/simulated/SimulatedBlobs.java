package org.azuremail.storage.simulated;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Page;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** Blobs in memory. No other back end may hold whole blobs there. */
final class SimulatedBlobs implements BlobStore {

    private record Blob(BlobInfo info, byte[] content) {}

    private final SimulatedStorage storage;
    private final Paging paging;
    private final Time time;
    private final Map<String, TreeMap<String, Blob>> containers = new HashMap<>();

    SimulatedBlobs(SimulatedStorage storage, Paging paging, Time time) {
        this.storage = storage;
        this.paging = paging;
        this.time = time;
    }

    void copyOf(SimulatedBlobs other) {
        other.containers.forEach((name, blobs) -> containers.put(name, new TreeMap<>(blobs)));
    }

    Set<String> names() {
        return containers.keySet();
    }

    @Override
    public void createContainer(String container) {
        storage.call(
                Kind.CREATE_CONTAINER,
                container,
                "",
                () -> "",
                () -> containers.computeIfAbsent(container, name -> new TreeMap<>()));
    }

    @Override
    public WriteResult put(String container, String name, InputStream content, Condition condition) throws IOException {
        byte[] bytes = content.readAllBytes();
        return storage.call(Kind.PUT_BLOB, container, name, () -> bytes.length + " bytes", () -> {
            Map<String, Blob> blobs = blobs(container);
            WriteResult result = refusal(blobs.get(name), condition);
            if (result != null) {
                return result;
            }
            BlobInfo info = new BlobInfo(name, "b" + storage.nextSequence(), bytes.length, time.instant());
            blobs.put(name, new Blob(info, bytes));
            return new WriteResult.Written(List.of(info.etag()));
        });
    }

    @Override
    public Optional<OpenBlob> open(String container, String name) {
        return storage.call(Kind.OPEN_BLOB, container, name, () -> "", () -> Optional.ofNullable(
                        blobs(container).get(name))
                .map(blob -> new OpenBlob(blob.info(), new ByteArrayInputStream(blob.content()))));
    }

    @Override
    public WriteResult delete(String container, String name, Condition condition) {
        return storage.call(Kind.DELETE_BLOB, container, name, () -> "", () -> {
            Map<String, Blob> blobs = blobs(container);
            Blob blob = blobs.get(name);
            WriteResult result = blob == null ? new WriteResult.Missing() : refusal(blob, condition);
            if (result != null) {
                return result;
            }
            blobs.remove(name);
            return new WriteResult.Written(List.of(""));
        });
    }

    @Override
    public Page<BlobInfo> list(String container, String prefix, int limit, @Nullable String continuation) {
        return storage.call(Kind.LIST_BLOBS, container, "", () -> prefix, () -> {
            NavigableMap<String, Blob> all = blobs(container);
            NavigableMap<String, Blob> named = all.subMap(prefix, true, prefix + "\u007f", false);
            Paging.Page<Blob> page = paging.page(named, limit, continuation);
            return new Page<>(page.entries().stream().map(Blob::info).toList(), page.continuation());
        });
    }

    private static @Nullable WriteResult refusal(@Nullable Blob blob, Condition condition) {
        if (condition instanceof Condition.Absent) {
            return blob == null ? null : new WriteResult.Exists();
        }
        if (condition instanceof Condition.AtEtag at) {
            if (blob == null) {
                return new WriteResult.Missing();
            }
            return at.etag().equals(blob.info().etag()) ? null : new WriteResult.Stale();
        }
        return null;
    }

    private TreeMap<String, Blob> blobs(String container) {
        TreeMap<String, Blob> blobs = containers.get(container);
        if (blobs == null) {
            throw new StorageException(StorageException.Reason.MISSING, "there is no container " + container, null);
        }
        return blobs;
    }
}
