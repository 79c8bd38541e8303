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
     * Processes one message; of a large one, only the beginning is read.
     *
     * @return whether it is a bounce or complaint about an email of this service, in which case it is recorded
     * @throws StorageException if the message has to be passed again
     */
    public boolean process(byte[] rawMessage) {
        BounceReport report = BounceParser.parse(rawMessage);
        Feedback.Kind kind = report.kind();
        return kind != null
                && handle(report)
                        .map(handle -> new MailEvent(handle, feedback(kind, report), ""))
                        .filter(event -> recorder.record(List.of(event)) > 0)
                        .isPresent();
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
     * @param kind {@code null} for a warning of a delay, a receipt, an absence note or an unknown message
     * @param status the enhanced status code; may be empty
     * @param diagnostic the words of the other server; may be empty
     * @param recipient the failed or complaining address, as in the report; may be empty
     * @param headers all headers of the report and of the email that it returns, which are searched for handles and
     *     Message-IDs
     * @param at when it was written; {@code null} if it does not say so
     */
    record BounceReport(
            Feedback.@Nullable Kind kind,
            String status,
            String diagnostic,
            String recipient,
            String headers,
            @Nullable Instant at) {}
}
