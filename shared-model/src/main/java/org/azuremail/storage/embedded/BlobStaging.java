package org.azuremail.storage.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.time.Duration;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.embedded.Writer.Outcome;
import org.azuremail.time.Time;

/**
 * Takes the chunks of a large content in, each in a commit of its own, so that nobody waits for an upload. Until a blob
 * points to them they belong to nobody; what a crash left is collected when it was not touched for an hour.
 */
record BlobStaging(Writer writer, Time time) {

    static final int CHUNK_BYTES = 1024 * 1024;

    private static final Duration ABANDONED = Duration.ofHours(1);

    /** A content that is complete. */
    record Staged(long content, long size) {}

    /** Takes in a first chunk and all that follows; when reading fails, nothing of it stays. */
    Staged stage(byte[] first, InputStream rest) throws IOException {
        collectAbandoned();
        long content = writer.write("begin a blob", 1, (session, sequence) -> Outcome.keep(sequence.next()));
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
                writer.write("drop a blob", 0, (session, sequence) -> drop(session, new Staged(content, 0), true));
            }
        }
    }

    private void stageChunk(long content, int number, byte[] chunk) {
        writer.write("stage a chunk", 0, (session, sequence) -> {
            if (number == 0) {
                session.update("INSERT INTO blob_staging (content, touched) VALUES (?, ?)", content, now());
            } else if (session.update("UPDATE blob_staging SET touched = ? WHERE content = ?", now(), content) == 0) {
                throw new StorageException(Reason.UNAVAILABLE, "the upload paused for too long", null);
            }
            addChunk(session, content, number, chunk);
            return Outcome.keep(true);
        });
    }

    void addChunk(Session session, long content, int number, byte[] chunk) throws SQLException {
        session.update("INSERT INTO blob_chunk (content, number, bytes) VALUES (?, ?, ?)", content, number, chunk);
    }

    /** A blob was refused: its content goes, and the answer stands. */
    <T> Outcome<T> drop(Session session, Staged staged, T answer) throws SQLException {
        session.update("DELETE FROM blob_chunk WHERE content = ?", staged.content());
        session.update("DELETE FROM blob_staging WHERE content = ?", staged.content());
        return Outcome.keep(answer);
    }

    /** Removes the contents of uploads that somebody began and nobody finished. */
    void collectAbandoned() {
        long before = now() - ABANDONED.toNanos() / 1000;
        writer.write("collect abandoned uploads", 0, (session, sequence) -> {
            session.update(
                    "DELETE FROM blob_chunk WHERE content IN (SELECT content FROM blob_staging WHERE touched < ?)",
                    before);
            return Outcome.keep(session.update("DELETE FROM blob_staging WHERE touched < ?", before));
        });
    }

    private long now() {
        return ValueCodec.micros(time.instant());
    }
}
