package org.azuremail.storage.embedded;

import java.sql.SQLException;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/** The statements that write single rows of one table. */
record TableWriter(String insert, String upsert, String replace, String deleteAny, String deleteAtEtag, String exists) {

    static TableWriter of(String table) {
        String insert = "INSERT INTO " + table + " (p, r, e, v) VALUES (?, ?, ?, ?) ON CONFLICT DO ";
        String where = " WHERE p = ? AND r = ?";
        return new TableWriter(
                insert + "NOTHING",
                insert + "UPDATE SET e = excluded.e, v = excluded.v",
                "UPDATE " + table + " SET e = ?, v = ?" + where + " AND e = ?",
                "DELETE FROM " + table + where,
                "DELETE FROM " + table + where + " AND e = ?",
                "SELECT 1 FROM " + table + where);
    }

    /** Makes the change, or says why not. */
    @Nullable
    WriteResult apply(Session session, String partition, Write write, long etag, byte[] values) throws SQLException {
        if (write instanceof Write.Insert) {
            int inserted = session.update(insert, partition, write.rowKey(), etag, values);
            return inserted == 1 ? null : new WriteResult.Exists();
        }
        if (write instanceof Write.Upsert) {
            session.update(upsert, partition, write.rowKey(), etag, values);
            return null;
        }
        int changed = write instanceof Write.Replace change
                ? session.update(replace, etag, values, partition, change.rowKey(), Etags.number(change.etag()))
                : delete(session, partition, (Write.Delete) write);
        if (changed == 1) {
            return null;
        }
        boolean there = session.exists(exists, partition, write.rowKey());
        return there ? new WriteResult.Stale() : new WriteResult.Missing();
    }

    private int delete(Session session, String partition, Write.Delete delete) throws SQLException {
        return delete.etag().equals(Write.ANY)
                ? session.update(deleteAny, partition, delete.rowKey())
                : session.update(deleteAtEtag, partition, delete.rowKey(), Etags.number(delete.etag()));
    }
}
