package org.azuremail.web.message;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.delivery.archive.MessageProgress;
import org.jspecify.annotations.Nullable;

/**
 * The pace of a message, by what earlier looks of the same page have seen. The page carries them from one look to the next, so
 * the server remembers nobody's page. Reckoned over the last 15 to 30 seconds.
 *
 * @param older the look that is reckoned from
 * @param newer the look that will be reckoned from next
 */
public record Pace(Look older, Look newer) {

    private static final Duration WINDOW = Duration.ofSeconds(15);

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,15})-(\\d{1,15})-(\\d{1,15})-(\\d{1,15})");

    /** The number of recipients with an outcome at a time. */
    public record Look(Instant at, long done) {

        private static Look read(String millis, String done) {
            return new Look(Instant.ofEpochMilli(Long.parseLong(millis)), Long.parseLong(done));
        }

        private String written() {
            return at.toEpochMilli() + "-" + done;
        }
    }

    /** Reads the looks that the page brought along; without any, or with an impossible one, it begins anew with this one. */
    public static Pace read(@Nullable String seen, Look now) {
        Matcher written = WRITTEN.matcher(seen == null ? "" : seen);
        if (!written.matches()) {
            return new Pace(now, now);
        }
        Pace pace =
                new Pace(Look.read(written.group(1), written.group(2)), Look.read(written.group(3), written.group(4)));
        return pace.before(now) ? pace : new Pace(now, now);
    }

    private boolean before(Look now) {
        return older.done <= newer.done
                && newer.done <= now.done
                && !older.at.isAfter(newer.at)
                && !newer.at.isAfter(now.at);
    }

    /** The looks that the page is to bring along next time. */
    public String seenBy(Look now) {
        boolean old = Duration.between(newer.at, now.at).compareTo(WINDOW) >= 0;
        return old ? newer.written() + "-" + now.written() : older.written() + "-" + newer.written();
    }

    /** Recipients a second; nothing while it cannot be told. Lots are recorded as a whole: a short stretch misleads. */
    public OptionalDouble perSecond(Look now) {
        long millis = Duration.between(older.at, now.at).toMillis();
        long done = now.done - older.done;
        return millis < 1000 || done == 0 ? OptionalDouble.empty() : OptionalDouble.of(done * 1000.0 / millis);
    }

    /**
     * The pace in people's words.
     *
     * @param perSecond whether the number is of recipients a second; otherwise a minute
     * @param minutesLeft whole minutes until the end, 0 for less than one; {@code null} while it cannot be told
     */
    record Told(boolean perSecond, long number, @Nullable Long minutesLeft) {}

    /** No faster than the limit allows in the long run; nothing while it cannot be told. */
    Optional<Told> told(Look now, MessageProgress progress, OptionalInt limit) {
        OptionalDouble speed = perSecond(now);
        if (speed.isEmpty() || progress.waiting() == 0) {
            return Optional.empty();
        }
        double rate = Math.min(speed.getAsDouble(), limit.orElse(Integer.MAX_VALUE));
        Long left = progress.walked() ? (Long) (long) (progress.waiting() / rate / 60) : null;
        return Optional.of(rate >= 1 ? new Told(true, round(rate), left) : new Told(false, round(rate * 60), left));
    }

    /** Rounds to two significant digits, because more would be noise. */
    private static long round(double number) {
        double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(number)) - 1));
        return Math.max(1, (long) (Math.round(number / unit) * unit));
    }
}
