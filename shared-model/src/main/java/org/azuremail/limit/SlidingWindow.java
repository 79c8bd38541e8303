package org.azuremail.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.azuremail.reason.Reason;
import org.springframework.util.StringUtils;

/**
 * The emails that left in the last minute, hour or day, so that no period of that length ever has more than the limit.
 * They are counted in slots of a sixtieth of the period. A slot counts until all of it is older than the period. So an
 * email counts up to a sixtieth too long, and never too short.
 *
 * @param period a minute or longer
 * @param limit at least 1
 * @param kept how many emails are kept back now; below the limit
 * @param slots the emails of each slot that still counts, by the number of slots between 1970 and its beginning
 */
record SlidingWindow(Period period, int limit, int kept, SortedMap<Long, Integer> slots) {

    private static final int SLOTS = 60;
    private static final int KEPT_BACK = 20;

    SlidingWindow {
        slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    }

    static SlidingWindow empty(Period period, int limit) {
        return new SlidingWindow(period, limit, 0, new TreeMap<>());
    }

    static SlidingWindow parse(Period period, int limit, String slots) {
        return empty(period, limit).changed(parsed -> {
            for (String slot : StringUtils.tokenizeToStringArray(slots, ",")) {
                String[] parts = slot.split(":");
                parsed.put(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
            }
        });
    }

    String text() {
        return slots.entrySet().stream()
                .map(slot -> slot.getKey() + ":" + slot.getValue())
                .collect(Collectors.joining(","));
    }

    SlidingWindow withLimit(int newLimit) {
        return new SlidingWindow(period, newLimit, 0, slots);
    }

    /**
     * Returns a copy that keeps back a twentieth, and the part of the rest that a share leaves. If the limit is below
     * 20, the whole share keeps nothing back.
     */
    SlidingWindow forMessages(int percent) {
        int max = limit - limit / KEPT_BACK;
        return new SlidingWindow(period, limit, limit - Math.max(1, (int) ((long) max * percent / 100)), slots);
    }

    private SlidingWindow changed(Consumer<SortedMap<Long, Integer>> change) {
        SortedMap<Long, Integer> changed = new TreeMap<>(slots);
        change.accept(changed);
        return new SlidingWindow(period, limit, kept, changed);
    }

    /** Returns a copy without slots that are too old to count at this time. */
    SlidingWindow at(Instant now) {
        return changed(left -> left.keySet().removeIf(slot -> !freeAt(slot).isAfter(now)));
    }

    /** Returns a copy with its slots moved after a wrong clock was set back. */
    SlidingWindow setBack(Instant wrong, Instant right) {
        long shift = number(right) - number(wrong);
        return changed(moved -> {
            moved.clear();
            slots.forEach((slot, mails) -> moved.put(slot + shift, mails));
        });
    }

    /** Returns the room; below zero after a limit was lowered, or if others took of the part that is kept back. */
    int room() {
        return most() - slots.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of emails that may leave if none left before. */
    int most() {
        return limit - kept;
    }

    /** Returns a copy with this many more emails, which leave now. */
    SlidingWindow with(int mails, Instant now) {
        long slot = slots.isEmpty() ? number(now) : Math.max(slots.lastKey(), number(now));
        return changed(more -> more.merge(slot, mails, Integer::sum));
    }

    /** Returns a copy without this many of the emails in the slot of this time. */
    SlidingWindow givenBack(int mails, Instant counted) {
        return changed(less -> less.computeIfPresent(number(counted), (slot, all) -> Math.max(0, all - mails)));
    }

    /**
     * Returns when this many emails may leave, or the most that ever may; {@code now} if they may leave immediately.
     */
    Instant freeFor(int mails, Instant now) {
        int missing = Math.min(mails, most()) - room();
        Instant free = now;
        for (Map.Entry<Long, Integer> slot : slots.entrySet()) {
            if (missing <= 0) {
                break;
            }
            missing -= slot.getValue();
            free = freeAt(slot.getKey());
        }
        return free;
    }

    /** Returns the reason that the window is full until this time, which is rounded up to the minute. */
    Reason reached(String provider, Instant free) {
        Instant minute = free.plusSeconds(59).truncatedTo(ChronoUnit.MINUTES);
        return period == Period.MINUTE
                ? Reason.of(period.reached(), provider, limit, kept)
                : Reason.of(period.reached(), provider, limit, kept, minute);
    }

    private Instant freeAt(long slot) {
        return Instant.ofEpochMilli((slot + 1) * slotLength().toMillis()).plus(period.length());
    }

    private long number(Instant instant) {
        return Math.floorDiv(instant.toEpochMilli(), slotLength().toMillis());
    }

    private Duration slotLength() {
        return period.length().dividedBy(SLOTS);
    }
}
