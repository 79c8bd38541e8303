package org.azuremail.sending;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * All transports: those in the settings, which always apply, and those that an admin added on the page, as rows of
 * table {@code work}. A process learns of a change within five seconds, and reads only on request, so that an idle
 * process costs nothing. Safe for use from many threads and processes.
 */
public final class TransportDirectory {

    public static final int MAX_TRANSPORTS = 50;

    private static final String PARTITION = "transport";
    private static final String ORDER = "!order";
    private static final String PREFIX = "name:";
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

    private final Table table;
    private final MailProperties settings;
    private final Time time;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Seen seen;

    private record Seen(Snapshot snapshot, Duration atElapsed) {}

    public TransportDirectory(Storage storage, MailProperties settings, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.settings = settings;
        this.time = time;
    }

    /**
     * All transports at one moment.
     *
     * @param all all transports, those in the order first
     * @param order names of the transports that are used unless a list chooses another; never empty
     * @param added the transports that an admin added, by name; their ETags change with every change
     */
    public record Snapshot(List<Configured> all, List<String> order, Map<String, Versioned<StoredTransport>> added) {

        public Optional<Configured> find(String name) {
            return all.stream().filter(one -> one.name().equals(name)).findFirst();
        }

        public List<String> names() {
            return all.stream().map(Configured::name).toList();
        }
    }

    /** An admin's decision about the order: names in it and names left out. */
    private record Order(
            List<String> in, List<String> out, @Nullable String etag) {

        static final Order NONE = new Order(List.of(), List.of(), null);

        static Order of(Row row) {
            return new Order(names(row, "In"), names(row, "Out"), row.etag());
        }

        private static List<String> names(Row row, String property) {
            return List.of(StringUtils.tokenizeToStringArray(row.values().string(property, ""), " "));
        }

        Write write(List<String> newIn, List<String> newOut) {
            Values values = Values.builder()
                    .put("In", String.join(" ", newIn))
                    .put("Out", String.join(" ", newOut))
                    .build();
            return Write.put(etag, ORDER, values);
        }
    }

    /**
     * Returns the snapshot, at most five seconds old unless the storage is out of reach.
     *
     * @throws StorageException when this process has read none yet and the storage is out of reach
     */
    public Snapshot recent() {
        Seen known = seen;
        if (known != null && known.atElapsed().plus(REFRESH_INTERVAL).compareTo(time.elapsed()) > 0) {
            return known.snapshot();
        }
        if (known == null) {
            return refresh();
        }
        if (reading.tryLock()) {
            try {
                return refresh();
            } catch (StorageException outOfReach) {
                seen = new Seen(known.snapshot(), time.elapsed());
            } finally {
                reading.unlock();
            }
        }
        return known.snapshot();
    }

    /** Returns a fresh snapshot; one call. */
    public Snapshot refresh() {
        Map<String, Versioned<StoredTransport>> added = new LinkedHashMap<>();
        Order order = Order.NONE;
        for (Row row : table.first(KeyRange.partition(PARTITION), 2 * MAX_TRANSPORTS, null)
                .items()) {
            if (row.rowKey().equals(ORDER)) {
                order = Order.of(row);
            } else if (row.rowKey().startsWith(PREFIX)) {
                String name = row.rowKey().substring(PREFIX.length());
                added.put(name, new Versioned<>(StoredTransport.of(name, row.values()), row.etag()));
            }
        }
        settings.names().forEach(added::remove);
        Snapshot snapshot = snapshot(added, order);
        Seen before = seen;
        snapshot = before != null && before.snapshot().equals(snapshot) ? before.snapshot() : snapshot;
        seen = new Seen(snapshot, time.elapsed());
        return snapshot;
    }

    private Snapshot snapshot(Map<String, Versioned<StoredTransport>> added, Order order) {
        List<Configured> all = new ArrayList<>(settings.all());
        added.values().forEach(one -> all.add(one.value().configured()));
        List<String> names = all.stream().map(Configured::name).toList();
        List<String> inOrder = new ArrayList<>(order.in());
        inOrder.retainAll(names);
        if (!settings.outboxByDefault()) {
            settings.order().stream()
                    .filter(name -> !inOrder.contains(name) && !order.out().contains(name))
                    .forEach(inOrder::add);
        }
        List<String> asked = inOrder.isEmpty() ? settings.order() : List.copyOf(inOrder);
        all.sort(Comparator.comparingInt(one -> asked.contains(one.name()) ? asked.indexOf(one.name()) : names.size()));
        return new Snapshot(List.copyOf(all), asked, Map.copyOf(added));
    }

    /** Returns the transports, if this process can read the added ones or has read them before. */
    private Optional<Snapshot> snapshotIfKnown() {
        try {
            return Optional.of(recent());
        } catch (StorageException outOfReach) {
            return Optional.empty();
        }
    }

    public List<String> names() {
        return recent().names();
    }

    /**
     * Returns the names of the transports that are used unless a list chooses another; the first available one takes
     * the email.
     */
    public List<String> order() {
        return recent().order();
    }

    /** Returns whether emails leave this installation. Never throws. */
    public boolean sendsExternally() {
        return snapshotIfKnown()
                .map(known -> known.all().stream()
                        .anyMatch(one -> known.order().contains(one.name())
                                && !one.kind().equals(MailProperties.OUTBOX)))
                .orElseGet(settings::sendsExternally);
    }

    /** Returns whether emails can be found in the outbox. Never throws. */
    public boolean usesOutbox() {
        return snapshotIfKnown()
                .map(known -> known.all().stream().anyMatch(one -> one.kind().equals(MailProperties.OUTBOX)))
                .orElseGet(settings::usesOutbox);
    }

    /**
     * Returns whether a transport comes from the settings, so that only its limits and its place can be changed here.
     */
    public boolean fixed(String name) {
        return settings.names().contains(name);
    }

    /** Returns whether emails are kept in the outbox because no transport is set. */
    public boolean outboxByDefault() {
        return settings.outboxByDefault();
    }

    /**
     * Adds or changes a transport.
     *
     * @param etag the ETag that was read; {@code null} for a new transport
     * @return false when another change was faster
     */
    public boolean save(StoredTransport transport, @Nullable String etag) {
        String row = PREFIX + transport.name();
        return write(List.of(Write.put(etag, row, transport.values())))
                || table.get(PARTITION, row)
                        .filter(stored -> stored.values().equals(transport.values()))
                        .isPresent();
    }

    /** The order is always written too, because another admin may be adding the transport to it at this moment. */
    public boolean remove(String name, String etag) {
        Order order = storedOrder();
        return write(List.of(
                new Write.Delete(PREFIX + name, etag),
                order.write(without(order.in(), name), without(order.out(), name))));
    }

    /**
     * Sets the transports that are used unless a list chooses another, and their order; all others are left out.
     *
     * @param before the order that was shown; if it has changed since, nothing is changed
     * @return false in that case
     */
    public boolean reorder(List<String> before, List<String> in) {
        Order order = storedOrder();
        Snapshot now = refresh();
        if (!now.order().equals(before)) {
            return false;
        }
        return write(List.of(order.write(
                in, now.names().stream().filter(name -> !in.contains(name)).toList())));
    }

    private Order storedOrder() {
        return table.get(PARTITION, ORDER).map(Order::of).orElse(Order.NONE);
    }

    private boolean write(List<Write> writes) {
        boolean written = table.write(PARTITION, writes) instanceof WriteResult.Written;
        seen = null;
        return written;
    }

    private static List<String> without(List<String> names, String name) {
        return names.stream().filter(other -> !other.equals(name)).toList();
    }
}
