package org.azuremail.storage;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Outcome;
import org.azuremail.storage.StorageCalls.Store;
import org.jspecify.annotations.Nullable;

/**
 * The three ports of one back end, which is chosen once at start-up. Calls that break a port's limits are refused
 * before the back end sees them. The limits are the same for every back end.
 */
public record Storage(TableStore tables, QueueStore queues, BlobStore blobs) {

    public Storage {
        tables = tables instanceof Tables ? tables : new Tables(tables, new Calls(Store.TABLE, null));
        queues = queues instanceof Queues ? queues : new Queues(queues, new Calls(Store.QUEUE, null));
        blobs = blobs instanceof Blobs ? blobs : new Blobs(blobs, new Calls(Store.BLOB, null));
    }

    /** Returns the same ports with their calls counted by {@code counts} only. */
    Storage counted(StorageCalls counts) {
        return new Storage(
                new Tables(((Tables) tables).real, new Calls(Store.TABLE, counts)),
                new Queues(((Queues) queues).real, new Calls(Store.QUEUE, counts)),
                new Blobs(((Blobs) blobs).real, new Calls(Store.BLOB, counts)));
    }

    /** Checks and counts table calls. The rows that they read or write are counted, too. */
    private record Tables(TableStore real, Calls calls) implements TableStore {

        @Override
        public void createTable(String table) {
            StorageLimits.requireTable(table);
            calls.make(Operation.CREATE, table, () -> real.createTable(table));
        }

        @Override
        public Optional<Row> get(String table, Key key) {
            StorageLimits.requireTable(table);
            return calls.make(
                    Operation.GET, table, () -> real.get(table, key), row -> true, row -> row.isPresent() ? 1 : 0);
        }

        @Override
        public Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation) {
            StorageLimits.requireTable(table);
            StorageLimits.checkPage(limit);
            return calls.make(
                    Operation.QUERY,
                    table,
                    () -> real.query(table, range, limit, continuation),
                    page -> true,
                    page -> page.items().size());
        }

        /** Counts nothing, because the reads are calls of this store and are counted themselves. */
        @Override
        public <T> List<T> readInParallel(List<Supplier<T>> reads) {
            return real.readInParallel(reads);
        }

        @Override
        public WriteResult write(String table, String partition, List<Write> writes) {
            StorageLimits.checkWrites(table, partition, writes);
            return calls.make(
                    Operation.WRITE,
                    table,
                    () -> real.write(table, partition, writes),
                    WriteResult::written,
                    result -> writes.size());
        }
    }

    private record Queues(QueueStore real, Calls calls) implements QueueStore {

        @Override
        public void createQueue(String queue) {
            StorageLimits.requireQueue(queue);
            calls.make(Operation.CREATE, queue, () -> real.createQueue(queue));
        }

        @Override
        public void send(String queue, String text, Duration delay) {
            StorageLimits.checkSend(queue, text, delay);
            calls.make(Operation.SEND, queue, () -> real.send(queue, text, delay));
        }

        /** Counts one call for each text, because a storage account charges for each. */
        @Override
        public void sendAll(String queue, List<String> texts) {
            texts.forEach(text -> StorageLimits.checkSend(queue, text, Duration.ZERO));
            if (texts.isEmpty()) {
                return;
            }
            calls.make(Operation.SEND, queue, () -> real.sendAll(queue, texts));
            texts.stream().skip(1).forEach(text -> calls.answered(Operation.SEND, queue, true, 0));
        }

        @Override
        public List<QueueItem> receive(String queue, int max, Duration visibility) {
            StorageLimits.checkReceive(queue, max, visibility);
            return calls.make(Operation.RECEIVE, queue, () -> real.receive(queue, max, visibility));
        }

        @Override
        public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
            StorageLimits.requireQueue(queue);
            StorageLimits.checkVisibility(visibility);
            return calls.make(Operation.RENEW, queue, () -> real.renew(queue, item, visibility), Optional::isPresent);
        }

        @Override
        public boolean delete(String queue, QueueItem item) {
            StorageLimits.requireQueue(queue);
            return calls.make(Operation.DELETE, queue, () -> real.delete(queue, item), deleted -> deleted);
        }

        @Override
        public List<QueueItem> peek(String queue, int max) {
            StorageLimits.checkPeek(queue, max);
            return calls.make(Operation.PEEK, queue, () -> real.peek(queue, max));
        }

        @Override
        public long approximateCount(String queue) {
            StorageLimits.requireQueue(queue);
            return calls.make(Operation.COUNT, queue, () -> real.approximateCount(queue));
        }
    }

    /** Checks and counts blob calls. Reading from an open blob is not counted as another call. */
    private record Blobs(BlobStore real, Calls calls) implements BlobStore {

        @Override
        public void createContainer(String container) {
            StorageLimits.requireContainer(container);
            calls.make(Operation.CREATE, container, () -> real.createContainer(container));
        }

        @Override
        public WriteResult put(String container, String name, InputStream content, Condition condition)
                throws IOException {
            StorageLimits.requireBlob(container, name);
            WriteResult result;
            try {
                result = real.put(container, name, content, condition);
            } catch (IOException | RuntimeException | Error e) {
                calls.threw(Operation.PUT, container, e);
                throw e;
            }
            calls.answered(Operation.PUT, container, result.written(), 0);
            return result;
        }

        /** Calls the back end's own method, because it may store content in memory more efficiently than a stream. */
        @Override
        public WriteResult put(String container, String name, byte[] content, Condition condition) {
            StorageLimits.requireBlob(container, name);
            return calls.make(
                    Operation.PUT,
                    container,
                    () -> real.put(container, name, content, condition),
                    WriteResult::written);
        }

        @Override
        public Optional<OpenBlob> open(String container, String name) {
            StorageLimits.requireBlob(container, name);
            return calls.make(Operation.OPEN, container, () -> real.open(container, name));
        }

        /** Calls the back end's own method, because it may read a small blob more efficiently than a stream. */
        @Override
        public Optional<byte[]> read(String container, String name) {
            StorageLimits.requireBlob(container, name);
            return calls.make(Operation.OPEN, container, () -> real.read(container, name));
        }

        @Override
        public WriteResult delete(String container, String name, Condition condition) {
            StorageLimits.requireBlob(container, name);
            return calls.make(
                    Operation.DELETE, container, () -> real.delete(container, name, condition), WriteResult::written);
        }

        @Override
        public Page<BlobInfo> list(String container, String prefix, int limit, @Nullable String continuation) {
            StorageLimits.requireContainer(container);
            StorageLimits.checkPage(limit);
            return calls.make(Operation.LIST, container, () -> real.list(container, prefix, limit, continuation));
        }
    }

    /**
     * Makes the calls of one port and counts them if {@code counts} is given. Results and exceptions pass unchanged.
     */
    private record Calls(Store store, @Nullable StorageCalls counts) {

        void make(Operation operation, String name, Runnable call) {
            make(operation, name, () -> {
                call.run();
                return true;
            });
        }

        /** Makes a call that cannot be refused. */
        <T> T make(Operation operation, String name, Supplier<T> call) {
            return make(operation, name, call, answer -> true, answer -> 0);
        }

        <T> T make(Operation operation, String name, Supplier<T> call, Predicate<T> granted) {
            return make(operation, name, call, granted, answer -> 0);
        }

        <T> T make(
                Operation operation, String name, Supplier<T> call, Predicate<T> granted, ToIntFunction<T> entities) {
            T answer;
            try {
                answer = call.get();
            } catch (RuntimeException | Error e) {
                threw(operation, name, e);
                throw e;
            }
            answered(operation, name, granted.test(answer), entities.applyAsInt(answer));
            return answer;
        }

        void answered(Operation operation, String name, boolean granted, int entities) {
            count(operation, name, granted ? Outcome.OK : Outcome.REFUSED, entities);
        }

        /** Counts a failed call, except a call that broke a port's limits and therefore never left this process. */
        void threw(Operation operation, String name, Throwable thrown) {
            if (!(thrown instanceof IllegalArgumentException)) {
                count(operation, name, Outcome.FAILED, 0);
            }
        }

        private void count(Operation operation, String name, Outcome outcome, int entities) {
            if (counts != null) {
                counts.count(store, name, operation, outcome, entities);
            }
        }
    }

    /**
     * The names of all tables, queues and containers of a storage, sorted. No port lists them, because the product
     * knows its names. Only a copy of a whole storage needs the names that exist.
     */
    public record Inventory(SortedSet<String> tables, SortedSet<String> queues, SortedSet<String> containers) {}
}
