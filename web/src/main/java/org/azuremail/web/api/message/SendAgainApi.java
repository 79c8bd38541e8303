package org.azuremail.web.api.message;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.recipient.DeliveryExplanation;
import org.azuremail.delivery.recipient.DeliveryExplanation.Verdict;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.delivery.reopen.Decisions;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.id.AsciiWord;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sends a message again to recipients who did not get it, and marks recipients who did, as the message's page does. */
@RestController
@RequestMapping("/api/v1/messages/{messageRef}")
record SendAgainApi(
        ApiMessages apiMessages,
        MessageControl control,
        Reopening reopening,
        Decisions decisions,
        RecipientSearch search) {

    private static final String SAY_WHOM = "Use failed, unknown, or both.";
    private static final String NOT_BOTH = "Use email or %s, not both.";

    /** The recipients who get the message again: those with certain outcomes, or one address. */
    record SendAgainRequest(
            @Nullable List<@Nullable String> outcomes,
            @Nullable String email) {}

    /** The recipients who got the message: one address, or all who are Unknown. */
    record MarkSentRequest(@Nullable String email, @Nullable Boolean all) {}

    /** @param decision the decision to send to {@code undo}; only if the call marked all recipients */
    record Marked(long marked, @Nullable Instant decision) {}

    record Undo(@Nullable String decision) {}

    record Undone(long unknown) {}

    /**
     * Queues no recipient twice: the service refuses a recipient who is waiting, and outcomes that no recipient has.
     */
    @PostMapping("/send-again")
    ResponseEntity<MessageBody> sendAgain(@RequestBody SendAgainRequest whom, Message message) {
        RequestFields fields = new RequestFields();
        Set<Outcome> outcomes = outcomes(whom, fields);
        Optional<RecipientSearch.Found> recipient = either(
                message,
                fields,
                whom.email(),
                "outcomes",
                whom.outcomes() != null,
                "or failed, unknown, or both in outcomes");
        if (message.status() != MessageStatus.COMPLETED && message.status() != MessageStatus.PROCESSING) {
            throw new RefusedCall(
                    ProblemCode.MESSAGE_STATE_FORBIDS,
                    "The message is " + MessageBody.lower(message.status().stored())
                            + ". Only one that is completed, or on its way, is sent again.");
        }
        Reopening.Answer answer = recipient.isPresent()
                ? reopening.reopen(message.ref(), requireReopenable(recipient.get()))
                : reopening.reopen(message.ref(), requireAnyRecipient(message, outcomes));
        if (answer == Reopening.Answer.RETIRED) {
            throw new RefusedCall(
                    ProblemCode.MESSAGE_STATE_FORBIDS,
                    "The outcomes of single recipients of this message were removed: it cannot be sent again.");
        }
        if (answer != Reopening.Answer.REOPENED) {
            throw new RefusedCall(
                    ProblemCode.NOT_NOW,
                    "Not now: the message is just being sent again to others, or has just ended;"
                            + " or its list is gone. Repeat the call unless the list is gone.");
        }
        return ResponseEntity.accepted().body(apiMessages.body(message.ref()));
    }

    private static Set<Outcome> outcomes(SendAgainRequest whom, RequestFields fields) {
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        List<@Nullable String> words = whom.outcomes() == null ? List.of() : whom.outcomes();
        for (String word : words) {
            Optional<Outcome> outcome = Stream.of(Outcome.FAILED, Outcome.UNKNOWN)
                    .filter(one -> AsciiWord.same(one.stored(), word))
                    .findFirst();
            outcome.ifPresentOrElse(outcomes::add, () -> fields.refuseUnlessRefused("outcomes", SAY_WHOM));
        }
        if (whom.outcomes() != null && words.isEmpty()) {
            fields.refuse("outcomes", SAY_WHOM);
        }
        return outcomes;
    }

    /** Returns the recipient named by the call; empty if another field selects several recipients. */
    private Optional<RecipientSearch.Found> either(
            Message message,
            RequestFields fields,
            @Nullable String email,
            String others,
            boolean several,
            String orElse) {
        Optional<RecipientSearch.Found> named = Optional.empty();
        if (email != null) {
            named = fields.required(
                    "email", email, typed -> search.search(message, typed), RequestFields.NOT_AN_ADDRESS);
            if (several) {
                fields.refuse(others, NOT_BOTH.formatted(others));
            }
        } else if (!several) {
            fields.refuse("email", "Name an address here, " + orElse + ".");
        }
        fields.check();
        return named;
    }

    /**
     * Returns the address unless the recipient is Sent or Skipped, and so never gets the message again, or is waiting
     * for it anyway.
     */
    private static EmailAddress requireReopenable(RecipientSearch.Found recipient) {
        EmailAddress address = recipient.address();
        DeliveryExplanation explanation = recipient.explanation();
        return switch (explanation.verdict()) {
            case FAILED, UNKNOWN -> address;
            case NOT_A_RECIPIENT, NOT_KNOWN -> throw notARecipient(address, explanation);
            case SENT ->
                throw new RefusedCall(
                        ProblemCode.RECIPIENT_SETTLED, address + " has got it already. Nothing was done.");
            case SKIPPED ->
                throw new RefusedCall(
                        ProblemCode.RECIPIENT_SETTLED,
                        address + " was deliberately not mailed. " + explanation.words());
            case WAITING ->
                throw new RefusedCall(
                        ProblemCode.RECIPIENT_SETTLED, address + " waits for it already. Nothing was done.");
            case NOT_COUNTED_YET -> throw new RefusedCall(ProblemCode.NOT_NOW, explanation.words());
        };
    }

    private Set<Outcome> requireAnyRecipient(Message message, Set<Outcome> outcomes) {
        OutcomeCounts counts = control.progress(message).counts();
        long existing = (outcomes.contains(Outcome.FAILED) ? counts.failed() : 0)
                + (outcomes.contains(Outcome.UNKNOWN) ? counts.unknown() : 0);
        if (existing == 0) {
            throw new RefusedCall(
                    ProblemCode.NOBODY_CONCERNED, "No recipient is " + words(outcomes) + ". Nothing was done.");
        }
        return outcomes;
    }

    private static String words(Set<Outcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> MessageBody.lower(outcome.stored()))
                .collect(Collectors.joining(" or "));
    }

    @PostMapping("/mark-sent")
    Marked markSent(@RequestBody MarkSentRequest wanted, ApiKey key, Message message) {
        boolean all = Boolean.TRUE.equals(wanted.all());
        Optional<RecipientSearch.Found> recipient = either(
                message, new RequestFields(), wanted.email(), "all", all, "or say true in all for everybody unknown");
        String by = key.author();
        if (recipient.isEmpty()) {
            Decisions.Decided decided = decisions.markAllSent(message, by);
            return new Marked(decided.recipients(), decided.at());
        }
        EmailAddress email = recipient.get().address();
        DeliveryExplanation before = recipient.get().explanation();
        if (before.verdict() == Verdict.NOT_A_RECIPIENT || before.verdict() == Verdict.NOT_KNOWN) {
            throw notARecipient(email, before);
        }
        // A Sent recipient is recorded, too: the process that recorded the outcome may have stopped before counting it.
        Optional<Outcome> now =
                search.shardOf(message, email).flatMap(shard -> decisions.markSent(message, shard, email, by));
        boolean unknown = before.recorded()
                .map(RecordedOutcome::outcome)
                .filter(Outcome.UNKNOWN::equals)
                .isPresent();
        if (!unknown || now.filter(Outcome.SENT::equals).isEmpty()) {
            throw new RefusedCall(ProblemCode.NOBODY_CONCERNED, "The outcome of " + email + " is not unknown.");
        }
        return new Marked(1, null);
    }

    /** Makes recipients Unknown again who are Sent by that decision alone. */
    @PostMapping("/mark-sent/undo")
    Undone undo(@RequestBody Undo undo, Message message) {
        Instant decision = RequestFields.require(
                "decision",
                undo.decision(),
                RequestFields.parsed(Instant::parse),
                "Send the decision that mark-sent returned.");
        return new Undone(decisions.undo(message, decision));
    }

    private static RefusedCall notARecipient(EmailAddress address, DeliveryExplanation explanation) {
        return RefusedCall.notFound(address + " is no recipient of this message. " + explanation.words());
    }
}
