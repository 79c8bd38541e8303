package org.azuremail.storage.embedded;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. Operations that wait when it comes back from a commit go into the next one together; each
 * operation has a savepoint of its own, so that one that is refused takes nothing of its neighbours with it.
 */
final class Writer {

    /** Changes the file inside a transaction, which is undone when it throws or refuses. */
    interface Work<T> {
        Outcome<T> on(Session session, Sequence sequence) throws SQLException;
    }

    /** The answer of an operation, and whether its changes stay. */
    record Outcome<T>(T answer, boolean keep) {

        static <T> Outcome<T> keep(T answer) {
            return new Outcome<>(answer, true);
        }

        static <T> Outcome<T> undo(T answer) {
            return new Outcome<>(answer, false);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final int MAX_NUMBERS_PER_GROUP = 10_000;

    private final DataFile file;
    private final Schema schema;
    private final FileCare care;
    private final LastCommit last;
    private final Sequence sequence;
    private final Thread thread;
    private final Queue<Operation<?>> waiting = new ArrayDeque<>();
    private boolean closing;
    private boolean failing;
    private @Nullable Session session;

    /** Opens the file, and makes or upgrades it first. */
    Writer(DataFile file, Schema schema, Time time) {
        this.file = file;
        this.schema = schema;
        this.care = new FileCare(file);
        this.last = new LastCommit(file.path(), time);
        this.sequence = new Sequence(time);
        this.session = open();
        this.thread = new Thread(this::run, "azuremail-storage-writer");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits until the work is durable. An interrupt does not break that off: nobody would know what became of it. The
     * flag stays set.
     *
     * @param numbers the most numbers of the sequence that the work takes
     */
    <T> T write(String about, int numbers, Work<T> work) {
        Operation<T> operation = new Operation<>(about, numbers, work);
        synchronized (waiting) {
            if (closing) {
                throw new StorageException(Reason.UNAVAILABLE, about + ": the storage is closed", null);
            }
            waiting.add(operation);
            waiting.notifyAll();
        }
        return operation.join();
    }

    /** Returns the number of operations that wait for the next commit. */
    int waiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    /** Does what waits, then stops; returns when the connection is closed. */
    void close() {
        synchronized (waiting) {
            closing = true;
            waiting.notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        List<Operation<?>> group = nextGroup();
        while (!group.isEmpty()) {
            commitAndGoOn(group);
            group = nextGroup();
        }
        closeSession(true);
        last.close();
    }

    /** A failure of one group does not keep the next one from being written: there is no other writer. */
    private void commitAndGoOn(List<Operation<?>> group) {
        try {
            commitTogether(group);
        } catch (RuntimeException | Error e) {
            LOG.error("The writer goes on after a failure", e);
            closeSession(false);
            sequence.forget();
            group.forEach(operation -> operation.fail(
                    new StorageException(Reason.UNKNOWN, operation.about() + ": the commit failed: " + e, e)));
        }
    }

    /** Waits for work; empty when the storage closes and nothing is left. */
    private List<Operation<?>> nextGroup() {
        List<Operation<?>> group = new ArrayList<>();
        synchronized (waiting) {
            while (waiting.isEmpty() && !closing) {
                waitForWork();
            }
            int numbers = 0;
            Operation<?> operation = waiting.peek();
            while (operation != null && numbers < MAX_NUMBERS_PER_GROUP) {
                group.add(waiting.remove());
                numbers += operation.numbers() + 1;
                operation = waiting.peek();
            }
        }
        return group;
    }

    private void waitForWork() {
        try {
            waiting.wait();
        } catch (InterruptedException e) {
            // Nobody may stop the writer but close().
            LOG.debug("The writer was interrupted and goes on");
        }
    }

    private void commitTogether(List<Operation<?>> group) {
        Session current;
        try {
            current = openSession();
            begin(current);
        } catch (SQLException e) {
            group.forEach(operation -> operation.fail(SqliteErrors.translate(operation.about(), e)));
            return;
        } catch (StorageException e) {
            group.forEach(operation -> operation.fail(e));
            return;
        }
        try {
            commit(current, group);
        } catch (SQLException | RuntimeException | Error e) {
            reportOnce(e);
            // Its statements may be in any state: the next group begins on a new connection.
            closeSession(false);
            sequence.forget();
            group.forEach(operation -> operation.fail(new StorageException(
                    Reason.UNKNOWN, operation.about() + ": the commit failed: " + e.getMessage(), e)));
            return;
        }
        failing = false;
        last.tell();
        group.forEach(Operation::succeed);
        care.afterCommit(current);
    }

    static void begin(Session session) throws SQLException {
        SqliteErrors.begin(() -> session.update("BEGIN IMMEDIATE"));
    }

    private void commit(Session current, List<Operation<?>> group) throws SQLException {
        sequence.reserve(
                current,
                group.stream().mapToLong(operation -> operation.numbers()).sum());
        for (Operation<?> operation : group) {
            operation.runInSavepoint(current, sequence);
        }
        last.next(current);
        current.update("COMMIT");
    }

    private Session openSession() {
        Session open = session;
        if (open == null) {
            open = open();
            session = open;
        }
        return open;
    }

    private Session open() {
        Session opened = file.openWriter(schema);
        try {
            last.compare(opened);
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

    /** A full disk fails every commit: one line says so until commits work again. */
    private void reportOnce(Throwable e) {
        if (!failing) {
            LOG.error("Commits to {} fail; what waits for them is told so", file.path(), e);
        }
        failing = true;
    }
}
