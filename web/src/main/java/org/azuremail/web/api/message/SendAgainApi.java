package org.azuremail.web.api.message;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.range.Recorded;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.delivery.recipient.RecipientStory;
import org.azuremail.delivery.recipient.RecipientStory.Verdict;
import org.azuremail.delivery.reopen.Decisions;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.web.api.Fields;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sends a message again to the recipients whom it missed, and records those who got it after all, as its page does. */
@RestController
@RequestMapping("/api/v1/messages/{messageRef}")
record SendAgainApi(
        ApiMessages known, MessageControl control, Reopening reopening, Decisions decisions, RecipientSearch search) {

    private static final String SAY_WHOM = "Say failed, unknown, or both.";
    private static final String NOT_BOTH = "Say email or %s, not both.";

    /** The recipients it goes to again: those with certain outcomes or one address, not both. */
    record Whom(
            @Nullable List<@Nullable String> outcomes,
            @Nullable String email) {}

    /** The recipients who got it after all: one address, or all that are Unknown. */
    record Known(@Nullable String email, @Nullable Boolean all) {}

    /**
     * The number of recipients who are now recorded as Sent and were Unknown.
     *
     * @param decision takes it back; only of a decision about all of them
     */
    record Marked(long marked, @Nullable Instant decision) {}

    /** A decision to be taken back. */
    record Undo(@Nullable String decision) {}

    /** The number of recipients who are Unknown again. */
    record Undone(long unknown) {}

    /** Nobody is queued twice: a recipient who waits is refused, and so are outcomes that nobody has. */
    @PostMapping("/send-again")
    ResponseEntity<MessageBody> sendAgain(@PathVariable String messageRef, @RequestBody Whom whom) {
        Message message = known.require(messageRef);
        Fields fields = new Fields();
        Set<Outcome> outcomes = outcomes(whom, fields);
        Optional<RecipientSearch.Found> recipient = either(
                message,
                fields,
                whom.email(),
                "outcomes",
                whom.outcomes() != null,
                "or failed, unknown, or both in outcomes");
        if (message.status() != MessageStatus.COMPLETED && message.status() != MessageStatus.PROCESSING) {
            throw RefusedCall.conflict(
                    ProblemCode.MESSAGE_STATE_FORBIDS,
                    "The message is " + MessageBody.lower(message.status().stored())
                            + ". Only one that is completed, or on its way, is sent again.");
        }
        Reopening.Answer answer = recipient.isPresent()
                ? reopening.reopen(message.ref(), missed(recipient.get()))
                : reopening.reopen(message.ref(), anybody(message, outcomes));
        if (answer == Reopening.Answer.RETIRED) {
            throw RefusedCall.conflict(
                    ProblemCode.MESSAGE_STATE_FORBIDS,
                    "The outcomes of single recipients of this message are kept no longer: it cannot be sent again.");
        }
        if (answer != Reopening.Answer.REOPENED) {
            throw RefusedCall.conflict(
                    ProblemCode.NOT_NOW,
                    "Not now: the message is just being sent again to others, or has just ended;"
                            + " or its list is gone. Repeat the call unless the list is gone.");
        }
        return ResponseEntity.accepted().body(known.body(message.ref()));
    }

    private static Set<Outcome> outcomes(Whom whom, Fields fields) {
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        List<@Nullable String> words = whom.outcomes() == null ? List.of() : whom.outcomes();
        for (String word : words) {
            Optional<Outcome> outcome = Arrays.stream(new Outcome[] {Outcome.FAILED, Outcome.UNKNOWN})
                    .filter(one -> one.stored().equalsIgnoreCase(word))
                    .findFirst();
            outcome.ifPresentOrElse(outcomes::add, () -> fields.refuseUnlessRefused("outcomes", SAY_WHOM));
        }
        if (whom.outcomes() != null && words.isEmpty()) {
            fields.refuse("outcomes", SAY_WHOM);
        }
        return outcomes;
    }

    /** The one whom the call names; empty where it says several in another field. */
    private Optional<RecipientSearch.Found> either(
            Message message, Fields fields, @Nullable String email, String others, boolean several, String orElse) {
        Optional<RecipientSearch.Found> named = Optional.empty();
        if (email != null) {
            named = fields.required("email", email, typed -> search.search(message, typed), Fields.NOT_AN_ADDRESS);
            if (several) {
                fields.refuse(others, NOT_BOTH.formatted(others));
            }
        } else if (!several) {
            fields.refuse("email", "Name an address here, " + orElse + ".");
        }
        fields.check();
        return named;
    }

    /** Sent and Skipped are never mailed again, and a recipient who waits is mailed anyway. */
    private static EmailAddress missed(RecipientSearch.Found recipient) {
        EmailAddress address = recipient.address();
        RecipientStory story = recipient.story();
        return switch (story.verdict()) {
            case FAILED, UNKNOWN -> address;
            case NOT_A_RECIPIENT, NOT_KNOWN -> throw notARecipient(address, story);
            case SENT ->
                throw RefusedCall.conflict(
                        ProblemCode.RECIPIENT_SETTLED, address + " has got it already. Nothing was done.");
            case SKIPPED ->
                throw RefusedCall.conflict(
                        ProblemCode.RECIPIENT_SETTLED, address + " was deliberately not mailed. " + story.words());
            case WAITING ->
                throw RefusedCall.conflict(
                        ProblemCode.RECIPIENT_SETTLED, address + " waits for it already. Nothing was done.");
            case NOT_COUNTED_YET -> throw RefusedCall.conflict(ProblemCode.NOT_NOW, story.words());
        };
    }

    private Set<Outcome> anybody(Message message, Set<Outcome> outcomes) {
        OutcomeCounts counts = control.progress(message).counts();
        long there = (outcomes.contains(Outcome.FAILED) ? counts.failed() : 0)
                + (outcomes.contains(Outcome.UNKNOWN) ? counts.unknown() : 0);
        if (there == 0) {
            throw RefusedCall.conflict(
                    ProblemCode.NOBODY_CONCERNED, "No recipient is " + words(outcomes) + ". Nothing was done.");
        }
        return outcomes;
    }

    private static String words(Set<Outcome> outcomes) {
        return String.join(
                " or ",
                outcomes.stream()
                        .map(outcome -> outcome.stored().toLowerCase(Locale.ROOT))
                        .toList());
    }

    @PostMapping("/mark-sent")
    Marked markSent(@PathVariable String messageRef, @RequestBody Known wanted, @AuthenticationPrincipal ApiKey key) {
        Message message = known.require(messageRef);
        boolean all = Boolean.TRUE.equals(wanted.all());
        Optional<RecipientSearch.Found> recipient =
                either(message, new Fields(), wanted.email(), "all", all, "or say true in all for everybody unknown");
        String by = "API key " + key.label();
        if (recipient.isEmpty()) {
            Decisions.Decided decided = decisions.markAllSent(message, by);
            return new Marked(decided.recipients(), decided.at());
        }
        EmailAddress email = recipient.get().address();
        RecipientStory before = recipient.get().story();
        if (before.verdict() == Verdict.NOT_A_RECIPIENT || before.verdict() == Verdict.NOT_KNOWN) {
            throw notARecipient(email, before);
        }
        // Also of a recipient who is Sent: the process that recorded that may have stopped before it was counted.
        Optional<Outcome> now =
                search.shardOf(message, email).flatMap(shard -> decisions.markSent(message, shard, email, by));
        boolean unknown = before.recorded()
                .map(Recorded::outcome)
                .filter(Outcome.UNKNOWN::equals)
                .isPresent();
        if (!unknown || now.filter(Outcome.SENT::equals).isEmpty()) {
            throw RefusedCall.conflict(ProblemCode.NOBODY_CONCERNED, "The outcome of " + email + " is not unknown.");
        }
        return new Marked(1, null);
    }

    /** Recipients who are Sent by that decision alone are Unknown again. */
    @PostMapping("/mark-sent/undo")
    Undone undo(@PathVariable String messageRef, @RequestBody Undo undo) {
        Message message = known.require(messageRef);
        Fields fields = new Fields();
        Optional<Instant> decision = fields.required(
                "decision", undo.decision(), SendAgainApi::instant, "Say what mark-sent answered as decision.");
        fields.check();
        return new Undone(decisions.undo(message, decision.orElseThrow()));
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException notOurs) {
            return Optional.empty();
        }
    }

    private static RefusedCall notARecipient(EmailAddress address, RecipientStory story) {
        return RefusedCall.notFound(address + " is no recipient of this message. " + story.words());
    }
}
