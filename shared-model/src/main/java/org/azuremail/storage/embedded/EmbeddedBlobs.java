package org.azuremail.storage.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.embedded.Writer.Outcome;
import org.jspecify.annotations.Nullable;

/** Blobs as rows that point to chunks. A content never changes: overwriting points to another one. */
final class EmbeddedBlobs implements BlobStore {

    private static final String AFTER_ALL = "\u007f";

    private final Writer writer;
    private final Readers readers;
    private final BlobStaging staging;
    private final BlobPointers pointers;
    private final Names names;

    EmbeddedBlobs(Writer writer, Readers readers, BlobStaging staging, BlobPointers pointers) {
        this.writer = writer;
        this.readers = readers;
        this.staging = staging;
        this.pointers = pointers;
        this.names = new Names("container", "SELECT 1 FROM container WHERE name = ?", "", readers);
    }

    @Override
    public void createContainer(String container) {
        writer.write(
                "create container " + container,
                0,
                (session, sequence) ->
                        Outcome.keep(session.update("INSERT OR IGNORE INTO container (name) VALUES (?)", container)));
    }

    @Override
    public WriteResult put(String container, String name, InputStream content, Condition condition) throws IOException {
        names.require(container);
        byte[] first = content.readNBytes(BlobStaging.CHUNK_BYTES);
        if (first.length < BlobStaging.CHUNK_BYTES) {
            return putWhole(container, name, first, condition);
        }
        BlobStaging.Staged staged = staging.stage(first, content);
        return writer.write("put blob " + container + "/" + name, 1, (session, sequence) -> {
            long etag = sequence.next();
            WriteResult result = pointers.point(session, container, name, staged, etag, condition);
            return result.written() ? Outcome.keep(result) : staging.drop(session, staged, result);
        });
    }

    private WriteResult putWhole(String container, String name, byte[] bytes, Condition condition) {
        return writer.write("put blob " + container + "/" + name, 2, (session, sequence) -> {
            long content = sequence.next();
            staging.addChunk(session, content, 0, bytes);
            BlobStaging.Staged staged = new BlobStaging.Staged(content, bytes.length);
            WriteResult result = pointers.point(session, container, name, staged, sequence.next(), condition);
            return result.written() ? Outcome.keep(result) : Outcome.undo(result);
        });
    }

    @Override
    public Optional<OpenBlob> open(String container, String name) {
        names.require(container);
        String sql = "SELECT b.name, b.etag, b.size, b.modified, b.content, c.bytes FROM blob b"
                + " JOIN blob_chunk c ON c.content = b.content AND c.number = 0 WHERE b.container = ? AND b.name = ?";
        return readers.read("open blob " + container + "/" + name, session -> {
            try (ResultSet result = session.statement(sql, container, name).executeQuery()) {
                if (!result.next()) {
                    return Optional.empty();
                }
                BlobInfo info = info(result);
                return Optional.of(
                        new OpenBlob(info, new BlobContent(readers, info, result.getLong(5), result.getBytes(6))));
            }
        });
    }

    @Override
    public WriteResult delete(String container, String name, Condition condition) {
        names.require(container);
        return writer.write("delete blob " + container + "/" + name, 0, (session, sequence) -> {
            WriteResult result = pointers.remove(session, container, name, condition);
            return result.written() ? Outcome.keep(result) : Outcome.undo(result);
        });
    }

    @Override
    public BlobPage list(String container, String prefix, int limit, @Nullable String continuation) {
        names.require(container);
        String sql = "SELECT name, etag, size, modified FROM blob"
                + " WHERE container = ? AND name >= ? AND name < ? AND name > ? ORDER BY name LIMIT ?";
        String after = continuation == null ? "" : continuation;
        return readers.read("list blobs of " + container, session -> {
            try (ResultSet result = session.statement(sql, container, prefix, prefix + AFTER_ALL, after, limit + 1)
                    .executeQuery()) {
                return page(result, limit);
            }
        });
    }

    private static BlobPage page(ResultSet result, int limit) throws SQLException {
        List<BlobInfo> blobs = new ArrayList<>();
        while (result.next()) {
            if (blobs.size() == limit) {
                return new BlobPage(blobs, blobs.get(limit - 1).name());
            }
            blobs.add(info(result));
        }
        return new BlobPage(blobs, null);
    }

    private static BlobInfo info(ResultSet result) throws SQLException {
        return new BlobInfo(
                result.getString(1),
                Etags.text(result.getLong(2)),
                result.getLong(3),
                ValueCodec.instant(result.getLong(4)));
    }
}
