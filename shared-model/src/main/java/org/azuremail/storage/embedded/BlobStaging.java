package org.azuremail.storage.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.time.Duration;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.Time;

/**
 * Stores the chunks of large content, each in a commit of its own, so that an upload does not block other writes. No
 * blob refers to the chunks until the content is complete. Chunks that a crash leaves behind are deleted after an hour
 * without a new chunk.
 */
record BlobStaging(Writer writer, Time time) {

    static final int CHUNK_BYTES = 1024 * 1024;

    private static final Duration ABANDONED = Duration.ofHours(1);

    record Staged(long content, long size) {}

    /** Stores the first chunk and the rest of the content. If reading fails, the chunks are deleted. */
    Staged stage(byte[] first, InputStream rest) throws IOException {
        collectAbandoned();
        long content = writer.write("begin a blob", (session, sequence) -> sequence.next());
        boolean complete = false;
        try {
            long size = 0;
            byte[] chunk = first;
            for (int number = 0; chunk.length > 0; number++) {
                stageChunk(content, number, chunk);
                size += chunk.length;
                chunk = rest.readNBytes(CHUNK_BYTES);
            }
            complete = true;
            return new Staged(content, size);
        } finally {
            if (!complete) {
                drop(content);
            }
        }
    }

    private void stageChunk(long content, int number, byte[] chunk) {
        writer.write("stage a chunk", (session, sequence) -> {
            if (number == 0) {
                session.update("INSERT INTO blob_staging (content, touched) VALUES (?, ?)", content, now());
            } else if (session.update("UPDATE blob_staging SET touched = ? WHERE content = ?", now(), content) == 0) {
                throw pausedForTooLong();
            }
            addChunk(session, content, number, chunk);
            return number;
        });
    }

    static void addChunk(Session session, long content, int number, byte[] chunk) throws SQLException {
        session.update("INSERT INTO blob_chunk (content, number, bytes) VALUES (?, ?, ?)", content, number, chunk);
    }

    /** Ends the staging of content that a blob is about to refer to. */
    static void release(Session session, long content) throws SQLException {
        if (session.update("DELETE FROM blob_staging WHERE content = ?", content) == 0) {
            throw pausedForTooLong();
        }
    }

    private static StorageException pausedForTooLong() {
        return new StorageException(Reason.UNAVAILABLE, "the upload paused for too long", null);
    }

    /** Deletes content that no blob will refer to. */
    void drop(long content) {
        writer.write("drop a blob", (session, sequence) -> {
            session.update("DELETE FROM blob_chunk WHERE content = ?", content);
            return session.update("DELETE FROM blob_staging WHERE content = ?", content);
        });
    }

    void collectAbandoned() {
        long before = ValueCodec.micros(time.instant().minus(ABANDONED));
        writer.write("collect abandoned uploads", (session, sequence) -> {
            session.update(
                    "DELETE FROM blob_chunk WHERE content IN (SELECT content FROM blob_staging WHERE touched < ?)",
                    before);
            return session.update("DELETE FROM blob_staging WHERE touched < ?", before);
        });
    }

    private long now() {
        return ValueCodec.micros(time.instant());
    }
}
