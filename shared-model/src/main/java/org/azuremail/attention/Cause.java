package org.azuremail.attention;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.azuremail.id.AsciiWord;
import org.azuremail.reason.Words;
import org.jspecify.annotations.Nullable;

/**
 * A problem that needs a person. Its texts are {@code attention.<code>.title}, {@code .text} and {@code .fix}.
 *
 * @param subject the queue, message, process or other thing with the problem; the same as long as the problem lasts
 * @param size the size of the problem; an increase is news
 * @param values the values for the placeholders in the title and the text: texts, numbers, times and reasons
 * @param path where the problem is resolved: a page or, with a field, the target of a button's POST request
 * @param parts the parts about which admins are told separately, by names that stay the same as long as the problem
 *     lasts; only the subject unless there are several
 */
public record Cause(
        Kind kind,
        String subject,
        long size,
        List<Object> values,
        @Nullable String path,
        @Nullable Field field,
        List<String> parts) {

    private static final Duration WITHOUT_DELAY = Duration.ZERO;

    /** The time within which many problems end by themselves. */
    private static final Duration IF_IT_LASTS = Duration.ofMinutes(5);

    /** The kinds of problems that need a person. */
    public enum Kind {
        /** Nothing can be saved. No admin is emailed about it, because the email would have to be recorded first. */
        NOTHING_SAVED(null),
        PROVIDER_WAITING(IF_IT_LASTS),
        /** A provider was on hold, and admins could not be told meanwhile. */
        PROVIDER_WAITED(WITHOUT_DELAY),
        QUEUE_ABANDONED(IF_IT_LASTS),
        WORK_STOPPED(WITHOUT_DELAY),
        MESSAGE_PAUSED(WITHOUT_DELAY),
        MESSAGE_FAILED(WITHOUT_DELAY),
        UNKNOWN_OUTCOMES(WITHOUT_DELAY),
        IMPORT_FAILED(WITHOUT_DELAY),
        JOB_FAILED(WITHOUT_DELAY),
        WATCHER_FAILED(WITHOUT_DELAY),
        /** A watcher has problems with another server. It continues by itself as soon as that server works again. */
        WATCHER_TROUBLED(null),
        DEAD_LETTERS(WITHOUT_DELAY),
        DEAD_LETTERS_MANY(WITHOUT_DELAY),
        PROCESS_DEAF(IF_IT_LASTS),
        PROCESS_ENDED(WITHOUT_DELAY),
        PROCESS_SILENT(WITHOUT_DELAY),
        NO_MAIL_SERVER(null),
        LINKS_LOCAL(null),
        LINKS_NOT_HTTPS(null);

        private final @Nullable Duration patience;

        Kind(@Nullable Duration patience) {
            this.patience = patience;
        }

        /**
         * Returns whether admins are emailed about the problem. They are not emailed about the configuration of the
         * service, which they know and see, or about other servers.
         */
        boolean mailed() {
            return patience != null;
        }

        /** Returns the time that the problem has to last before admins are emailed about it. */
        Duration patience() {
            return patience == null ? Duration.ZERO : patience;
        }

        /** Returns the kind that represents this one when several kinds are the same problem to admins. */
        Kind group() {
            return this == DEAD_LETTERS_MANY ? DEAD_LETTERS : this;
        }
    }

    public record Field(String name, String value) {}

    public Cause {
        values = List.copyOf(values);
        parts = List.copyOf(parts);
    }

    public Cause(
            Kind kind, String subject, long size, List<Object> values, @Nullable String path, @Nullable Field field) {
        this(kind, subject, size, values, path, field, List.of(subject));
    }

    static Cause linked(Kind kind, String subject, String path, Object... values) {
        return new Cause(kind, subject, 1, List.of(values), path, null);
    }

    static Cause posted(Kind kind, String path, Field field, Object... values) {
        return new Cause(kind, field.value(), 1, List.of(values), path, field);
    }

    static Cause unlinked(Kind kind, Object... values) {
        return new Cause(kind, "", 1, List.of(values), null, null);
    }

    Cause sized(long newSize) {
        return new Cause(kind, subject, newSize, values, path, field, parts);
    }

    /** Returns a copy with several parts, each of which is news by itself. */
    Cause about(List<String> several) {
        return new Cause(kind, subject, size, values, path, field, several);
    }

    public String code() {
        return AsciiWord.of(kind);
    }

    public String page() {
        return field != null ? "/operations" : path == null ? "/" : path;
    }

    public List<?> displayValues(ZoneId zone) {
        return Words.displayValues(zone, values);
    }

    /** @param part {@code .title}, {@code .text} or {@code .fix} */
    public String words(ZoneId zone, String part) {
        return Words.of(zone, "attention." + code() + part, values);
    }
}
