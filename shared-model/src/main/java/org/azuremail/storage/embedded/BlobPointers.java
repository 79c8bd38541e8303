package org.azuremail.storage.embedded;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.azuremail.storage.BlobStore.Condition;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** The rows that say which content a blob has. */
record BlobPointers(Time time) {

    private record Pointer(long etag, long content) {}

    /** Lets a blob have a content, under a condition; the content that it had goes. */
    WriteResult point(
            Session session, String container, String name, BlobStaging.Staged staged, long etag, Condition condition)
            throws SQLException {
        Pointer old = find(session, container, name);
        WriteResult refusal = refusal(old, condition);
        if (refusal != null) {
            return refusal;
        }
        boolean wasStaged = session.update("DELETE FROM blob_staging WHERE content = ?", staged.content()) == 1;
        if (!wasStaged && staged.size() >= BlobStaging.CHUNK_BYTES) {
            throw new StorageException(Reason.UNAVAILABLE, "the upload paused for too long", null);
        }
        session.update(
                "INSERT OR REPLACE INTO blob (container, name, etag, size, modified, content)"
                        + " VALUES (?, ?, ?, ?, ?, ?)",
                container,
                name,
                etag,
                staged.size(),
                ValueCodec.micros(time.instant()),
                staged.content());
        dropContent(session, old);
        return new WriteResult.Written(List.of(Etags.text(etag)));
    }

    WriteResult remove(Session session, String container, String name, Condition condition) throws SQLException {
        Pointer old = find(session, container, name);
        WriteResult refusal = old == null ? new WriteResult.Missing() : refusal(old, condition);
        if (refusal != null) {
            return refusal;
        }
        session.update("DELETE FROM blob WHERE container = ? AND name = ?", container, name);
        dropContent(session, old);
        return new WriteResult.Written(List.of(""));
    }

    private static @Nullable Pointer find(Session session, String container, String name) throws SQLException {
        String sql = "SELECT etag, content FROM blob WHERE container = ? AND name = ?";
        try (ResultSet result = session.statement(sql, container, name).executeQuery()) {
            return result.next() ? new Pointer(result.getLong(1), result.getLong(2)) : null;
        }
    }

    private static @Nullable WriteResult refusal(@Nullable Pointer old, Condition condition) {
        if (condition instanceof Condition.Absent) {
            return old == null ? null : new WriteResult.Exists();
        }
        if (condition instanceof Condition.AtEtag at) {
            if (old == null) {
                return new WriteResult.Missing();
            }
            return Etags.number(at.etag()) == old.etag() ? null : new WriteResult.Stale();
        }
        return null;
    }

    private static void dropContent(Session session, @Nullable Pointer old) throws SQLException {
        if (old != null) {
            session.update("DELETE FROM blob_chunk WHERE content = ?", old.content());
        }
    }
}
