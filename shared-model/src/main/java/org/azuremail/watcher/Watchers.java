package org.azuremail.watcher;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.watcher.WatcherStore.ServiceSnapshot;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * The commands that people and programs give to watchers. Commands only change rows; the manager and the processes do
 * the rest. All except new settings are refused until the manager is alive and has seen every process. Safe
 * for use from many threads and processes.
 */
public final class Watchers {

    /** The time for which the number of free slots is reused, less the slots that were taken by this process. */
    private static final Duration FREE_SLOTS_TTL = Duration.ofSeconds(2);

    private static final Duration TROUBLED_TTL = Duration.ofSeconds(5);

    private final WatcherStore store;
    private final WatcherKinds kinds;
    private final Instances instances;
    private final Signals signals;
    private final Time time;
    private volatile CachedFreeSlots free = new CachedFreeSlots(0, Duration.ZERO);
    private volatile CachedTroubled troubled = new CachedTroubled(List.of(), Duration.ZERO);

    private record CachedTroubled(List<Watcher> watchers, Duration untilElapsed) {}

    /** The number of slots that were free when they were last counted; fewer may be free by now. */
    private record CachedFreeSlots(long slots, Duration untilElapsed) {}

    Watchers(WatcherStore store, WatcherKinds kinds, Instances instances, Signals signals, Time time) {
        this.store = store;
        this.kinds = kinds;
        this.instances = instances;
        this.signals = signals;
        this.time = time;
    }

    /** The answer to a command. Its words are {@code watcher.answer.<name>}. */
    public enum Answer {
        CREATED,
        /** The manager has not seen all processes yet. */
        NOT_READY,
        NO_KIND,
        NAME_INVALID,
        NAME_TAKEN,
        /** All processes together have no free slot. */
        NO_SLOT,
        /** The process that takes its turns has been asked to stop it. */
        STOPPING,
        /** It has not been taken up yet; it can be withdrawn. */
        NOT_ACTIVATED,
        ALREADY_REQUESTED,
        DELETED,
        WITHDRAWN,
        /** Only a watcher that no process has taken up can be withdrawn. */
        NOT_WAITING,
        RESTARTED,
        /** Only a failed watcher can be restarted. */
        NOT_FAILED,
        /** Only a deleted watcher can be created again. */
        NOT_DELETED,
        SAVED,
        /** Another person or program changed the settings since they were read. */
        CHANGED,
        MISSING
    }

    /**
     * Returns all watchers except those deleted permanently, in order of their names, read as the stream is consumed.
     */
    public Stream<Watcher> after(String name) {
        return store.after(name).map(Versioned::value);
    }

    /**
     * Returns the watchers whose last turn had trouble, from a copy that is reused for five seconds for up to a
     * thousand watchers, and proportionally longer for more. So open pages cost at most one call in five seconds. Costs
     * one call if no watcher was ever created.
     */
    public List<Watcher> troubled() {
        CachedTroubled known = troubled;
        if (known.untilElapsed().compareTo(time.elapsed()) > 0) {
            return known.watchers();
        }
        WatcherStore.Counts counts = store.counts();
        List<Watcher> all = counts.commands() == counts.births() ? List.of() : values();
        List<Watcher> now = all.stream().filter(Watcher::troubled).toList();
        troubled = new CachedTroubled(now, time.elapsed().plus(TROUBLED_TTL.multipliedBy(1 + all.size() / 1_000)));
        return now;
    }

    public Optional<Watcher> find(String name) {
        return store.find(name).map(Versioned::value);
    }

    /** Returns the services, including those that died lately, oldest first. */
    public List<WatchService> services() {
        return store.readAll().services().stream()
                .map(Versioned::value)
                .sorted(Comparator.comparing(WatchService::createdAt))
                .toList();
    }

    public Capacity capacity() {
        return capacity(store.readAll());
    }

    /**
     * Creates a watcher from settings that have been checked.
     *
     * @throws org.azuremail.storage.StorageException when it is not known whether the watcher was created, so that
     *     the caller has to read it
     */
    public Answer create(String name, String kind, Map<String, String> settings) {
        return create(
                store.find(name),
                Watcher.created(
                        name,
                        kind,
                        kinds.withoutSecrets(kind, settings),
                        kinds.sealSecrets(name, kind, settings),
                        time.instant()));
    }

    /** Creates a deleted watcher again, with the settings and secrets that it had. */
    public Answer createAgain(String id) {
        Optional<Versioned<Watcher>> found = store.find(id);
        if (found.isEmpty()) {
            return Answer.MISSING;
        }
        Watcher before = found.get().value();
        return before.status() == WatcherStatus.DELETED
                ? create(found, Watcher.created(id, before.kind(), before.settings(), before.secrets(), time.instant()))
                : Answer.NOT_DELETED;
    }

    /** @param before the deleted watcher of this name, whose row becomes the new one's */
    private Answer create(Optional<Versioned<Watcher>> before, Watcher created) {
        if (kinds.find(created.kind()).isEmpty()) {
            return Answer.NO_KIND;
        }
        if (!Watcher.NAME.matcher(created.name()).matches()) {
            return Answer.NAME_INVALID;
        }
        ServiceSnapshot snapshot = store.readAll();
        if (!caughtUp(snapshot)) {
            return notReady();
        }
        if (before.isPresent() && before.get().value().status() != WatcherStatus.DELETED) {
            return Answer.NAME_TAKEN;
        }
        if (!takeSlot(snapshot)) {
            return Answer.NO_SLOT;
        }
        Saved<Watcher> saved =
                before.map(old -> store.replace(created, old.etag())).orElseGet(() -> store.insert(created));
        return saved.done().isEmpty() ? Answer.NAME_TAKEN : notifyHosts(Answer.CREATED);
    }

    /**
     * Takes a free slot. The number of free slots is remembered for a while, so that creating thousands of watchers
     * does not read all of them each time. A31 allows that one of them waits for a slot.
     */
    private boolean takeSlot(ServiceSnapshot snapshot) {
        CachedFreeSlots known = free;
        if (known.slots() <= 0 || known.untilElapsed().compareTo(time.elapsed()) <= 0) {
            known = new CachedFreeSlots(
                    capacity(snapshot).free(), time.elapsed().plus(FREE_SLOTS_TTL));
        }
        free = new CachedFreeSlots(known.slots() - 1, known.untilElapsed());
        return known.slots() > 0;
    }

    /** Deletes a watcher by id only, whatever its version. */
    public Answer delete(String id) {
        return command(id, watcher -> switch (watcher.status()) {
            case CREATED -> Change.refused(Answer.NOT_ACTIVATED);
            case ON_DELETING -> Change.refused(Answer.ALREADY_REQUESTED);
            case DELETED -> Change.refused(Answer.DELETED);
            case PROCESSING -> new Change(Answer.STOPPING, watcher.become(WatcherStatus.ON_DELETING, time.instant()));
        });
    }

    /** Takes back a watcher that no process has taken up yet. */
    public Answer withdraw(String id) {
        return command(
                id,
                watcher -> watcher.status() == WatcherStatus.CREATED
                        ? new Change(Answer.WITHDRAWN, watcher.ended(time.instant()))
                        : Change.refused(Answer.NOT_WAITING));
    }

    /** Restarts a failed watcher, whose tries begin anew. */
    public Answer restart(String id) {
        return command(
                id,
                watcher -> watcher.failed()
                        ? new Change(
                                Answer.RESTARTED,
                                watcher.with(watcher.progress().restarted()))
                        : Change.refused(Answer.NOT_FAILED));
    }

    /**
     * Saves new settings that have been checked; the next turn uses them. Secrets that are not among them stay.
     *
     * @param seen the {@link Watcher#version} of the settings to be replaced; null to replace any settings
     */
    public Answer configure(String id, @Nullable String seen, Map<String, String> settings) {
        return change(id, watcher -> {
            if (!watcher.status().runs()) {
                return Change.refused(Answer.DELETED);
            }
            return seen == null || seen.equals(watcher.version())
                    ? new Change(Answer.SAVED, configured(watcher, settings))
                    : Change.refused(Answer.CHANGED);
        });
    }

    private Watcher configured(Watcher watcher, Map<String, String> settings) {
        Map<String, String> kept = new HashMap<>(watcher.secrets());
        kept.putAll(kinds.sealSecrets(watcher.name(), watcher.kind(), settings));
        return watcher.with(kinds.withoutSecrets(watcher.kind(), settings), kept, time.instant());
    }

    private record Change(Answer answer, @Nullable Watcher after) {

        static Change refused(Answer answer) {
            return new Change(answer, null);
        }
    }

    private Answer command(String id, Function<Watcher, Change> decide) {
        return change(id, watcher -> {
            Change change = decide.apply(watcher);
            return change.after() == null || caughtUp(store.readAll()) ? change : Change.refused(notReady());
        });
    }

    private Answer change(String id, Function<Watcher, Change> decide) {
        return ConditionalWrites.retry("watcher " + id, () -> {
            Optional<Versioned<Watcher>> found = store.find(id);
            if (found.isEmpty()) {
                return Optional.of(Answer.MISSING);
            }
            Change change = decide.apply(found.get().value());
            Watcher after = change.after();
            if (after == null) {
                return Optional.of(change.answer());
            }
            return store.replace(after, found.get().etag()).done().map(done -> notifyHosts(change.answer()));
        });
    }

    private Answer notifyHosts(Answer answer) {
        troubled = new CachedTroubled(List.of(), Duration.ZERO);
        store.count(WatcherStore.Counts::withCommand);
        signals.runSoon(WatcherPlacer.NAME);
        signals.runSoon(WatcherHost.NAME);
        return answer;
    }

    private Answer notReady() {
        signals.runSoon(WatcherPlacer.NAME);
        return Answer.NOT_READY;
    }

    /** Returns whether the process that managed last is alive, and has seen every process that was started. */
    private boolean caughtUp(ServiceSnapshot snapshot) {
        return snapshot.counts().birthsRead() >= snapshot.counts().births()
                && instances.liveNow().stream().anyMatch(instance -> instance.id()
                        .equals(snapshot.counts().manager()));
    }

    private Capacity capacity(ServiceSnapshot snapshot) {
        List<WatchService> living = snapshot.services().stream()
                .map(Versioned::value)
                .filter(service -> !service.deleted())
                .toList();
        return Capacity.of(living, values());
    }

    private List<Watcher> values() {
        return store.all().stream().map(Versioned::value).toList();
    }
}
