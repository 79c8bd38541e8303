package org.azuremail.delivery.testmail;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Expiring;

/**
 * The results of test emails, in the table {@code testmail}: one row for each under the message's ref. The caller that
 * requests a test email writes the row first; the sender that hands it over records the result. A result is final, and
 * the row is deleted after {@link #RETENTION}. Safe for use from many threads and processes.
 */
public final class TestMails implements Expiring {

    /** The time for which results are shown. */
    static final Duration RETENTION = Duration.ofDays(7);

    private static final String TABLE = "testmail";

    private final Table table;
    private final Time time;

    public TestMails(Storage storage, Time time) {
        this.table = new Table(storage.tables(), TABLE);
        this.time = time;
    }

    public enum State {
        /** Queued until a sender takes it. */
        QUEUED,
        /** Taken by the provider. */
        HANDED_OVER,
        REFUSED,
        /** Possibly sent. */
        UNKNOWN
    }

    /**
     * The result of a test email.
     *
     * @param detail the provider's words if it took the email; otherwise why it was refused, is in doubt or waits
     */
    public record Result(State state, Reason detail) {

        public static final Result QUEUED = new Result(State.QUEUED, Reason.NONE);

        public static Result of(Answer answer) {
            if (answer instanceof Answer.Accepted accepted) {
                return new Result(State.HANDED_OVER, Reason.ofText(accepted.providerId()));
            }
            if (answer instanceof Answer.Refused refused) {
                return new Result(State.REFUSED, refused.reason());
            }
            if (answer instanceof Answer.RetryAfter later) {
                return new Result(State.REFUSED, later.reason());
            }
            return new Result(State.UNKNOWN, answer instanceof Answer.Unknown unknown ? unknown.reason() : Reason.NONE);
        }
    }

    /**
     * A test email.
     *
     * @param id unique among the test emails of the message
     * @param askedAt when it was requested
     * @param at when the result was noted
     */
    public record TestMailRecord(
            MessageRef message, String id, EmailAddress to, Instant askedAt, Result result, Instant at) {}

    /** Records a request for a test email; an existing one stays unchanged. */
    public TestMailRecord ask(MessageRef message, String id, EmailAddress to) {
        Instant now = time.instant();
        TestMailRecord asked = new TestMailRecord(message, id, to, now, Result.QUEUED, now);
        return table.write(message.padded(), Write.insert(id, values(asked))).written()
                ? asked
                : find(message, id).orElse(asked);
    }

    public Optional<TestMailRecord> find(MessageRef message, String id) {
        return table.get(message.padded(), id).map(row -> test(message, row));
    }

    /** Returns the test emails of a message, newest first. */
    public List<TestMailRecord> newest(MessageRef message, int limit) {
        return table.first(KeyRange.partition(message.padded()), TableStore.MAX_PAGE, null).items().stream()
                .map(row -> test(message, row))
                .sorted(Comparator.comparing(TestMailRecord::askedAt).reversed())
                .limit(limit)
                .toList();
    }

    /** Records the result, unless one is recorded or the row was deleted. */
    public Result note(MessageRef message, String id, Result result) {
        return ConditionalWrites.retry("test mail " + id, () -> {
            Optional<Row> row = table.get(message.padded(), id);
            Optional<TestMailRecord> test = row.map(found -> test(message, found));
            if (test.isEmpty() || test.get().result().state() != State.QUEUED) {
                return Optional.of(test.map(TestMailRecord::result).orElse(result));
            }
            TestMailRecord now = test.get();
            TestMailRecord noted = new TestMailRecord(message, id, now.to(), now.askedAt(), result, time.instant());
            boolean written = table.write(message.padded(), Write.replace(row.get(), values(noted)))
                    .written();
            return written ? Optional.of(result) : Optional.empty();
        });
    }

    @Override
    public void removeExpired() {
        Instant old = time.instant().minus(RETENTION);
        table.stream(KeyRange.everything())
                .filter(row -> row.values().requireInstant("AskedAt").isBefore(old))
                .forEach(row -> table.write(row.key().partition(), Write.delete(row)));
    }

    private static Values values(TestMailRecord test) {
        return Values.builder()
                .put("EmailAddress", test.to().value())
                .put("AskedAt", test.askedAt())
                .put("State", test.result().state().name())
                .put("Detail", test.result().detail().stored(1000))
                .put("At", test.at())
                .build();
    }

    private static TestMailRecord test(MessageRef message, Row row) {
        Values values = row.values();
        return new TestMailRecord(
                message,
                row.rowKey(),
                new EmailAddress(values.requireString("EmailAddress")),
                values.requireInstant("AskedAt"),
                new Result(State.valueOf(values.requireString("State")), Reason.read(values.string("Detail"))),
                values.requireInstant("At"));
    }
}
