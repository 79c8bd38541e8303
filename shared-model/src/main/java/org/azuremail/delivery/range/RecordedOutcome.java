package org.azuremail.delivery.range;

import java.time.Instant;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * One recipient's outcome in the archive, the only authority for one address.
 *
 * @param rowKey as in {@code message}
 * @param generation of the hand-over that it describes
 * @param detail the provider's id of a sent email, otherwise the stored form of {@link #reason()}; may be empty
 * @param values the email row from which it was recorded, so that the recipient can be emailed again
 */
public record RecordedOutcome(
        String rowKey, Outcome outcome, int generation, Instant at, String detail, Values values) {

    /** Also identifies the decision: all outcomes of one decision have the same instant. */
    private static final String DECIDED_AT = "DecidedAt";

    private static final String AT_BEFORE = "OutcomeAtBefore";
    private static final String DETAIL_BEFORE = "DetailBefore";

    public static RecordedOutcome of(EmailRow waiting, Outcome outcome, @Nullable String detail, Instant at) {
        return new RecordedOutcome(
                waiting.rowKey(),
                outcome,
                waiting.recipient().generation(),
                at,
                detail == null ? "" : detail,
                waiting.row().values());
    }

    /** Returns the outcome of an email row that was not sent. */
    public static RecordedOutcome of(EmailRow waiting, Outcome outcome, Reason reason, Instant at) {
        return of(waiting, outcome, reason.stored(), at);
    }

    /** Returns the reason for the outcome: none for an email that was sent, unless an admin decided so. */
    public Reason reason() {
        return knownSent() ? Reason.NONE : Reason.read(detail);
    }

    /** Returns the provider's id or the reason in words; may be empty. */
    public String detailText() {
        Reason reason = reason();
        return reason.none() ? detail : reason.words();
    }

    /** Returns a copy with the name of the transport, if several are configured. */
    public RecordedOutcome by(@Nullable String transport) {
        return transport == null && transport() == null
                ? this
                : new RecordedOutcome(rowKey, outcome, generation, at, detail, values.with("Transport", transport));
    }

    /** Returns the transport that was asked; {@code null} if there is only one or none was asked. */
    public @Nullable String transport() {
        return values.string("Transport");
    }

    /**
     * Merges two outcomes of the same recipient. Sent takes precedence over all others; otherwise the later generation
     * wins. Within one generation, Skipped &lt; Unknown &lt; Failed &lt; Sent, because a sender with a lapsed lease may
     * have skipped a recipient whom its successor has in flight. A Sent that a sender recorded replaces one that an
     * admin decided, and can no longer be undone.
     */
    public RecordedOutcome merge(RecordedOutcome later) {
        boolean laterWins = !knownSent()
                && (later.outcome == Outcome.SENT
                        || (outcome != Outcome.SENT
                                && (later.generation > generation
                                        || (later.generation == generation && rank(later.outcome) > rank(outcome)))));
        RecordedOutcome winner = laterWins ? later : this;
        int newest = Math.max(generation, later.generation);
        Values merged = Feedback.into(winner.values, Feedback.stronger(feedback(), later.feedback()));
        return new RecordedOutcome(rowKey, winner.outcome, newest, winner.at, winner.detail, merged);
    }

    public @Nullable Feedback feedback() {
        return Feedback.from(values);
    }

    public boolean bounced() {
        Feedback feedback = feedback();
        return feedback != null && !feedback.complaint();
    }

    public boolean complained() {
        Feedback feedback = feedback();
        return feedback != null && feedback.complaint();
    }

    /**
     * Returns a copy that is Sent, as the provider or a mail server reports. Once it has feedback, a decision about it
     * can no longer be undone.
     */
    public RecordedOutcome reportedSent(
            int inGeneration, Instant when, String providerId, @Nullable Feedback newFeedback) {
        return new RecordedOutcome(
                rowKey, Outcome.SENT, inGeneration, when, providerId, Feedback.into(undecidedValues(), newFeedback));
    }

    public OutcomeCounts addTo(OutcomeCounts counts) {
        Feedback feedback = feedback();
        OutcomeCounts plus = counts.plus(outcome);
        return feedback == null ? plus : plus.plusFeedback(feedback.complaint());
    }

    public RecordedOutcome inGeneration(int later) {
        return new RecordedOutcome(rowKey, outcome, later, at, detail, values);
    }

    /**
     * Returns a copy that is Sent by an admin's decision. The earlier values are kept, so that the decision can be
     * undone.
     */
    public RecordedOutcome decidedSent(String by, Instant when) {
        Values kept = values.toBuilder()
                .put(DECIDED_AT, when.toString())
                .put(AT_BEFORE, at)
                .put(DETAIL_BEFORE, detail)
                .build();
        return new RecordedOutcome(
                rowKey,
                Outcome.SENT,
                generation,
                when,
                Reason.of(ReasonCode.DECIDED, by).stored(),
                kept);
    }

    /** Returns a copy that is Unknown again if an admin decided at this instant; otherwise this object. */
    public RecordedOutcome undecided(Instant when) {
        if (!decidedAt(when)) {
            return this;
        }
        return new RecordedOutcome(
                rowKey,
                Outcome.UNKNOWN,
                generation,
                values.requireInstant(AT_BEFORE),
                values.string(DETAIL_BEFORE, ""),
                undecidedValues());
    }

    /** Returns whether it is Sent because an admin decided so at this instant. */
    public boolean decidedAt(Instant when) {
        return outcome == Outcome.SENT && when.toString().equals(values.string(DECIDED_AT));
    }

    private Values undecidedValues() {
        return values.toBuilder()
                .put(DECIDED_AT, null)
                .put(AT_BEFORE, null)
                .put(DETAIL_BEFORE, null)
                .build();
    }

    /** Returns the time of the outcome, or of the hand-over if an admin decided later. */
    public Instant handedOverAt() {
        return decided() ? values.requireInstant(AT_BEFORE) : at;
    }

    /** Returns whether the email was sent and is never sent again: no admin decided so, which could be undone. */
    private boolean knownSent() {
        return outcome == Outcome.SENT && !decided();
    }

    /** Returns whether an admin decided the outcome. Rows of older versions do not record this and cannot be undone. */
    private boolean decided() {
        return values.string(DECIDED_AT) != null;
    }

    /** Returns whether a row of this generation needs no email. */
    public boolean settles(int rowGeneration) {
        return outcome == Outcome.SENT || generation >= rowGeneration;
    }

    public EmailAddress address() {
        return new EmailAddress(values.requireString("EmailAddress"));
    }

    public Recipient recipient() {
        return Recipient.from(values);
    }

    private static int rank(Outcome outcome) {
        return switch (outcome) {
            case SKIPPED -> 0;
            case UNKNOWN -> 1;
            case FAILED -> 2;
            case SENT -> 3;
        };
    }

    public static RecordedOutcome from(String rowKey, Values v) {
        return new RecordedOutcome(
                rowKey,
                Outcome.of(v.requireString("Outcome")),
                v.integer("Generation", 0),
                v.requireInstant("OutcomeAt"),
                v.string("Detail", ""),
                v);
    }

    /** Returns the row, without the fields of a person whose email needs them no more. */
    public Values toValues() {
        return values.toBuilder()
                .put("Attributes", knownSent() ? null : values.string("Attributes"))
                .put("EmailSent", outcome == Outcome.SENT)
                .put("Generation", generation)
                .put("Outcome", outcome.stored())
                .put("OutcomeAt", at)
                .put("Detail", detail.isEmpty() ? null : Reason.truncate(detail, 1000))
                .put("Tries", null)
                .put("NotBefore", null)
                .put("Note", null)
                .build();
    }
}
