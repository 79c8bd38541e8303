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
 * The pace of a message over the last 15 to 30 seconds, from samples that earlier requests of the same page took. The
 * page carries the samples from one request to the next, so the server keeps no state for it.
 *
 * @param older the sample from which the pace is calculated
 * @param newer the sample from which the pace will be calculated next
 */
public record SendingRate(Sample older, Sample newer) {

    private static final Duration WINDOW = Duration.ofSeconds(15);

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,15})-(\\d{1,15})-(\\d{1,15})-(\\d{1,15})");

    /** A sample: the number of recipients with an outcome at a time. */
    public record Sample(Instant at, long done) {

        private static Sample read(String millis, String done) {
            return new Sample(Instant.ofEpochMilli(Long.parseLong(millis)), Long.parseLong(done));
        }

        private String written() {
            return at.toEpochMilli() + "-" + done;
        }
    }

    /**
     * Reads the samples that the page sent. Without any, or with an impossible one, the pace starts with the present
     * sample.
     */
    public static SendingRate read(@Nullable String seen, Sample now) {
        Matcher written = WRITTEN.matcher(seen == null ? "" : seen);
        if (!written.matches()) {
            return new SendingRate(now, now);
        }
        SendingRate rate = new SendingRate(
                Sample.read(written.group(1), written.group(2)), Sample.read(written.group(3), written.group(4)));
        return rate.before(now) ? rate : new SendingRate(now, now);
    }

    private boolean before(Sample now) {
        return older.done <= newer.done
                && newer.done <= now.done
                && !older.at.isAfter(newer.at)
                && !newer.at.isAfter(now.at);
    }

    /** Returns the samples that the page sends with its next request. */
    public String nextSamples(Sample now) {
        boolean old = Duration.between(newer.at, now.at).compareTo(WINDOW) >= 0;
        return old ? newer.written() + "-" + now.written() : older.written() + "-" + newer.written();
    }

    /**
     * Returns the recipients a second; empty if it is unknown. Lots are recorded as a whole, so a short time misleads.
     */
    public OptionalDouble perSecond(Sample now) {
        long millis = Duration.between(older.at, now.at).toMillis();
        long done = now.done - older.done;
        return millis < 1000 || done == 0 ? OptionalDouble.empty() : OptionalDouble.of(done * 1000.0 / millis);
    }

    /**
     * The pace in words.
     *
     * @param perSecond whether the number counts recipients a second; otherwise a minute
     * @param minutesLeft whole minutes until the end, 0 for less than one; {@code null} if it is unknown
     */
    record Estimate(
            boolean perSecond, long number, @Nullable Long minutesLeft) {}

    /** Returns the pace, at most the limit; empty if it is unknown. */
    Optional<Estimate> estimate(Sample now, MessageProgress progress, OptionalInt limit) {
        OptionalDouble speed = perSecond(now);
        if (speed.isEmpty() || progress.waiting() == 0) {
            return Optional.empty();
        }
        double rate = Math.min(speed.getAsDouble(), limit.orElse(Integer.MAX_VALUE));
        Long left = progress.walked() ? (Long) (long) (progress.waiting() / rate / 60) : null;
        return Optional.of(
                rate >= 1 ? new Estimate(true, round(rate), left) : new Estimate(false, round(rate * 60), left));
    }

    /** Rounds to two digits, because more would be noise. */
    private static long round(double number) {
        double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(number)) - 1));
        return Math.max(1, (long) (Math.round(number / unit) * unit));
    }
}
