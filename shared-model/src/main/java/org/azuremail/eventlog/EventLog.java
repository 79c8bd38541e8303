package org.azuremail.eventlog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.azuremail.id.CompactIds;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Entries of all processes, each a blob of its own that is named by its second, a number that is unique over all
 * processes, its level and its title. So any number of processes write at once without meeting, and one listing by prefix
 * reads an hour. Safe for use from many threads and processes; every call may throw a
 * {@link org.azuremail.storage.StorageException} and may be repeated then.
 */
public final class EventLog {

    static final String CONTAINER = "azuremail-events";

    private static final String COUNTER = "event";

    private final BlobStore blobs;
    private final CompactIds numbers;
    private final Time time;
    private final Duration keep;
    private volatile boolean made;

    /** @param keep how far back the log goes */
    public EventLog(Storage storage, CompactIds numbers, Time time, Duration keep) {
        this.blobs = storage.blobs();
        this.numbers = numbers;
        this.time = time;
        this.keep = keep;
    }

    /**
     * Keeps an entry, durably.
     *
     * @return its id
     */
    public String write(Event event) {
        makeContainer();
        String id = EventName.of(event, numbers.next(COUNTER));
        blobs.put(CONTAINER, id, EventText.write(event), BlobStore.ALWAYS);
        return id;
    }

    /** Whether a text can be the id of an entry. */
    public static boolean isEntry(String id) {
        return EventName.isOne(id);
    }

    public Optional<LoggedEvent> find(String id) {
        if (!EventName.isOne(id)) {
            return Optional.empty();
        }
        makeContainer();
        return blobs.read(CONTAINER, id).map(bytes -> new LoggedEvent(id, EventText.read(bytes)));
    }

    /** The entries of one hour, oldest first; lists the blobs of that hour and no others. */
    public List<LoggedEvent> hour(Instant within) {
        makeContainer();
        List<LoggedEvent> found = new ArrayList<>();
        eachName(EventName.hour(within), name -> find(name).ifPresent(found::add));
        return found;
    }

    /**
     * The newest entries of a level and above. Costs one listing a day (more after 1,000 entries) back to where the page is
     * full, and one read for each entry shown.
     *
     * @param limit 1 to 100
     * @param before the id of an entry: only older ones; {@code null} for the newest
     */
    public EventPage newest(int limit, EventLevel least, @Nullable String before) {
        if (limit < 1 || limit > 100) {
            throw new IllegalArgumentException("1 to 100 entries at once, not " + limit);
        }
        makeContainer();
        String bound = before != null && EventName.isOne(before) ? before : null;
        List<String> names = namesBefore(bound, least, limit);
        List<LoggedEvent> events =
                names.stream().map(this::find).flatMap(Optional::stream).toList();
        return new EventPage(events, names.size() < limit ? null : names.get(names.size() - 1));
    }

    /** Removes the days that lie wholly before an instant. */
    void deleteBefore(Instant instant) {
        makeContainer();
        String end = EventName.day(instant);
        blobs.stream(CONTAINER, "")
                .map(BlobInfo::name)
                .takeWhile(name -> name.compareTo(end) < 0)
                .forEach(name -> blobs.delete(CONTAINER, name, BlobStore.ALWAYS));
    }

    private List<String> namesBefore(@Nullable String bound, EventLevel least, int limit) {
        List<String> names = new ArrayList<>();
        Instant oldest = time.instant().minus(keep);
        Instant day = bound == null ? EventName.dayOf(EventName.day(tomorrow())) : EventName.dayOf(bound);
        while (names.size() < limit && !day.plus(Duration.ofDays(1)).isBefore(oldest)) {
            names.addAll(newestOfDay(day, bound, least, limit - names.size()));
            day = EventName.dayBefore(day);
        }
        return names;
    }

    /** Another process's clock may be ahead by a minute. */
    private Instant tomorrow() {
        return time.instant().plus(Duration.ofMinutes(1));
    }

    private List<String> newestOfDay(Instant day, @Nullable String bound, EventLevel least, int limit) {
        Deque<String> newest = new ArrayDeque<>();
        eachName(EventName.day(day), name -> {
            boolean older = bound == null || name.compareTo(bound) < 0;
            if (older && isAtLeast(least).test(name)) {
                newest.addFirst(name);
            }
            if (newest.size() > limit) {
                newest.removeLast();
            }
        });
        return List.copyOf(newest);
    }

    private static Predicate<String> isAtLeast(EventLevel least) {
        return name -> EventName.level(name)
                .filter(level -> level.compareTo(least) >= 0)
                .isPresent();
    }

    private void eachName(String prefix, Consumer<String> reader) {
        blobs.stream(CONTAINER, prefix).forEach(blob -> reader.accept(blob.name()));
    }

    private void makeContainer() {
        if (!made) {
            blobs.createContainer(CONTAINER);
            made = true;
        }
    }
}
