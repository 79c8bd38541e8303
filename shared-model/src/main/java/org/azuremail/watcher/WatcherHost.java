package org.azuremail.watcher;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.watcher.WatcherStore.Counts;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.pace.SafetyPoll;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.LocalService;
import org.azuremail.work.signal.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the watchers that are placed on this process. One lease, in the row of the process among the services, covers
 * all of them. When it ends, no further turn begins, and another process may take the watchers over. Turns run in
 * parallel up to a limit. A watcher that rests needs no thread and is not checked.
 */
@ConditionalOnRole(Role.SCHEDULER)
final class WatcherHost implements LocalService {

    static final String NAME = "watcher-host";

    private static final Logger LOG = LoggerFactory.getLogger(WatcherHost.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    /** The interval at which to check for turns that have ended, because the end of a turn sends no signal. */
    private static final Duration TURN_END_POLL = Duration.ofSeconds(5);

    private final WatcherStore store;
    private final WatcherKinds kinds;
    private final Instances instances;
    private final Signals signals;
    private final Time time;
    private final HostLease lease;
    private final ProgressFlusher flusher;
    private final TurnQueue queue;
    private final Map<String, HeldWatcher> held = new HashMap<>();

    /**
     * When to check which watcher, so that a resting watcher costs nothing. A watcher may be here several times,
     * because a check at the wrong time finds nothing to do.
     */
    private final PriorityBlockingQueue<ScheduledCheck> checks = new PriorityBlockingQueue<>();

    /** Watchers whose end has not been written yet. */
    private final Set<HeldWatcher> endingWatchers = new HashSet<>();

    private final AtomicBoolean someReleased = new AtomicBoolean();
    private Duration nextPollElapsed = Duration.ZERO;
    private long commandsSeen = -1;
    private volatile boolean ending;
    private volatile Runnable wake = () -> {};

    WatcherHost(
            WatcherStore store,
            WatcherKinds kinds,
            WatcherProperties settings,
            Instances instances,
            Signals signals,
            IdSource ids,
            Time time,
            Leases leases,
            WorkRuntime runtime) {
        this.store = store;
        this.kinds = kinds;
        this.instances = instances;
        this.signals = signals;
        this.time = time;
        this.lease = new HostLease(store, settings, ids, time, settings.lease(leases));
        this.flusher = new ProgressFlusher(store);
        this.queue = new TurnQueue(settings.atOnce(), runtime.executor());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void setWakeUp(Runnable newWake) {
        wake = newWake;
    }

    @Override
    public Duration turn(boolean called) {
        ending = false;
        Optional<Instance> process = instances.self();
        if (process.isEmpty()) {
            return SOON;
        }
        Versioned<WatchService> me = lease.row() == null ? announce(process.get()) : lease.row();
        if (called || time.elapsed().compareTo(nextPollElapsed) >= 0) {
            poll(me);
        }
        if (!held.isEmpty() && lease.row() != null) {
            renew();
            flushProgress();
        }
        if (someReleased.getAndSet(false)) {
            held.values().removeIf(HeldWatcher::isReleased);
        }
        // A process without watchers needs no lease, because watchers may be placed on it for as long as it lives.
        if (held.isEmpty() && !lease.giveBack()) {
            dropAll();
        }
        return startDueTurns();
    }

    private Versioned<WatchService> announce(Instance process) {
        Versioned<WatchService> announced = lease.announce(process);
        commandsSeen = -1;
        store.count(Counts::withBirth);
        signals.runSoon(WatcherPlacer.NAME);
        return announced;
    }

    /** Reads the watchers if a command has changed one since the last read. */
    private void poll(Versioned<WatchService> me) {
        boolean noneBefore = store.empty();
        Counts counts = store.counts();
        if (noneBefore && !store.empty()) {
            signals.runSoon(WatcherPlacer.NAME);
        }
        nextPollElapsed = time.elapsed().plus(store.empty() ? SafetyPoll.NEVER : lease.half());
        if (counts.commands() == commandsSeen) {
            return;
        }
        List<Versioned<Watcher>> mine = store.all().stream()
                .filter(read -> read.value().heldBy(me.value().id()))
                .toList();
        if (mine.isEmpty() && held.isEmpty() && store.isDeclaredDead(me)) {
            LOG.warn("This process was taken for dead while it held no watcher.");
            dropAll();
            return;
        }
        if (!mine.isEmpty() && !(lease.lasts() || renew())) {
            return;
        }
        boolean refused = takeUpToFreeSlots(mine, me.value().workersCount());
        commandsSeen = counts.commands();
        if (refused) {
            store.count(Counts::withCommand);
            signals.runSoon(WatcherPlacer.NAME);
        }
    }

    /**
     * Takes the watchers that were placed here and gives up the others. If one of two managers was delayed, a process
     * may be given more watchers than it has slots; the last ones are then sent back.
     *
     * @return whether a watcher was sent back
     */
    private boolean takeUpToFreeSlots(List<Versioned<Watcher>> mine, int slots) {
        Set<String> names = new HashSet<>();
        int taken = 0;
        boolean refused = false;
        for (Versioned<Watcher> read : heldFirst(mine)) {
            boolean needsSlot = read.value().needsSlot();
            if (needsSlot && taken >= slots && !held.containsKey(read.value().name())) {
                refused |= store.replace(read.value().on("", time.instant()), read.etag())
                        .done()
                        .isPresent();
            } else {
                taken += needsSlot ? 1 : 0;
                names.add(read.value().name());
                take(read);
            }
        }
        held.values().stream()
                .filter(watcher -> !names.contains(watcher.name()))
                .forEach(HeldWatcher::release);
        return refused;
    }

    private List<Versioned<Watcher>> heldFirst(List<Versioned<Watcher>> mine) {
        return mine.stream()
                .sorted(Comparator.comparing((Versioned<Watcher> read) ->
                                !held.containsKey(read.value().name()))
                        .thenComparing(read -> read.value().createdAt()))
                .toList();
    }

    private void take(Versioned<Watcher> read) {
        Watcher watcher = read.value();
        HeldWatcher here = held.get(watcher.name());
        switch (watcher.status()) {
            case CREATED ->
                store.replace(watcher.become(WatcherStatus.PROCESSING, time.instant()), read.etag())
                        .done()
                        .ifPresent(this::hold);
            case PROCESSING -> hold(read);
            case ON_DELETING -> {
                HeldWatcher stopping = here == null ? hold(read) : here;
                stopping.endFor(read);
                endingWatchers.add(stopping);
            }
            case DELETED -> {}
        }
    }

    private HeldWatcher hold(Versioned<Watcher> read) {
        HeldWatcher here = held.get(read.value().name());
        if (here == null || here.isReleased()) {
            WatcherKind kind = kinds.find(read.value().kind()).orElse(null);
            here = new HeldWatcher(store, kind, time, this, read);
            held.put(here.name(), here);
            scheduleCheck(here, here.dueElapsed());
        } else {
            here.changed(read);
        }
        return here;
    }

    private record ScheduledCheck(Duration atElapsed, HeldWatcher watcher) implements Comparable<ScheduledCheck> {
        @Override
        public int compareTo(ScheduledCheck other) {
            return atElapsed.compareTo(other.atElapsed);
        }
    }

    /**
     * @return whether the lease certainly covers the watchers; a process that was declared dead gives them up and
     *     starts anew
     */
    private boolean renew() {
        if (lease.renew()) {
            return true;
        }
        LOG.warn("This process was taken for dead: others go on with its {} watchers.", held.size());
        dropAll();
        return false;
    }

    /** Writes turns without news. Rows that another process changed meanwhile are read again by the next run. */
    private void flushProgress() {
        Duration now = time.elapsed();
        if (flusher.due(now) && lease.lasts() && !flusher.write(held, now)) {
            commandsSeen = -1;
            nextPollElapsed = now;
        }
    }

    private void dropAll() {
        held.values().forEach(HeldWatcher::release);
        held.clear();
        checks.clear();
        endingWatchers.clear();
        lease.forget();
        nextPollElapsed = Duration.ZERO;
    }

    // Called by the watchers on any thread, and never while they are locked.

    /** Returns whether turns may still be taken on this process. */
    boolean mayContinue() {
        return !ending && lease.lasts();
    }

    /** Schedules a check of the watcher for this time. Checks that were scheduled before find nothing to do. */
    void scheduleCheck(HeldWatcher watcher, Duration atElapsed) {
        checks.add(new ScheduledCheck(atElapsed, watcher));
    }

    void wake() {
        wake.run();
    }

    /** Called when this process may have given a watcher up. */
    void onReleased() {
        someReleased.set(true);
    }

    /** Called when the tries of a watcher are used up and a person has to act. */
    void onFailed() {
        signals.needAttention();
    }

    private Duration startDueTurns() {
        Duration now = time.elapsed();
        if (lease.row() == null) {
            return SOON;
        }
        if (lease.lasts()) {
            takeDue(now);
        }
        endingWatchers.removeIf(HeldWatcher::isReleased);
        if (endingWatchers.stream().anyMatch(HeldWatcher::isEndPending)) {
            commandsSeen = -1;
            nextPollElapsed = now.plus(SOON);
        }
        queue.dispatch();
        List<Duration> rests = new ArrayList<>(List.of(nextPollElapsed.minus(now)));
        if (!held.isEmpty()) {
            rests.add(lease.untilRenewal(now));
        }
        if (queue.busy()) {
            rests.add(TURN_END_POLL);
        }
        ScheduledCheck next = checks.peek();
        if (next != null) {
            rests.add(next.atElapsed().minus(now));
        }
        return Durations.max(Collections.min(rests), SOON);
    }

    /** Begins the turns that are due. An earlier check may be added meanwhile; it is due as well. */
    private void takeDue(Duration now) {
        for (ScheduledCheck next = checks.peek();
                next != null && next.atElapsed().compareTo(now) <= 0;
                next = checks.peek()) {
            HeldWatcher watcher = checks.remove().watcher();
            if (watcher.due(now)) {
                queue.add(watcher);
            } else if (watcher.isEndPending()) {
                endingWatchers.add(watcher);
            }
        }
    }

    /** Announces the end of this process, so that its watchers are moved at once. */
    @Override
    public void end() {
        ending = true;
        Versioned<WatchService> me = lease.row();
        if (me == null) {
            return;
        }
        dropAll();
        store.replace(me.value().dead(time.instant()), me.etag());
        store.count(Counts::withCommand);
        signals.runSoon(WatcherPlacer.NAME);
    }
}
