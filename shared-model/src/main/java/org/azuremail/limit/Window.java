package org.azuremail.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;

/**
 * The mails that left in the last minute, hour or day, so that no stretch of that length ever sees more than the limit. They
 * are counted in slots of a sixtieth of the period; a slot counts until all of it is older than the period. So a mail counts
 * for at most a sixtieth too long, and never too short.
 *
 * @param period a minute or longer
 * @param limit at least 1
 * @param kept how many of them are not given now; below the limit
 * @param slots those in which mails left and which still count, oldest first
 */
record Window(Period period, int limit, int kept, List<Slot> slots) {

    private static final int SLOTS = 60;
    private static final int KEPT_BACK = 20;

    /**
     * @param number how many slots fit between 1970 and its beginning
     * @param mails that left in it
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

    Window {
        slots = List.copyOf(slots);
    }

    static Window empty(Period period, int limit) {
        return new Window(period, limit, 0, List.of());
    }

    static Window parse(Period period, int limit, String slots) {
        return empty(period, limit)
                .withSlots(Arrays.stream(slots.split(","))
                        .filter(slot -> !slot.isEmpty())
                        .map(Slot::parse)
                        .toList());
    }

    String text() {
        return slots.stream().map(Slot::toString).collect(Collectors.joining(","));
    }

    Window withLimit(int newLimit) {
        return new Window(period, newLimit, 0, slots);
    }

    /** Keeps a twentieth back, and of the rest what a share leaves; of a limit below 20 the whole share keeps nothing back. */
    Window forMessages(int percent) {
        int most = limit - limit / KEPT_BACK;
        return new Window(period, limit, limit - Math.max(1, (int) ((long) most * percent / 100)), slots);
    }

    private Window withSlots(List<Slot> others) {
        return new Window(period, limit, kept, others);
    }

    /** Without what is too old to count at this moment. */
    Window at(Instant now) {
        return withSlots(
                slots.stream().filter(slot -> freeAt(slot).isAfter(now)).toList());
    }

    /** The same past, after a clock that was wrong is set back. */
    Window setBack(Instant wrong, Instant right) {
        long shift = number(right) - number(wrong);
        return withSlots(slots.stream()
                .map(slot -> new Slot(slot.number + shift, slot.mails))
                .toList());
    }

    /** Returns the number of mails that may leave now. */
    int room() {
        return Math.max(0, left());
    }

    /** Below zero after a limit was lowered, or where others took of what is kept. */
    private int left() {
        return most() - slots.stream().mapToInt(Slot::mails).sum();
    }

    /** Returns the number of mails that may leave if none left before. */
    int most() {
        return limit - kept;
    }

    /** With so many mails more that leave now. */
    Window with(int mails, Instant now) {
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

    /** Without so many of the mails that counted in that moment's slot. */
    Window givenBack(int mails, Instant counted) {
        long number = number(counted);
        return withSlots(slots.stream()
                .map(slot -> slot.number == number ? new Slot(number, Math.max(0, slot.mails - mails)) : slot)
                .toList());
    }

    /** Returns the time at which so many mails may leave, or as many as ever may; {@code now} when they may at once. */
    Instant freeFor(int mails, Instant now) {
        int missing = Math.min(mails, most()) - left();
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

    /** That it is full until then; told to the minute, rounded up. */
    Reason reached(String provider, Instant free) {
        ReasonCode code =
                switch (period) {
                    case SECOND -> ReasonCode.RATE_SECOND;
                    case MINUTE -> ReasonCode.RATE_MINUTE;
                    case HOUR -> ReasonCode.RATE_HOUR;
                    case DAY -> ReasonCode.RATE_DAY;
                };
        return period == Period.MINUTE
                ? Reason.of(code, provider, limit, kept)
                : Reason.of(code, provider, limit, kept, free.plusSeconds(59).truncatedTo(ChronoUnit.MINUTES));
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
