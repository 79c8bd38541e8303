package org.azuremail.watcher;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.watcher.WatcherStore.Counts;
import org.azuremail.watcher.WatcherStore.ServiceSnapshot;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;

/**
 * The manager of the watchers, in the process that holds its lease. It places watchers on processes with free slots,
 * finds out which process died, and ends deleted watchers that no process ends. All of its state is in the rows, so
 * that its own death costs only time. While no watcher exists, it runs only on a signal.
 */
@ConditionalOnRole(Role.SCHEDULER)
final class WatcherPlacer implements ScheduledService {

    static final String NAME = "watchers";

    /** The interval while no watcher exists; creating one sends a signal. */
    private static final Duration IDLE_INTERVAL = Duration.ofDays(30);

    /** The time after which a stop that no process obeyed is broadcast again. */
    private static final Duration REPEAT_INTERVAL = Duration.ofSeconds(10);

    /**
     * The interval at which all watchers are read even if no command was counted, because the process that gave a
     * command may have died before it was counted.
     */
    private static final Duration FULL_READ_INTERVAL = Duration.ofMinutes(30);

    /** A value that differs from every number in the row of counts, so that the next run does everything. */
    private static final long NOTHING_SEEN = -1;

    private static final Duration DEAD_RETENTION = Duration.ofDays(1);
    private static final Duration DELETED_RETENTION = Duration.ofDays(30);

    private final WatcherStore store;
    private final Instances instances;
    private final Signals signals;
    private final Time time;

    /** The length of the lease by which a process holds its watchers. */
    private final Duration lease;

    /** The largest difference between the clocks of two hosts. */
    private final Duration grace;

    private long commandsSeen = NOTHING_SEEN;
    private Set<String> livingSeen = Set.of();
    private Duration readElapsed = Duration.ZERO;
    private boolean lastRunFailed;
    private boolean unfinished;

    WatcherPlacer(
            WatcherStore store,
            WatcherProperties settings,
            Instances instances,
            Signals signals,
            Time time,
            Leases leases) {
        this.store = store;
        this.instances = instances;
        this.signals = signals;
        this.time = time;
        this.lease = settings.lease(leases);
        this.grace = leases.foreignGrace();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Duration interval() {
        return unfinished ? REPEAT_INTERVAL : lastRunFailed || !store.empty() ? lease.dividedBy(3) : IDLE_INTERVAL;
    }

    @Override
    public boolean active() {
        return unfinished;
    }

    @Override
    public void run() {
        // A run that fails leaves these fields set, so that the next run starts soon and does everything.
        lastRunFailed = true;
        ServiceSnapshot snapshot = store.readAll();
        Counts counts = snapshot.counts();
        Instant now = time.instant();
        List<WatchService> services = living(snapshot.services(), now);
        Set<String> living = services.stream().map(WatchService::id).collect(Collectors.toSet());
        boolean died = snapshot.services().stream()
                .anyMatch(read ->
                        !read.value().deleted() && !living.contains(read.value().id()));
        boolean news = counts.commands() != commandsSeen || unfinished || died || !living.containsAll(livingSeen);
        // Also where no watcher exists, and this service seldom runs: a deleted one may have to be forgotten.
        if (news || readElapsed.compareTo(time.elapsed()) <= 0) {
            boolean anew = commandsSeen == NOTHING_SEEN;
            commandsSeen = NOTHING_SEEN;
            if (!manage(snapshot, services, anew, now)) {
                store.emptyAt(counts);
            }
            commandsSeen = counts.commands();
            livingSeen = living;
            readElapsed = time.elapsed().plus(FULL_READ_INTERVAL);
        }
        String self = instances.self().map(Instance::id).orElse("");
        if (!counts.readBy(self, counts.births()).equals(counts)) {
            store.count(before -> before.readBy(self, counts.births()));
        }
        lastRunFailed = false;
    }

    /**
     * @param anew whether processes may not have been informed of earlier moves, because that run failed
     * @return whether a watcher exists
     */
    private boolean manage(ServiceSnapshot snapshot, List<WatchService> living, boolean anew, Instant now) {
        List<Versioned<Watcher>> watchers = store.all().stream()
                .sorted(Comparator.comparing(read -> read.value().createdAt()))
                .toList();
        List<Watcher> values = watchers.stream().map(Versioned::value).toList();
        List<WatchService> existing = new ArrayList<>(living);
        existing.addAll(startedSince(snapshot, values));
        living.stream()
                .filter(service -> tookNoWatcher(service, values, now) && declareDead(service.id(), now))
                .forEach(existing::remove);
        Capacity.FreeSlots freeSlots = Capacity.of(existing, values).room();
        unfinished = false;
        boolean moved = anew && !watchers.isEmpty();
        for (Versioned<Watcher> watcher : watchers) {
            moved |= manage(watcher, freeSlots, now);
        }
        if (moved) {
            store.count(Counts::withCommand);
        }
        if (moved || unfinished) {
            signals.runSoon(WatcherHost.NAME);
        }
        return values.stream().anyMatch(watcher -> watcher.status() != WatcherStatus.DELETED);
    }

    /**
     * Returns processes that started after this manager read the services, and were given a watcher by another manager
     * before this one read the watchers.
     */
    private List<WatchService> startedSince(ServiceSnapshot snapshot, List<Watcher> watchers) {
        Set<String> known =
                snapshot.services().stream().map(read -> read.value().id()).collect(Collectors.toSet());
        known.add("");
        return watchers.stream().allMatch(watcher -> known.contains(watcher.serviceId()))
                ? List.of()
                : store.readAll().services().stream()
                        .map(Versioned::value)
                        .filter(service -> !service.deleted() && !known.contains(service.id()))
                        .toList();
    }

    /** @return whether a process has to be informed */
    private boolean manage(Versioned<Watcher> read, Capacity.FreeSlots freeSlots, Instant now) {
        Watcher watcher = read.value();
        boolean held = freeSlots.living(watcher.serviceId());
        if (watcher.status() == WatcherStatus.DELETED) {
            if (watcher.modifyAt().plus(DELETED_RETENTION).isBefore(now)) {
                store.forget(read);
            }
            return false;
        }
        if (watcher.status() == WatcherStatus.ON_DELETING) {
            return end(read, held, now);
        }
        if (held || !watcher.needsSlot()) {
            boolean notTakenUp = held && watcher.status() == WatcherStatus.CREATED;
            unfinished |= notTakenUp;
            return notTakenUp && isRepeatDue(watcher, now);
        }
        String place = freeSlots.take().orElse("");
        unfinished |= place.isEmpty();
        return !place.equals(watcher.serviceId())
                && store.replace(watcher.on(place, now), read.etag()).done().isPresent();
    }

    /** Ends a watcher that is on no process; otherwise its process ends it. */
    private boolean end(Versioned<Watcher> read, boolean held, Instant now) {
        unfinished = true;
        if (!held) {
            unfinished =
                    store.replace(read.value().ended(now), read.etag()).done().isEmpty();
            return false;
        }
        return isRepeatDue(read.value(), now);
    }

    private static boolean isRepeatDue(Watcher watcher, Instant now) {
        return watcher.modifyAt().plus(REPEAT_INTERVAL).isBefore(now);
    }

    private List<WatchService> living(List<Versioned<WatchService>> services, Instant now) {
        Set<String> instancesAlive = withoutLease(services) ? instancesAlive(now) : Set.of();
        List<WatchService> living = new ArrayList<>();
        for (Versioned<WatchService> read : services) {
            WatchService service = read.value();
            if (service.deleted()) {
                if (service.modifyAt().plus(DEAD_RETENTION).isBefore(now)) {
                    store.delete(read);
                }
            } else if (lives(service, instancesAlive, services, now) || !markDead(read, now)) {
                living.add(service);
            }
        }
        return living;
    }

    private static boolean withoutLease(List<Versioned<WatchService>> services) {
        return services.stream()
                .map(Versioned::value)
                .anyMatch(service -> !service.deleted() && service.leaseEnd() == null);
    }

    private Set<String> instancesAlive(Instant now) {
        return instances.live().stream()
                .filter(instance -> instances.alive(instance, now))
                .map(Instance::id)
                .collect(Collectors.toSet());
    }

    private boolean lives(
            WatchService service, Set<String> instancesAlive, List<Versioned<WatchService>> all, Instant now) {
        boolean reborn = all.stream()
                .map(Versioned::value)
                .anyMatch(other ->
                        other.name().equals(service.name()) && other.createdAt().isAfter(service.createdAt()));
        Instant end = service.leaseEnd();
        boolean holds = end != null && end.plus(grace).isAfter(now);
        boolean young = service.createdAt().plus(Instances.CACHE_TTL).isAfter(now);
        return !reborn
                && (end == null
                        ? young || instancesAlive.contains(service.instance())
                        : holds && !instances.isDead(service.instance()));
    }

    /**
     * Returns whether the process was given a watcher half a lease ago and still has no lease, although a process takes
     * up a watcher at once.
     */
    private boolean tookNoWatcher(WatchService service, List<Watcher> watchers, Instant now) {
        Instant end = service.leaseEnd();
        return end == null
                && watchers.stream()
                        .anyMatch(watcher -> watcher.heldBy(service.id())
                                && watcher.needsSlot()
                                && watcher.modifyAt().plus(lease.dividedBy(2)).isBefore(now));
    }

    /** @return false when the process has taken a lease after all, and its watchers with it */
    private boolean declareDead(String service, Instant now) {
        return store.readAll().services().stream()
                .filter(read ->
                        read.value().id().equals(service) && read.value().leaseEnd() == null)
                .anyMatch(read -> markDead(read, now));
    }

    /**
     * Marks a process as dead. The change is counted first, so that the next manager notices it if this one does not
     * reach the watchers.
     *
     * @return false when the process has taken or renewed its lease since its row was read
     */
    private boolean markDead(Versioned<WatchService> read, Instant now) {
        store.count(Counts::withCommand);
        return !(store.replace(read.value().dead(now), read.etag()) instanceof Saved.Conflict<WatchService> changed)
                || changed.current().value().deleted();
    }
}
