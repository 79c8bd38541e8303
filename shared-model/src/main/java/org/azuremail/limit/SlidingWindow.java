package org.azuremail.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.azuremail.reason.Reason;

/**
 * The emails that left in the last minute, hour or day, so that no period of that length ever has more than the limit.
 * They are counted in slots of a sixtieth of the period. A slot counts until all of it is older than the period. So an
 * email counts up to a sixtieth too long, and never too short.
 *
 * @param period a minute or longer
 * @param limit at least 1
 * @param kept how many emails are kept back now; below the limit
 * @param slots the slots with emails that still count, oldest first
 */
record SlidingWindow(Period period, int limit, int kept, List<Slot> slots) {

    private static final int SLOTS = 60;
    private static final int KEPT_BACK = 20;

    /**
     * @param number the number of slots between 1970 and the beginning of this one
     * @param mails the number of emails that left in it
     */
    record Slot(long number, int mails) {

        static Slot parse(String text) {
            String[] parts = text.split(":");
            return new Slot(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
        }

        @Override
        public String toString() {
            return number + ":" + mails;
        }
    }

    SlidingWindow {
        slots = List.copyOf(slots);
    }

    static SlidingWindow empty(Period period, int limit) {
        return new SlidingWindow(period, limit, 0, List.of());
    }

    static SlidingWindow parse(Period period, int limit, String slots) {
        return empty(period, limit)
                .withSlots(Arrays.stream(slots.split(","))
                        .filter(slot -> !slot.isEmpty())
                        .map(Slot::parse)
                        .toList());
    }

    String text() {
        return slots.stream().map(Slot::toString).collect(Collectors.joining(","));
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

    private SlidingWindow withSlots(List<Slot> others) {
        return new SlidingWindow(period, limit, kept, others);
    }

    /** Returns a copy without slots that are too old to count at this time. */
    SlidingWindow at(Instant now) {
        return withSlots(
                slots.stream().filter(slot -> freeAt(slot).isAfter(now)).toList());
    }

    /** Returns a copy with its slots moved after a wrong clock was set back. */
    SlidingWindow setBack(Instant wrong, Instant right) {
        long shift = number(right) - number(wrong);
        return withSlots(slots.stream()
                .map(slot -> new Slot(slot.number + shift, slot.mails))
                .toList());
    }

    /**
     * Returns the room that is left. It is below zero after a limit was lowered, or if others took of the part that is
     * kept back.
     */
    int room() {
        return most() - slots.stream().mapToInt(Slot::mails).sum();
    }

    /** Returns the number of emails that may leave if none left before. */
    int most() {
        return limit - kept;
    }

    /** Returns a copy with this many more emails, which leave now. */
    SlidingWindow with(int mails, Instant now) {
        List<Slot> more = new ArrayList<>(slots);
        int last = more.size() - 1;
        long number = number(now);
        if (last >= 0 && more.get(last).number >= number) {
            more.set(last, new Slot(more.get(last).number, more.get(last).mails + mails));
        } else {
            more.add(new Slot(number, mails));
        }
        return withSlots(more);
    }

    /** Returns a copy without this many of the emails in the slot of this time. */
    SlidingWindow givenBack(int mails, Instant counted) {
        long number = number(counted);
        return withSlots(slots.stream()
                .map(slot -> slot.number == number ? new Slot(number, Math.max(0, slot.mails - mails)) : slot)
                .toList());
    }

    /**
     * Returns when this many emails may leave, or the most that ever may; {@code now} if they may leave immediately.
     */
    Instant freeFor(int mails, Instant now) {
        int missing = Math.min(mails, most()) - room();
        Instant free = now;
        for (Slot slot : slots) {
            if (missing <= 0) {
                break;
            }
            missing -= slot.mails;
            free = freeAt(slot);
        }
        return free;
    }

    /** Returns the reason that the window is full until this time, which is rounded up to the minute. */
    Reason reached(String provider, Instant free) {
        return period == Period.MINUTE
                ? Reason.of(period.reached(), provider, limit, kept)
                : Reason.of(
                        period.reached(),
                        provider,
                        limit,
                        kept,
                        free.plusSeconds(59).truncatedTo(ChronoUnit.MINUTES));
    }

    private Instant freeAt(Slot slot) {
        return Instant.ofEpochMilli((slot.number + 1) * slotLength().toMillis()).plus(period.length());
    }

    private long number(Instant instant) {
        return Math.floorDiv(instant.toEpochMilli(), slotLength().toMillis());
    }

    private Duration slotLength() {
        return period.length().dividedBy(SLOTS);
    }
}
