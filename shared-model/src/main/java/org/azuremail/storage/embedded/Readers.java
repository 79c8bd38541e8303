package org.azuremail.storage.embedded;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;

/** A few connections that read while the writer works. Each read is short, so that the log can be truncated. */
final class Readers {

    /** Reads on a connection, and closes everything that it opened there. */
    interface Read<T> {
        T on(Session session) throws SQLException;
    }

    private static final int MAX_CONNECTIONS = 8;

    private final DataFile file;
    private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
    private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Readers(DataFile file) {
        this.file = file;
    }

    <T> T read(String about, Read<T> read) {
        free.acquireUninterruptibly();
        try {
            if (closed) {
                throw new StorageException(Reason.UNAVAILABLE, about + ": the storage is closed", null);
            }
            return SqliteErrors.begin(() -> readOn(read));
        } catch (SQLException e) {
            throw SqliteErrors.translate(about, e);
        } finally {
            free.release();
        }
    }

    private <T> T readOn(Read<T> read) throws SQLException {
        Session last = idle.pollLast();
        Session session = last == null ? file.openReader() : last;
        boolean healthy = false;
        try {
            T result = read.on(session);
            healthy = true;
            return result;
        } finally {
            if (healthy) {
                idle.addLast(session);
            } else {
                session.close();
            }
        }
    }

    /** Waits for the reads under way and closes all connections. */
    void close() throws SQLException {
        closed = true;
        free.acquireUninterruptibly(MAX_CONNECTIONS);
        free.release(MAX_CONNECTIONS);
        Session session = idle.poll();
        while (session != null) {
            session.close();
            session = idle.poll();
        }
    }
}
