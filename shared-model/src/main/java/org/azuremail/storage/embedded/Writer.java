package org.azuremail.storage.embedded;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.azuremail.app.Daemons;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only thread of this process that writes to the file. Operations that arrive during a commit share the next one.
 * Each operation has a savepoint of its own, so that undoing one does not undo the others.
 */
final class Writer {

    /**
     * Changes the file inside a transaction. The change is undone if this throws or returns a {@link WriteResult} that
     * is a refusal.
     */
    interface Work<T> {
        T on(Session session, Sequence sequence) throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final int MAX_OPERATIONS_PER_COMMIT = 256;
    private static final Duration FAILURE_TTL = Duration.ofMinutes(1);

    private final DataFile file;
    private final Schema schema;
    private final FileMaintenance maintenance;
    private final LastCommit lastCommit;
    private final Sequence sequence;
    private final Queue<Operation<?>> waiting = new ConcurrentLinkedQueue<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Daemons.named("azuremail-storage-writer"));
    private final Time time;
    private boolean closed;

    /** The time of the last failure, by the elapsed clock; {@code null} after a success. */
    private volatile @Nullable Duration failedAt;

    private @Nullable Session session;

    /** Opens the file, and first creates or upgrades it. */
    Writer(DataFile file, Schema schema, Time time) {
        this.file = file;
        this.schema = schema;
        this.maintenance = new FileMaintenance(file);
        this.lastCommit = new LastCommit(file.path(), time);
        this.sequence = new Sequence(time);
        this.time = time;
        this.session = open();
    }

    private Session open() {
        Session opened = file.openWriter(schema);
        try {
            lastCommit.compare(opened);
            return opened;
        } catch (SQLException e) {
            closeQuietly(opened);
            throw SqliteErrors.translate("opening " + file.path(), e);
        } catch (RuntimeException | Error e) {
            closeQuietly(opened);
            throw e;
        }
    }

    private void closeQuietly(Session opened) {
        try {
            opened.close();
        } catch (SQLException e) {
            LOG.debug("Closing {} failed", file.path(), e);
        }
    }

    /**
     * Runs the work and waits until it is durable. An interrupt does not end the wait, because the caller would not
     * learn the result. The thread stays interrupted.
     */
    <T> T write(String about, Work<T> work) {
        Operation<T> operation = new Operation<>(about, work);
        waiting.add(operation);
        try {
            thread.execute(this::commitWaiting);
        } catch (RejectedExecutionException e) {
            // A commit may have taken the operation already.
            if (waiting.remove(operation)) {
                throw new StorageException(Reason.UNAVAILABLE, about + ": the storage is closed", e);
            }
        }
        return operation.join();
    }

    /** Returns the number of operations that wait for the next commit. */
    int waiting() {
        return waiting.size();
    }

    /**
     * Returns whether the last commit failed less than a minute ago. Older failures do not count, because a process
     * that has nothing to save does not notice when commits work again.
     */
    boolean failing() {
        Duration last = failedAt;
        return last != null && time.elapsed().minus(last).compareTo(FAILURE_TTL) < 0;
    }

    /** Commits the waiting operations. Each operation submits one such task, so most tasks find nothing to commit. */
    private void commitWaiting() {
        List<Operation<?>> group = new ArrayList<>();
        Operation<?> next = waiting.poll();
        while (next != null) {
            group.add(next);
            next = group.size() < MAX_OPERATIONS_PER_COMMIT ? waiting.poll() : null;
        }
        if (!group.isEmpty()) {
            commit(group);
        }
    }

    /** Commits a group of operations. A failure must not end this thread, because it is the only writer. */
    private void commit(List<Operation<?>> group) {
        boolean begun = false;
        try {
            Session current = openSession();
            begin(current);
            begun = true;
            lastCommit.begin(current);
            sequence.reserve(current);
            for (Operation<?> operation : group) {
                operation.runInSavepoint(current, sequence);
            }
            lastCommit.next(current);
            current.update("COMMIT");
            reportRecovery();
            lastCommit.report();
            group.forEach(operation -> operation.end.run());
            maintenance.afterCommit(current);
        } catch (SQLException | RuntimeException | Error e) {
            fail(group, e, begun);
        }
    }

    static void begin(Session session) throws SQLException {
        SqliteErrors.begin(() -> session.update("BEGIN IMMEDIATE"));
    }

    private Session openSession() {
        if (closed) {
            throw new StorageException(Reason.UNAVAILABLE, "the storage is closed", null);
        }
        Session current = session == null ? open() : session;
        session = current;
        return current;
    }

    private void fail(List<Operation<?>> group, Throwable e, boolean begun) {
        reportOnce(e);
        // The statements of this connection may be in any state, so the next group uses a new connection.
        closeSession(false);
        sequence.forget();
        group.forEach(operation -> operation.answer.completeExceptionally(failure(operation.about, e, begun)));
    }

    private static StorageException failure(String about, Throwable e, boolean begun) {
        if (!begun && e instanceof SQLException refused) {
            return SqliteErrors.translate(about, refused);
        }
        if (!begun && e instanceof StorageException refused) {
            return refused;
        }
        return new StorageException(Reason.UNKNOWN, about + ": the commit failed: " + e.getMessage(), e);
    }

    /** Logs only the first failure until commits succeed again, because a full disk fails every commit. */
    private void reportOnce(Throwable e) {
        if (failedAt == null) {
            LOG.error("Commits to {} fail; their callers get an exception", file.path(), e);
        }
        failedAt = time.elapsed();
    }

    private void reportRecovery() {
        if (failedAt != null) {
            LOG.info("Commits to {} work again", file.path());
        }
        failedAt = null;
    }

    /** Finishes the waiting operations, then closes the connection, even if the calling thread is interrupted. */
    synchronized void close() {
        if (!thread.isShutdown()) {
            CompletableFuture<Void> end = CompletableFuture.runAsync(this::closeOnThread, thread);
            thread.shutdown();
            end.join();
        }
    }

    private void closeOnThread() {
        closed = true;
        closeSession(true);
        lastCommit.close();
    }

    private void closeSession(boolean emptyTheLog) {
        Session open = session;
        session = null;
        if (open == null) {
            return;
        }
        try (open) {
            if (emptyTheLog) {
                open.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            }
        } catch (SQLException e) {
            LOG.warn("Closing {} failed; what was acknowledged is safe in its log", file.path(), e);
        }
    }

    /** The work of one caller, in a commit that it shares with others. */
    private static final class Operation<T> {

        private final String about;
        private final Work<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();

        /** Passes the result to the caller. Runs once the commit is durable. */
        private Runnable end = () -> {};

        Operation(String about, Work<T> work) {
            this.about = about;
            this.work = work;
        }

        /** Runs the work in a savepoint. If this method throws, the whole transaction is lost. */
        void runInSavepoint(Session session, Sequence sequence) throws SQLException {
            session.update("SAVEPOINT operation");
            boolean keep = false;
            try {
                T result = work.on(session, sequence);
                keep = !(result instanceof WriteResult write) || write.written();
                end = () -> answer.complete(result);
            } catch (SQLException e) {
                end = () -> answer.completeExceptionally(SqliteErrors.translate(about, e));
            } catch (RuntimeException e) {
                end = () -> answer.completeExceptionally(e);
            }
            if (!keep) {
                session.update("ROLLBACK TO operation");
            }
            session.update("RELEASE operation");
        }

        T join() {
            try {
                return answer.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof StorageException cause) {
                    throw cause;
                }
                throw e;
            }
        }
    }
}
