package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.delivery.Decisions;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.RecipientSearch;
import org.azuremail.delivery.Reopening;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Editing;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What may be done to a message that is there: as on its page. */
@RestController
@RequestMapping("/api/v1/messages/{messageRef}")
class MessageActsApi {

    private static final String SAY_WHOM = "Say failed, unknown, or both; or an address in email.";
    private static final int MAX_ROUNDS = 5;

    private final Messages messages;
    private final MessageControl control;
    private final Reopening reopening;
    private final Decisions decisions;
    private final RecipientSearch search;
    private final Time time;

    MessageActsApi(
            Messages messages,
            MessageControl control,
            Reopening reopening,
            Decisions decisions,
            RecipientSearch search,
            Time time) {
        this.messages = messages;
        this.control = control;
        this.reopening = reopening;
        this.decisions = decisions;
        this.search = search;
        this.time = time;
    }

    /** What is to change; what is missing stays. List and date only while the message is pending. */
    record MessageChange(
            @Nullable String list,
            @Nullable String subject,
            @Nullable String html,
            @Nullable String text,
            @Nullable String scheduledAt,
            @Nullable String zone,
            @Nullable String onUnknown) {}

    /** Whom it goes to again. */
    record Whom(@Nullable List<String> outcomes, @Nullable String email) {}

    /** Who got it after all: one address, or all that are Unknown. */
    record Known(@Nullable String email, @Nullable Boolean all) {}

    /** How many recipients are recorded as Sent now that were Unknown. */
    record Marked(long marked) {}

    /** Without {@code If-Match} on whatever is stored, with it only on what the caller has read. */
    @PatchMapping
    MessageBody change(
            @PathVariable String messageRef,
            @RequestBody MessageChange wanted,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            HttpServletResponse response) {
        MessageRef ref = require(messageRef).ref();
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Versioned<Message> current = messages.findActive(ref)
                    .orElseThrow(() -> RefusedCall.conflict("The message is final and cannot be changed."));
            Tags.require(ifMatch, current.etag());
            Editing editing = messages.edit(ref, current.etag(), change(current.value(), wanted));
            if (!(editing instanceof Editing.Conflict)) {
                return answer(ref, editing, response);
            }
        }
        throw RefusedCall.conflict("Others keep changing the message. Please repeat the call.");
    }

    private Messages.Change change(Message old, MessageChange wanted) {
        Fields fields = new Fields();
        Optional<ListName> list = fields.optional("list", wanted.list(), ListName::parse, ListName.RULE);
        Optional<OnUnknown> onUnknown =
                fields.optional("onUnknown", wanted.onUnknown(), MessageBody::onUnknown, "Say hold or resend.");
        Schedule schedule = schedule(old, wanted, fields);
        fields.check();
        return new Messages.Change(
                list.orElse(old.list()),
                wanted.subject() == null ? old.subject() : wanted.subject(),
                bytes(wanted.html()),
                bytes(wanted.text()),
                schedule,
                onUnknown.orElse(old.onUnknown()));
    }

    private Schedule schedule(Message old, MessageChange wanted, Fields fields) {
        Schedule unchanged = new Schedule(old.scheduledDate(), old.zone());
        if (wanted.scheduledAt() == null) {
            return unchanged;
        }
        return Dates.read(wanted.scheduledAt(), wanted.zone(), old.zone(), time.instant(), fields)
                .orElse(unchanged);
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private MessageBody answer(MessageRef ref, Editing editing, HttpServletResponse response) {
        if (editing instanceof Editing.Refused refused) {
            throw Fields.refusal(refused.problems());
        }
        if (editing instanceof Editing.NotEditable not) {
            throw RefusedCall.conflict(not.reason());
        }
        if (editing instanceof Editing.Edited edited) {
            response.setHeader(HttpHeaders.ETAG, Tags.of(edited.message().etag()));
        }
        return body(ref);
    }

    @DeleteMapping
    ResponseEntity<Void> delete(@PathVariable String messageRef) {
        Messages.Deletion deletion = messages.delete(require(messageRef).ref());
        if (deletion == Messages.Deletion.NOT_PENDING) {
            throw RefusedCall.conflict("Only a pending message can be deleted. Cancel this one.");
        }
        return ResponseEntity.noContent().build();
    }

    @PostMapping("/pause")
    MessageBody pause(@PathVariable String messageRef) {
        return done(messageRef, control.pause(require(messageRef).ref(), ""), "The message has ended.");
    }

    @PostMapping("/resume")
    MessageBody resume(@PathVariable String messageRef) {
        return done(messageRef, control.resume(require(messageRef).ref()), "The message is not paused.");
    }

    @PostMapping("/cancel")
    MessageBody cancel(@PathVariable String messageRef) {
        return done(messageRef, control.cancel(require(messageRef).ref()), "The message has ended.");
    }

    @PostMapping("/send-again")
    ResponseEntity<MessageBody> sendAgain(@PathVariable String messageRef, @RequestBody Whom whom) {
        MessageRef ref = require(messageRef).ref();
        Fields fields = new Fields();
        Set<Outcome> outcomes = outcomes(whom, fields);
        Optional<EmailAddress> address =
                outcomes.isEmpty() ? fields.requiredAddress("email", whom.email()) : Optional.empty();
        fields.check();
        Reopening.Answer answer =
                address.isPresent() ? reopening.reopen(ref, address.get()) : reopening.reopen(ref, outcomes);
        if (answer != Reopening.Answer.REOPENED) {
            throw RefusedCall.conflict(
                    "The message is not completed, is being sent again already, or its list is gone.");
        }
        return ResponseEntity.accepted().body(body(ref));
    }

    private static Set<Outcome> outcomes(Whom whom, Fields fields) {
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        for (String word : whom.outcomes() == null ? List.<String>of() : whom.outcomes()) {
            Optional<Outcome> outcome = Arrays.stream(new Outcome[] {Outcome.FAILED, Outcome.UNKNOWN})
                    .filter(one -> one.stored().equalsIgnoreCase(word))
                    .findFirst();
            outcome.ifPresentOrElse(outcomes::add, () -> fields.refuse("outcomes", SAY_WHOM));
        }
        return outcomes;
    }

    @PostMapping("/mark-sent")
    Marked markSent(@PathVariable String messageRef, @RequestBody Known known, @AuthenticationPrincipal ApiKey key) {
        Message message = require(messageRef);
        String by = "API key " + key.label();
        if (Boolean.TRUE.equals(known.all())) {
            return new Marked(decisions.markAllSent(message, by));
        }
        Fields fields = new Fields();
        Optional<EmailAddress> address = fields.requiredAddress("email", known.email());
        fields.check();
        EmailAddress email = address.orElseThrow();
        Optional<Outcome> now =
                search.shardOf(message, email).flatMap(shard -> decisions.markSent(message, shard, email, by));
        if (now.filter(outcome -> outcome == Outcome.SENT).isEmpty()) {
            throw RefusedCall.conflict("The outcome of " + email + " is not unknown.");
        }
        return new Marked(1);
    }

    private MessageBody done(String messageRef, boolean done, String otherwise) {
        if (!done) {
            throw RefusedCall.conflict(otherwise);
        }
        return body(require(messageRef).ref());
    }

    private MessageBody body(MessageRef ref) {
        Message message =
                messages.find(ref).orElseThrow(() -> RefusedCall.notFound("There is no message " + ref + "."));
        return MessageBody.of(message, control.progress(message), List.of());
    }

    private Message require(String messageRef) {
        return MessageRef.parse(messageRef)
                .flatMap(messages::find)
                .orElseThrow(() -> RefusedCall.notFound("There is no message " + messageRef + "."));
    }
}
