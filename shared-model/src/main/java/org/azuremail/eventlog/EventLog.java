package org.azuremail.eventlog;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.id.CompactIds;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.Container;
import org.azuremail.storage.Page;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Entries of all processes, each a blob of its own that is named by its second, a number that is unique over all
 * processes, its level and its title. So any number of processes write at once without meeting, and one listing by prefix
 * reads an hour. Safe for use from many threads and processes; every call may throw a
 * {@link org.azuremail.storage.StorageException} and may be repeated then.
 */
public final class EventLog {

    static final String CONTAINER = "azuremail-events";

    /** The number of entries read for one page. */
    static final int SCAN_SIZE = 500;

    private static final int MAX_SCANNED_FOR_ONE = 10;
    private static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(1);
    private static final String COUNTER = "event";

    private final Container blobs;
    private final CompactIds numbers;
    private final Time time;
    private final Duration keep;

    /** @param keep how far back the log goes */
    public EventLog(Storage storage, CompactIds numbers, Time time, Duration keep) {
        this.blobs = new Container(storage.blobs(), CONTAINER);
        this.numbers = numbers;
        this.time = time;
        this.keep = keep;
    }

    public record Entry(String id, Event event) {}

    /** Keeps an entry, durably. */
    public String write(Event event) {
        String id = EventName.of(event, numbers.next(COUNTER));
        blobs.put(id, event.written());
        return id;
    }

    public Optional<Entry> find(String id) {
        if (!EventName.isOne(id)) {
            return Optional.empty();
        }
        return blobs.read(id).map(bytes -> new Entry(id, Event.read(bytes)));
    }

    /**
     * The newest entries that are wanted. Costs one listing a day or, at the ends of the time that is asked for, an hour (more
     * after 1,000 entries), back to where the page is full, and one read for each entry that is looked at, {@link #SCAN_SIZE}
     * at most.
     *
     * @param limit 1 to 100
     * @param before the id of an entry: only older ones; {@code null} for the newest
     * @return a page that has a continuation and fewer entries, or none, where few of those looked at were wanted
     * @throws IllegalArgumentException when {@code before} is the id of no entry
     */
    public Page<Entry> newest(int limit, EventFilter filter, @Nullable String before) {
        Assert.isTrue(limit >= 1 && limit <= 100, "1 to 100 entries at once, not " + limit);
        Assert.isTrue(before == null || EventName.isOne(before), "not the id of an entry");
        List<Entry> found = new ArrayList<>();
        int scanned = 0;
        for (String prefix : prefixes(filter, before)) {
            for (String name : newestNames(prefix, filter, before, SCAN_SIZE - scanned)) {
                scanned++;
                find(name).filter(entry -> filter.fits(entry.event())).ifPresent(found::add);
                if (found.size() == limit || scanned == SCAN_SIZE) {
                    return new Page<>(found, name);
                }
            }
        }
        return new Page<>(found, null);
    }

    /**
     * Gives out the entries that are wanted, oldest first, each as it is read.
     *
     * @param most of them, and ten times as many are looked at
     * @return the second from which to go on, where not all were given out
     */
    public Optional<Instant> each(EventFilter filter, int most, Consumer<Entry> reader) {
        List<String> oldestFirst = new ArrayList<>(prefixes(filter, null));
        Collections.reverse(oldestFirst);
        int given = 0;
        int scanned = 0;
        Iterator<String> names = oldestFirst.stream()
                .flatMap(blobs::stream)
                .map(BlobInfo::name)
                .filter(filter::matchesName)
                .iterator();
        while (names.hasNext()) {
            String name = names.next();
            if (given == most || scanned++ == MAX_SCANNED_FOR_ONE * most) {
                return Optional.of(EventName.second(name));
            }
            Optional<Entry> entry = find(name).filter(one -> filter.fits(one.event()));
            if (entry.isPresent()) {
                reader.accept(entry.get());
                given++;
            }
        }
        return Optional.empty();
    }

    /** Removes the days that lie wholly before an instant. */
    void deleteBefore(Instant instant) {
        String end = EventName.day(instant);
        blobs.stream("")
                .map(BlobInfo::name)
                .takeWhile(name -> name.compareTo(end) < 0)
                .forEach(blobs::delete);
    }

    /** The beginnings of the names that are listed, newest first: within the time that the log keeps, and a minute ahead. */
    private List<String> prefixes(EventFilter filter, @Nullable String bound) {
        Instant now = time.instant();
        Instant oldest = EventName.startOfDay(now.minus(keep));
        Instant end = bound == null
                ? now.plus(MAX_CLOCK_SKEW)
                : EventName.second(bound).plusSeconds(1);
        Instant from = filter.from() == null || filter.from().isBefore(oldest) ? oldest : filter.from();
        Instant to = filter.to() == null || filter.to().isAfter(end) ? end : filter.to();
        return EventName.prefixes(from, to);
    }

    private List<String> newestNames(String prefix, EventFilter filter, @Nullable String bound, int most) {
        Deque<String> newest = new ArrayDeque<>();
        blobs.stream(prefix)
                .map(BlobInfo::name)
                .filter(name -> bound == null || name.compareTo(bound) < 0)
                .filter(filter::matchesName)
                .forEach(name -> {
                    newest.addFirst(name);
                    if (newest.size() > most) {
                        newest.removeLast();
                    }
                });
        return List.copyOf(newest);
    }

    /**
     * The entries that are wanted. Time and level are in an entry's name; the process and the text take a read of each entry.
     *
     * @param from the second of the first; {@code null} for as far back as the log goes
     * @param to the second before which the last one is; {@code null} for up to now
     * @param least this level and above
     * @param process a part of the name of its process, in any case; empty for all
     * @param text in its title, source or details, in any case; empty for all
     */
    public record EventFilter(
            @Nullable Instant from, @Nullable Instant to, EventLevel least, String process, String text) {

        /** The greatest length of a process or a text, in characters. */
        public static final int MAX_LENGTH = 200;

        public EventFilter {
            from = from == null ? null : from.truncatedTo(ChronoUnit.SECONDS);
            to = to == null ? null : to.truncatedTo(ChronoUnit.SECONDS);
            process = process.strip().toLowerCase(Locale.ROOT);
            text = text.strip().toLowerCase(Locale.ROOT);
        }

        public static EventFilter atLeast(EventLevel least) {
            return new EventFilter(null, null, least, "", "");
        }

        boolean matchesName(String name) {
            if (!EventName.isOne(name)) {
                return false;
            }
            Instant second = EventName.second(name);
            return (from == null || !second.isBefore(from))
                    && (to == null || second.isBefore(to))
                    && EventName.level(name)
                            .filter(level -> level.compareTo(least) >= 0)
                            .isPresent();
        }

        boolean fits(Event event) {
            return has(event.process(), process)
                    && (has(event.title(), text) || has(event.source(), text) || has(event.details(), text));
        }

        private static boolean has(String whole, String part) {
            return part.isEmpty() || whole.toLowerCase(Locale.ROOT).contains(part);
        }
    }
}
