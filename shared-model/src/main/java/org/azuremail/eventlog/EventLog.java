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
 * The events of all processes, each a blob with an {@link EventName}. Any number of processes therefore write at once
 * without conflict, and one listing by prefix reads an hour. Safe for use from many threads and processes. Every call
 * may throw a {@link org.azuremail.storage.StorageException} and may then be repeated.
 */
public final class EventLog {

    static final String CONTAINER = "azuremail-events";

    /** The number of entries read for one page. */
    static final int SCAN_SIZE = 500;

    private static final int MAX_SCANNED_FOR_ONE = 10;
    private static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(1);

    private final Container blobs;
    private final CompactIds numbers;
    private final Time time;
    private final Duration keep;

    /** @param keep the age up to which entries are kept */
    public EventLog(Storage storage, CompactIds numbers, Time time, Duration keep) {
        this.blobs = new Container(storage.blobs(), CONTAINER);
        this.numbers = numbers;
        this.time = time;
        this.keep = keep;
    }

    public record Entry(String id, Event event) {}

    /** Stores an entry and returns its id. */
    public String write(Event event) {
        String id = EventName.of(event, numbers.next("event"));
        blobs.put(id, event.written());
        return id;
    }

    public Optional<Entry> find(String id) {
        return EventName.isOne(id) ? blobs.read(id).map(bytes -> new Entry(id, Event.read(bytes))) : Optional.empty();
    }

    /**
     * Returns the newest entries that match the filter. Makes one listing for each day until the page is full, and one
     * for each hour at the ends of the requested time (more listings if there are over 1,000 entries). Also reads each
     * entry that it checks, {@link #SCAN_SIZE} at most.
     *
     * @param limit 1 to 100
     * @param before the id of an entry that is newer than all results; {@code null} for the newest entries
     * @return a page, which may have a continuation and fewer than {@code limit} entries if few of the checked ones
     *     matched
     * @throws IllegalArgumentException if {@code before} is not the id of an entry
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
     * Passes the entries that match the filter to a reader, oldest first, each as it is read.
     *
     * @param max the most entries to pass; ten times as many are checked
     * @return the second at which to continue, if entries remain
     */
    public Optional<Instant> each(EventFilter filter, int max, Consumer<Entry> reader) {
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
            if (given == max || scanned++ == MAX_SCANNED_FOR_ONE * max) {
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

    /** Deletes the days that end before an instant. */
    void deleteBefore(Instant instant) {
        String end = EventName.day(instant);
        blobs.stream("")
                .map(BlobInfo::name)
                .takeWhile(name -> name.compareTo(end) < 0)
                .forEach(blobs::delete);
    }

    /**
     * Returns the prefixes of the names to list, newest first. They cover the time that the log keeps and the next
     * minute.
     */
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

    private List<String> newestNames(String prefix, EventFilter filter, @Nullable String bound, int max) {
        Deque<String> newest = new ArrayDeque<>();
        blobs.stream(prefix)
                .map(BlobInfo::name)
                .filter(name -> bound == null || name.compareTo(bound) < 0)
                .filter(filter::matchesName)
                .forEach(name -> {
                    newest.addFirst(name);
                    if (newest.size() > max) {
                        newest.removeLast();
                    }
                });
        return List.copyOf(newest);
    }

    /**
     * A filter for entries. Time and level are in an entry's name; to check the process or the text, each entry must be
     * read.
     *
     * @param from the beginning of the time, inclusive; {@code null} for no limit
     * @param to the end of the time, exclusive; {@code null} for the present
     * @param least the mildest level
     * @param process a part of the name of the entry's process, in any case; empty for all
     * @param text a part of the title, source or details, in any case; empty for all
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
