package org.azuremail.feedback;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.feedback.FeedbackIntake.MailEvent;
import org.azuremail.feedback.MailHandles.MailHandle;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Takes what arrives in a mailbox for bounces. The email that it is about is known by the handle in the return path, or by the
 * Message-ID in the report together with the address; both hold something that only its recipient has seen. May be called again
 * with the same message: a mailbox deletes it only after this has returned. Safe for use from many threads and processes.
 */
public record BounceReports(
        FeedbackProperties settings, MailHandles handles, EmailFinder emails, FeedbackIntake intake, Time time) {

    /**
     * A report that was taken.
     *
     * @param known whether it is about an email of ours, and is on record now
     */
    public record Taken(BounceReport.Type type, boolean known) {}

    /**
     * Takes one message; of a large one its beginning is read.
     *
     * @throws StorageException when it has to be taken again
     */
    public Taken take(byte[] rawMessage) {
        BounceReport report = BounceParser.parse(rawMessage);
        Optional<Feedback> feedback = report.type().kind().map(kind -> feedback(kind, report));
        Optional<MailHandle> handle = feedback.isEmpty() ? Optional.empty() : handle(report);
        boolean known =
                handle.isPresent() && intake.take(List.of(new MailEvent(handle.get(), feedback.orElseThrow(), ""))) > 0;
        return new Taken(report.type(), known);
    }

    /** No email bounces in the future, or came back before 1970: no storage takes the year 1500. */
    private Feedback feedback(Feedback.Kind kind, BounceReport report) {
        Instant now = time.instant();
        Instant said = Objects.requireNonNullElse(report.at(), now);
        boolean possible = !said.isAfter(now) && !said.isBefore(Instant.EPOCH);
        return new Feedback(kind, possible ? said : now, report.status(), report.said(), Feedback.MAILBOX);
    }

    private Optional<MailHandle> handle(BounceReport report) {
        return settings.handleIn(report.headers()).flatMap(handles::read).or(() -> EmailAddress.parse(
                        report.recipient())
                .flatMap(address -> emails.byMessageId(report.headers(), address)));
    }

    /**
     * The content of a message in a mailbox for bounces.
     *
     * @param status the enhanced status code; may be empty
     * @param said what the other server said; may be empty
     * @param recipient the address that it is about, as the report has it; may be empty
     * @param headers all headers of the report and of what it returns, where handles and Message-IDs are looked for
     * @param at when it was written; {@code null} when it does not say so
     */
    public record BounceReport(
            Type type,
            String status,
            String said,
            String recipient,
            String headers,
            @Nullable Instant at) {

        public enum Type {
            HARD(Feedback.Kind.HARD_BOUNCE),
            SOFT(Feedback.Kind.SOFT_BOUNCE),
            COMPLAINT(Feedback.Kind.COMPLAINT),
            OUT_OF_OFFICE(null),
            /** A warning of a delay, a receipt, or nothing that we know. */
            UNKNOWN(null);

            private final Feedback.@Nullable Kind kind;

            Type(Feedback.@Nullable Kind kind) {
                this.kind = kind;
            }

            static Type of(Feedback.Kind kind) {
                return kind == Feedback.Kind.HARD_BOUNCE ? HARD : SOFT;
            }

            Optional<Feedback.Kind> kind() {
                return Optional.ofNullable(kind);
            }
        }
    }
}
