package org.azuremail.feedback;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.feedback.FeedbackRecorder.MailEvent;
import org.azuremail.feedback.MailHandles.MailHandle;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Processes the messages of a mailbox for bounces. The email in question is found by the handle in the return path, or
 * by the Message-ID in the report together with the address; both contain something that only the recipient has seen. A
 * message may be passed again, since a mailbox deletes it only after this has returned. Safe for use from many threads
 * and processes.
 */
public record BounceProcessor(
        FeedbackProperties settings, MailHandles handles, EmailFinder emails, FeedbackRecorder recorder, Time time) {

    /**
     * A processed report.
     *
     * @param known whether it is about an email of this service, in which case it is recorded
     */
    public record ProcessedReport(BounceReport.Type type, boolean known) {}

    /**
     * Processes one message; of a large one, only the beginning is read.
     *
     * @throws StorageException if the message has to be passed again
     */
    public ProcessedReport process(byte[] rawMessage) {
        BounceReport report = BounceParser.parse(rawMessage);
        Optional<Feedback> feedback = report.type().kind().map(kind -> feedback(kind, report));
        Optional<MailHandle> handle = feedback.isEmpty() ? Optional.empty() : handle(report);
        boolean known = handle.isPresent()
                && recorder.record(List.of(new MailEvent(handle.get(), feedback.orElseThrow(), ""))) > 0;
        return new ProcessedReport(report.type(), known);
    }

    /**
     * Returns the feedback with a time that storage accepts: a time before 1970 or in the future, such as the year
     * 1500, is wrong.
     */
    private Feedback feedback(Feedback.Kind kind, BounceReport report) {
        Instant now = time.instant();
        Instant said = Objects.requireNonNullElse(report.at(), now);
        boolean possible = !said.isAfter(now) && !said.isBefore(Instant.EPOCH);
        return new Feedback(kind, possible ? said : now, report.status(), report.diagnostic(), Feedback.MAILBOX);
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
     * @param diagnostic the words of the other server; may be empty
     * @param recipient the failed or complaining address, as in the report; may be empty
     * @param headers all headers of the report and of the email that it returns, which are searched for handles and
     *     Message-IDs
     * @param at when it was written; {@code null} if it does not say so
     */
    public record BounceReport(
            Type type,
            String status,
            String diagnostic,
            String recipient,
            String headers,
            @Nullable Instant at) {

        public enum Type {
            HARD(Feedback.Kind.HARD_BOUNCE),
            SOFT(Feedback.Kind.SOFT_BOUNCE),
            COMPLAINT(Feedback.Kind.COMPLAINT),
            OUT_OF_OFFICE(null),
            /** A warning of a delay, a receipt, or an unknown message. */
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
