package org.azuremail.eventlog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The entries that are wanted. Time and level are in an entry's name; the process and the text take a read of each entry.
 *
 * @param from the second of the first; {@code null} for as far back as the log goes
 * @param to the second before which the last one is; {@code null} for up to now
 * @param least this level and above
 * @param process a part of the name of its process, in any case; empty for all
 * @param text in its title, source or details, in any case; empty for all
 */
public record EventFilter(@Nullable Instant from, @Nullable Instant to, EventLevel least, String process, String text) {

    /** The greatest length of a process or a text, in characters. */
    public static final int LONGEST = 200;

    public EventFilter {
        from = from == null ? null : from.truncatedTo(ChronoUnit.SECONDS);
        to = to == null ? null : to.truncatedTo(ChronoUnit.SECONDS);
        process = process.strip().toLowerCase(Locale.ROOT);
        text = text.strip().toLowerCase(Locale.ROOT);
    }

    /** All entries of a level and above. */
    public static EventFilter atLeast(EventLevel least) {
        return new EventFilter(null, null, least, "", "");
    }

    boolean names(String name) {
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
