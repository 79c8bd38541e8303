package org.azuremail.sender;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.azuremail.list.ListStore;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * A storage account with Azure's limits and 5 to 20 ms a call, in virtual time. Partitions, queues and the account
 * handle one entity after another. A call waits its turn. If that would take longer than half a second, the call is
 * refused with 503. It is repeated after the pauses of the product's own client, and given up after as many tries.
 */
final class SimulatedAccount {

    private static final Set<String> MAILING = Set.of(ListStore.TABLE, MessageStore.MESSAGE, MessageStore.ARCHIVE);
    private static final long LONGEST_TURN = 500_000;
    private static final int MOST_TRIES = 6;
    private static final long FIRST_PAUSE = 100_000;
    private static final long LONGEST_PAUSE = 4_000_000;

    private final Clockwork clock;
    private final AccountLimits limits;
    private final Random random;
    private final Map<String, RateServer> partitions = new HashMap<>();
    private final Map<String, RateServer> queues = new HashMap<>();
    private final RateServer entities;
    private final RateServer requests;
    private long refused;
    private long givenUp;

    SimulatedAccount(Clockwork clock, AccountLimits limits, long seed) {
        this.clock = clock;
        this.limits = limits;
        this.random = new Random(seed);
        this.entities = new RateServer(limits.account());
        this.requests = new RateServer(limits.account());
    }

    /** Returns the storage behind these limits. */
    Storage around(Storage storage) {
        return new Storage(new Tables(storage.tables()), new Queues(storage.queues()), new Blobs(storage.blobs()));
    }

    /** Returns whether callers read the table inside monitors, as the runtime does with its own tables. */
    private boolean insideMonitor(String table) {
        return !MAILING.contains(table);
    }

    long calls() {
        return requests.total();
    }

    long entities() {
        return entities.total();
    }

    long refused() {
        return refused;
    }

    long givenUp() {
        return givenUp;
    }

    /** Returns the most entities of one partition a second, over ten seconds. */
    long busiestPartition() {
        return busiest(partitions);
    }

    long busiestQueue() {
        return busiest(queues);
    }

    long busiestAccount() {
        return Math.max(entities.mostInTenSeconds(), requests.mostInTenSeconds()) / 10;
    }

    private static long busiest(Map<String, RateServer> servers) {
        return servers.values().stream()
                        .mapToLong(RateServer::mostInTenSeconds)
                        .max()
                        .orElse(0)
                / 10;
    }

    private <T> T call(List<RateServer> servers, boolean atOnce, Supplier<T> action, ToLongFunction<T> cost) {
        for (int made = 1; ; made++) {
            long way = 2_500 + random.nextInt(7_500);
            pass(way, atOnce);
            if (waits(servers) <= LONGEST_TURN || atOnce) {
                return serve(servers, way, atOnce, action, cost);
            }
            refused++;
            if (made == MOST_TRIES) {
                givenUp++;
                clock.sleepMicros(way);
                throw new StorageException(StorageException.Reason.THROTTLED, "503, six times", null);
            }
            long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << (made - 1));
            clock.sleepMicros(way + pause / 2 + random.nextInt((int) pause / 2));
        }
    }

    private <T> T serve(
            List<RateServer> servers, long way, boolean atOnce, Supplier<T> action, ToLongFunction<T> cost) {
        T result = action.get();
        long units = cost.applyAsLong(result);
        long now = clock.micros();
        long done = requests.serve(now, 1);
        for (RateServer server : servers) {
            done = Math.max(done, server.serve(now, units));
        }
        pass(done - now + way, atOnce);
        return result;
    }

    private long waits(List<RateServer> servers) {
        long longest = requests.backlog(clock.micros());
        for (RateServer server : servers) {
            longest = Math.max(longest, server.backlog(clock.micros()));
        }
        return longest;
    }

    private void pass(long micros, boolean atOnce) {
        if (atOnce) {
            clock.owe(micros);
        } else {
            clock.sleepMicros(micros);
        }
    }

    private final class Tables implements TableStore {

        private final TableStore real;

        Tables(TableStore real) {
            this.real = real;
        }

        private List<RateServer> servers(String table, String partition) {
            return List.of(
                    entities,
                    partitions.computeIfAbsent(table + " " + partition, first -> new RateServer(limits.partition())));
        }

        @Override
        public void createTable(String table) {
            real.createTable(table);
        }

        @Override
        public Optional<Row> get(String table, Key key) {
            return call(servers(table, key.partition()), insideMonitor(table), () -> real.get(table, key), found -> 1);
        }

        @Override
        public Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation) {
            return call(
                    servers(table, String.valueOf(range.fromPartition())),
                    insideMonitor(table),
                    () -> real.query(table, range, limit, continuation),
                    page -> Math.max(1, page.items().size()));
        }

        @Override
        public WriteResult write(String table, String partition, List<Write> writes) {
            return call(
                    servers(table, partition),
                    insideMonitor(table),
                    () -> real.write(table, partition, writes),
                    result -> writes.size());
        }
    }

    /** Queues whose held items are monitors, so calls that end or renew an item take their time later. */
    private final class Queues implements QueueStore {

        private final QueueStore real;

        Queues(QueueStore real) {
            this.real = real;
        }

        private List<RateServer> server(String queue) {
            return List.of(queues.computeIfAbsent(queue, first -> new RateServer(limits.queue())));
        }

        @Override
        public void createQueue(String queue) {
            real.createQueue(queue);
        }

        @Override
        public void send(String queue, String text, Duration delay) {
            Supplier<Boolean> action = () -> {
                real.send(queue, text, delay);
                return true;
            };
            call(server(queue), false, action, sent -> 1);
        }

        @Override
        public List<QueueItem> receive(String queue, int max, Duration visibility) {
            return call(
                    server(queue),
                    false,
                    () -> real.receive(queue, max, visibility),
                    items -> Math.max(1, items.size()));
        }

        @Override
        public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
            return call(server(queue), true, () -> real.renew(queue, item, visibility), renewed -> 1);
        }

        @Override
        public boolean delete(String queue, QueueItem item) {
            return call(server(queue), true, () -> real.delete(queue, item), deleted -> 1);
        }

        @Override
        public List<QueueItem> peek(String queue, int max) {
            return call(server(queue), false, () -> real.peek(queue, max), items -> 1);
        }

        @Override
        public long approximateCount(String queue) {
            return call(server(queue), false, () -> real.approximateCount(queue), count -> 1);
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
            return real.put(container, name, content, condition);
        }

        @Override
        public Optional<OpenBlob> open(String container, String name) {
            return call(List.of(), true, () -> real.open(container, name), found -> 0);
        }

        @Override
        public WriteResult delete(String container, String name, Condition condition) {
            return call(List.of(), false, () -> real.delete(container, name, condition), result -> 0);
        }

        @Override
        public Page<BlobInfo> list(String container, String prefix, int limit, @Nullable String continuation) {
            return call(List.of(), false, () -> real.list(container, prefix, limit, continuation), page -> 0);
        }
    }
}
