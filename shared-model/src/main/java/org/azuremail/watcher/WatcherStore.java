package org.azuremail.watcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;

/**
 * Watchers (table {@code watcher}, partition {@code .all}) and the processes that take them (table {@code service},
 * partition {@code .all}). One more row of the second table counts births and commands, so that a process that has read
 * the same counts before need not read the rest. Every change is written under the ETag that was read. Safe for use
 * from many threads and processes.
 */
final class WatcherStore {

    static final String WATCHER = "watcher";
    static final String SERVICE = "service";
    private static final String ALL = ".all";
    private static final String COUNTS = ".counts";

    private final Table watchers;
    private final Table services;
    private volatile long commandsSeen;
    private volatile long emptyUntil;

    public WatcherStore(Storage storage) {
        this.watchers = new Table(storage.tables(), WATCHER);
        this.services = new Table(storage.tables(), SERVICE);
    }

    /**
     * The counts by which the manager and the processes inform each other of changes.
     *
     * @param births the number of processes started so far
     * @param birthsRead how many of them the manager has seen
     * @param commands the number of changes of a watcher or its place so far
     * @param manager the process that managed last
     */
    record Counts(long births, long birthsRead, long commands, String manager) {

        static final Counts NONE = new Counts(0, 0, 0, "");

        Counts withBirth() {
            return new Counts(births + 1, birthsRead, commands + 1, manager);
        }

        Counts withCommand() {
            return new Counts(births, birthsRead, commands + 1, manager);
        }

        Counts readBy(String who, long read) {
            return new Counts(births, Math.max(read, birthsRead), commands, who);
        }

        static Counts from(Values v) {
            return new Counts(
                    v.number("Births", 0), v.number("BirthsRead", 0), v.number("Commands", 0), v.string("Manager", ""));
        }

        Values toValues() {
            return Values.builder()
                    .put("Births", births)
                    .put("BirthsRead", birthsRead)
                    .put("Commands", commands)
                    .put("Manager", manager)
                    .build();
        }
    }

    record ServiceSnapshot(Counts counts, List<Versioned<WatchService>> services) {}

    /**
     * Returns whether no watcher exists, as far as this process has read. All parts of a process share this knowledge:
     * signals reach the process that manages, and the other processes must know whether a manager is needed.
     */
    boolean empty() {
        return commandsSeen <= emptyUntil;
    }

    /** Records that no watcher existed after this many commands. */
    void emptyAt(Counts counts) {
        emptyUntil = counts.commands();
    }

    private Counts seen(Counts counts) {
        if (counts.commands() == counts.births()) {
            emptyAt(counts);
        }
        commandsSeen = counts.commands();
        return counts;
    }

    ServiceSnapshot readAll() {
        Counts counts = Counts.NONE;
        List<Versioned<WatchService>> read = new ArrayList<>();
        for (Row row : services.stream(KeyRange.partition(ALL)).toList()) {
            if (row.rowKey().equals(COUNTS)) {
                counts = Counts.from(row.values());
            } else {
                read.add(new Versioned<>(WatchService.from(row.values()), row.etag()));
            }
        }
        return new ServiceSnapshot(seen(counts), read);
    }

    Counts counts() {
        return seen(
                services.get(ALL, COUNTS).map(row -> Counts.from(row.values())).orElse(Counts.NONE));
    }

    /** Changes the counts. Counting twice after a lost answer does no harm, because it only causes one more read. */
    void count(UnaryOperator<Counts> change) {
        ConditionalWrites.retryIdempotentUntilDone("the counts of watchers", () -> {
            Optional<Row> row = services.get(ALL, COUNTS);
            Counts before = row.map(existing -> Counts.from(existing.values())).orElse(Counts.NONE);
            Counts after = change.apply(before);
            return after.equals(before)
                    || services.write(ALL, Write.put(row, COUNTS, after.toValues()))
                            .written();
        });
    }

    Saved<WatchService> insert(WatchService service) {
        return services.insert(key(service), service.toValues(), WatchService::from);
    }

    Saved<WatchService> replace(WatchService service, String etag) {
        return services.replace(key(service), service.toValues(), etag, WatchService::from);
    }

    /** Returns whether the manager has marked the process as dead or has deleted its row. */
    boolean isDeclaredDead(Versioned<WatchService> service) {
        return services.get(ALL, key(service.value()).row())
                .map(row -> WatchService.from(row.values()).deleted())
                .orElse(true);
    }

    void delete(Versioned<WatchService> service) {
        services.write(ALL, new Write.Delete(key(service.value()).row(), service.etag()));
    }

    List<Versioned<Watcher>> all() {
        return after("").toList();
    }

    /** Returns watchers in order of their names, read as the stream is consumed. */
    Stream<Versioned<Watcher>> after(String name) {
        return watchers.stream(KeyRange.rows(ALL, KeyRange.next(KeyEscaper.escape(name)), null))
                .map(row -> new Versioned<>(Watcher.from(row.values()), row.etag()));
    }

    /** Finds a watcher by its name; empty for a name that no watcher can have. */
    Optional<Versioned<Watcher>> find(String name) {
        if (!Watcher.NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        return watchers.get(ALL, key(name).row()).map(row -> new Versioned<>(Watcher.from(row.values()), row.etag()));
    }

    Saved<Watcher> insert(Watcher watcher) {
        return watchers.insert(key(watcher.name()), watcher.toValues(), Watcher::from);
    }

    Saved<Watcher> replace(Watcher watcher, String etag) {
        return watchers.replace(key(watcher.name()), watcher.toValues(), etag, Watcher::from);
    }

    /**
     * Replaces several watchers in as few calls as possible, each under its ETag.
     *
     * @param written receives the watchers of one call and their new ETags; a call that changed nothing is left out
     */
    void replaceAll(List<Versioned<Watcher>> changed, BiConsumer<List<Versioned<Watcher>>, List<String>> written) {
        for (List<Versioned<Watcher>> part :
                BatchBudget.divide(ALL, TableStore.MAX_BATCH, changed, WatcherStore::replacement)) {
            WriteResult result = watchers.write(
                    ALL, part.stream().map(WatcherStore::replacement).toList());
            if (result instanceof WriteResult.Written done) {
                written.accept(part, done.etags());
            }
        }
    }

    private static Write replacement(Versioned<Watcher> watcher) {
        return new Write.Replace(
                key(watcher.value().name()).row(), watcher.value().toValues(), watcher.etag());
    }

    void forget(Versioned<Watcher> watcher) {
        watchers.write(ALL, new Write.Delete(key(watcher.value().name()).row(), watcher.etag()));
    }

    private static Key key(WatchService service) {
        return new Key(ALL, KeyEscaper.escape(service.id()));
    }

    private static Key key(String watcher) {
        return new Key(ALL, KeyEscaper.escape(watcher));
    }
}
