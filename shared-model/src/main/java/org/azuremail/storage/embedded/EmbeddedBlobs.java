package org.azuremail.storage.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Page;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** Stores blobs as rows that refer to chunks. Content never changes: an overwritten blob refers to new content. */
final class EmbeddedBlobs implements BlobStore {

    private static final String AFTER_ALL = "\u007f";

    private record Pointer(long etag, long content) {}

    private final Writer writer;
    private final Readers readers;
    private final Time time;
    private final BlobStaging staging;
    private final ExistingNames names;

    EmbeddedBlobs(Writer writer, Readers readers, Time time) {
        this.writer = writer;
        this.readers = readers;
        this.time = time;
        this.staging = new BlobStaging(writer, time);
        this.names = new ExistingNames("container", "SELECT 1 FROM container WHERE name = ?", "", readers);
        staging.collectAbandoned();
    }

    @Override
    public void createContainer(String container) {
        writer.write(
                "create container " + container,
                (session, sequence) -> session.update("INSERT OR IGNORE INTO container (name) VALUES (?)", container));
    }

    @Override
    public WriteResult put(String container, String name, InputStream content, Condition condition) throws IOException {
        names.require(container);
        String about = "put blob " + container + "/" + name;
        byte[] first = content.readNBytes(BlobStaging.CHUNK_BYTES);
        if (first.length < BlobStaging.CHUNK_BYTES) {
            return writer.write(about, (session, sequence) -> {
                long whole = sequence.next();
                BlobStaging.addChunk(session, whole, 0, first);
                return point(session, container, info(name, sequence, first.length), whole, condition);
            });
        }
        BlobStaging.Staged staged = staging.stage(first, content);
        WriteResult result = writer.write(about, (session, sequence) -> {
            BlobStaging.release(session, staged.content());
            return point(session, container, info(name, sequence, staged.size()), staged.content(), condition);
        });
        if (!result.written()) {
            staging.drop(staged.content());
        }
        return result;
    }

    private BlobInfo info(String name, Sequence sequence, long size) {
        return new BlobInfo(name, Sequence.text(sequence.next()), size, time.instant());
    }

    /** Makes a blob refer to new content if the condition is met, and deletes its old content. */
    private static WriteResult point(
            Session session, String container, BlobInfo blob, long content, Condition condition) throws SQLException {
        Pointer old = find(session, container, blob.name());
        WriteResult result = refusal(old, condition);
        if (result != null) {
            return result;
        }
        session.update(
                "INSERT OR REPLACE INTO blob (container, name, etag, size, modified, content)"
                        + " VALUES (?, ?, ?, ?, ?, ?)",
                container,
                blob.name(),
                Sequence.number(blob.etag()),
                blob.size(),
                ValueCodec.micros(blob.modifiedAt()),
                content);
        deleteContent(session, old);
        return new WriteResult.Written(List.of(blob.etag()));
    }

    @Override
    public WriteResult delete(String container, String name, Condition condition) {
        names.require(container);
        return writer.write("delete blob " + container + "/" + name, (session, sequence) -> {
            Pointer old = find(session, container, name);
            WriteResult result = old == null ? new WriteResult.Missing() : refusal(old, condition);
            if (result != null) {
                return result;
            }
            session.update("DELETE FROM blob WHERE container = ? AND name = ?", container, name);
            deleteContent(session, old);
            return new WriteResult.Written(List.of(""));
        });
    }

    private static @Nullable Pointer find(Session session, String container, String name) throws SQLException {
        return session.first(
                        result -> new Pointer(result.getLong(1), result.getLong(2)),
                        "SELECT etag, content FROM blob WHERE container = ? AND name = ?",
                        container,
                        name)
                .orElse(null);
    }

    private static @Nullable WriteResult refusal(@Nullable Pointer old, Condition condition) {
        if (condition instanceof Condition.Absent) {
            return old == null ? null : new WriteResult.Exists();
        }
        if (condition instanceof Condition.AtEtag at) {
            if (old == null) {
                return new WriteResult.Missing();
            }
            return Sequence.number(at.etag()) == old.etag() ? null : new WriteResult.Stale();
        }
        return null;
    }

    private static void deleteContent(Session session, @Nullable Pointer old) throws SQLException {
        if (old != null) {
            session.update("DELETE FROM blob_chunk WHERE content = ?", old.content());
        }
    }

    @Override
    public Optional<OpenBlob> open(String container, String name) {
        names.require(container);
        String sql = "SELECT b.name, b.etag, b.size, b.modified, b.content, c.bytes FROM blob b"
                + " JOIN blob_chunk c ON c.content = b.content AND c.number = 0 WHERE b.container = ? AND b.name = ?";
        return readers.read(
                "open blob " + container + "/" + name, session -> session.first(this::open, sql, container, name));
    }

    /** Fetches each chunk in a short read of its own, so that a slow reader does not delay other callers. */
    private OpenBlob open(ResultSet result) throws SQLException {
        BlobInfo info = info(result);
        long content = result.getLong(5);
        return OpenBlob.inChunks(info, result.getBytes(6), position -> chunk(info.name(), content, position));
    }

    private byte[] chunk(String name, long content, long position) {
        String sql = "SELECT bytes FROM blob_chunk WHERE content = ? AND number = ?";
        return readers.read(
                        "read blob " + name,
                        session -> session.first(
                                result -> result.getBytes(1), sql, content, position / BlobStaging.CHUNK_BYTES))
                .orElseThrow(() -> new StorageException(
                        Reason.UNAVAILABLE, "blob " + name + " was changed while it was read", null));
    }

    @Override
    public Page<BlobInfo> list(String container, String prefix, int limit, @Nullable String continuation) {
        names.require(container);
        String sql = "SELECT name, etag, size, modified FROM blob"
                + " WHERE container = ? AND name >= ? AND name < ? AND name > ? ORDER BY name LIMIT ?";
        String after = continuation == null ? "" : continuation;
        List<BlobInfo> blobs = readers.read(
                "list blobs of " + container,
                session -> session.list(
                        EmbeddedBlobs::info, sql, container, prefix, prefix + AFTER_ALL, after, limit + 1));
        return blobs.size() <= limit
                ? new Page<>(blobs, null)
                : new Page<>(blobs.subList(0, limit), blobs.get(limit - 1).name());
    }

    private static BlobInfo info(ResultSet result) throws SQLException {
        return new BlobInfo(
                result.getString(1),
                Sequence.text(result.getLong(2)),
                result.getLong(3),
                ValueCodec.instant(result.getLong(4)));
    }
}
