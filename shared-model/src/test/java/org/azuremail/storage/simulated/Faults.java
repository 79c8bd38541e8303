package org.azuremail.storage.simulated;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/** A storage that does one thing wrong, at one numbered call. */
public final class Faults {

    /** The ways in which a call can go wrong. */
    public enum Mode {
        /** The process dies before the call takes effect. */
        DIES_BEFORE,
        /** The process dies after the call took effect. */
        DIES_AFTER,
        /** The call fails and was not done; the process lives. */
        FAILS,
        /** The call was done, its answer is lost; the process lives. */
        ANSWER_LOST,
        /** The call was done, its answer is lost, and the client library repeats it: 409, 412, 404 or a second item. */
        REPEATED;

        public boolean dies() {
            return this == DIES_BEFORE || this == DIES_AFTER;
        }
    }

    private final Mode mode;
    private final long at;
    private final Runnable onDeath;
    private long calls;
    private boolean dead;
    private boolean armed = true;
    private long times = 1;

    public Faults(Mode mode, long at, Runnable onDeath) {
        this.mode = mode;
        this.at = at;
        this.onDeath = onDeath;
    }

    public static Faults none() {
        return new Faults(Mode.FAILS, -1, () -> {});
    }

    /** Calls so far; whether the fault happened is {@code calls() >= at}. */
    public long calls() {
        return calls;
    }

    /** The process dies now, wherever it stands: it does nothing any more. */
    public void kill() {
        dead = true;
    }

    /** Throws for a process that is dead. */
    public void live() {
        if (dead) {
            throw new ProcessDied();
        }
    }

    public void disarm() {
        armed = false;
    }

    /** Lets so many calls in a row go wrong, instead of one. */
    public Faults lasting(long calls) {
        times = calls;
        return this;
    }

    /** Calls count from now on, again. */
    public void arm() {
        armed = true;
    }

    private <T> T call(Supplier<T> action) {
        live();
        if (!armed || ++calls < at || calls >= at + times) {
            return action.get();
        }
        switch (mode) {
            case DIES_BEFORE -> die();
            case FAILS -> throw new StorageException(Reason.UNAVAILABLE, "not done", null);
            case DIES_AFTER -> {
                action.get();
                die();
            }
            case ANSWER_LOST -> {
                action.get();
                throw new StorageException(Reason.TIMED_OUT, "done, but nobody heard", null);
            }
            case REPEATED -> action.get();
        }
        return action.get();
    }

    private void die() {
        dead = true;
        onDeath.run();
        throw new ProcessDied();
    }

    public Storage around(Storage real) {
        return new Storage(new Tables(real.tables()), new Queues(real.queues()), new Blobs(real.blobs()));
    }

    private final class Tables implements TableStore {

        private final TableStore real;

        Tables(TableStore real) {
            this.real = real;
        }

        @Override
        public void createTable(String table) {
            real.createTable(table);
        }

        @Override
        public Optional<Row> get(String table, Key key) {
            return call(() -> real.get(table, key));
        }

        @Override
        public RowPage query(String table, KeyRange range, int limit, @Nullable String continuation) {
            return call(() -> real.query(table, range, limit, continuation));
        }

        @Override
        public WriteResult write(String table, String partition, List<Write> writes) {
            return call(() -> real.write(table, partition, writes));
        }
    }

    private final class Queues implements QueueStore {

        private final QueueStore real;

        Queues(QueueStore real) {
            this.real = real;
        }

        @Override
        public void createQueue(String queue) {
            real.createQueue(queue);
        }

        @Override
        public void send(String queue, String text, Duration delay) {
            call(() -> {
                real.send(queue, text, delay);
                return true;
            });
        }

        @Override
        public List<QueueItem> receive(String queue, int max, Duration visibility) {
            return call(() -> real.receive(queue, max, visibility));
        }

        @Override
        public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
            return call(() -> real.renew(queue, item, visibility));
        }

        @Override
        public boolean delete(String queue, QueueItem item) {
            return call(() -> real.delete(queue, item));
        }

        @Override
        public List<QueueItem> peek(String queue, int max) {
            return call(() -> real.peek(queue, max));
        }

        @Override
        public long approximateCount(String queue) {
            return call(() -> real.approximateCount(queue));
        }
    }

    private final class Blobs implements BlobStore {

        private final BlobStore real;

        Blobs(BlobStore real) {
            this.real = real;
        }

        @Override
        public void createContainer(String container) {
            real.createContainer(container);
        }

        @Override
        public WriteResult put(String container, String name, InputStream content, Condition condition)
                throws IOException {
            byte[] bytes = content.readAllBytes();
            return call(() -> real.put(container, name, bytes, condition));
        }

        @Override
        public Optional<OpenBlob> open(String container, String name) {
            return call(() -> real.open(container, name));
        }

        @Override
        public WriteResult delete(String container, String name, Condition condition) {
            return call(() -> real.delete(container, name, condition));
        }

        @Override
        public Page<BlobInfo> list(String container, String prefix, int limit, @Nullable String continuation) {
            return call(() -> real.list(container, prefix, limit, continuation));
        }
    }
}
