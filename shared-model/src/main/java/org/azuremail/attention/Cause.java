package org.azuremail.attention;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.azuremail.id.AsciiWord;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * One thing that needs a person. Its texts are {@code attention.<code>.title}, {@code .text} and {@code .fix}.
 *
 * @param subject what it is about, the same as long as it lasts: a queue, a message, a process
 * @param size how much of it there is: more of it is news
 * @param values for the places in the title and the text: texts, numbers, moments and reasons
 * @param path where it is resolved: a page, or with a field where a click is posted to
 * @param parts what admins have been told of or not, each under a name that stays the same as long as it lasts: the subject alone
 *     unless it is about several
 */
public record Cause(
        Kind kind,
        String subject,
        long size,
        List<Object> values,
        @Nullable String path,
        @Nullable Field field,
        List<String> parts) {

    private static final Duration AT_ONCE = Duration.ZERO;

    /** Many problems end by themselves within this time. */
    private static final Duration IF_IT_LASTS = Duration.ofMinutes(5);

    /** The kinds of problems that need a person. */
    public enum Kind {
        /** Nobody can be emailed about it, because that would have to be recorded first. */
        NOTHING_SAVED(null),
        PROVIDER_WAITING(IF_IT_LASTS),
        /** It was on hold, and nobody could be told meanwhile. */
        PROVIDER_WAITED(AT_ONCE),
        QUEUE_ABANDONED(IF_IT_LASTS),
        WORK_STOPPED(AT_ONCE),
        MESSAGE_PAUSED(AT_ONCE),
        MESSAGE_FAILED(AT_ONCE),
        UNKNOWN_OUTCOMES(AT_ONCE),
        IMPORT_FAILED(AT_ONCE),
        JOB_FAILED(AT_ONCE),
        WATCHER_FAILED(AT_ONCE),
        /** It goes on by itself as soon as the other server does. */
        WATCHER_TROUBLED(null),
        DEAD_LETTERS(AT_ONCE),
        DEAD_LETTERS_MANY(AT_ONCE),
        PROCESS_DEAF(IF_IT_LASTS),
        PROCESS_ENDED(AT_ONCE),
        PROCESS_SILENT(AT_ONCE),
        NO_MAIL_SERVER(null),
        LINKS_LOCAL(null),
        LINKS_NOT_HTTPS(null);

        private final @Nullable Duration patience;

        Kind(@Nullable Duration patience) {
            this.patience = patience;
        }

        /** Returns whether admins are emailed about it: not about how the service is set up, which they know and see, nor about other servers. */
        boolean mailed() {
            return patience != null;
        }

        /** The time it has to last before admins are emailed about it. */
        Duration patience() {
            return patience == null ? Duration.ZERO : patience;
        }

        /** Kinds that are one to admins. */
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

    /** The same, about several of which each is news. */
    Cause about(List<String> several) {
        return new Cause(kind, subject, size, values, path, field, several);
    }

    public String code() {
        return AsciiWord.of(kind);
    }

    public String page() {
        return field != null ? "/operations" : path == null ? "/" : path;
    }

    public List<Object> said() {
        return values.stream().map(Cause::said).toList();
    }

    private static Object said(Object value) {
        if (value instanceof Reason reason) {
            return reason.words();
        }
        return value instanceof Instant instant ? Date.from(instant) : value;
    }
}
