package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.MessageControl;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Editing;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.web.message.DraftSending;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
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

    private static final MessageChange NOTHING = new MessageChange(null, null, null, null, null, null, null);
    private static final String NOT_PENDING = "Only a pending message can be deleted. Cancel this one.";

    private final Messages messages;
    private final MessageControl control;
    private final DraftSending drafts;
    private final Time time;

    MessageActsApi(Messages messages, MessageControl control, DraftSending drafts, Time time) {
        this.drafts = drafts;
        this.messages = messages;
        this.control = control;
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

    /** Without {@code If-Match} on whatever is stored, with it only on what the caller has read. */
    @PatchMapping
    MessageBody change(
            @PathVariable String messageRef,
            @RequestBody MessageChange wanted,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            HttpServletResponse response) {
        MessageRef ref = require(messageRef).ref();
        Editing edited = ConditionalWrites.until("message " + ref, () -> {
            Versioned<Message> current = messages.findActive(ref)
                    .orElseThrow(() -> RefusedCall.conflict(
                            ProblemCode.MESSAGE_STATE_FORBIDS, "The message is final and cannot be changed."));
            Tags.require(ifMatch, current.etag());
            return Optional.of(messages.edit(ref, current.etag(), change(current.value(), wanted)))
                    .filter(editing -> !(editing instanceof Editing.Conflict));
        });
        return answer(ref, edited, response);
    }

    private Messages.Change change(Message old, MessageChange wanted) {
        Fields fields = new Fields();
        Optional<ListName> list = fields.optional("list", wanted.list(), ListName::parse, ListName.RULE);
        Optional<OnUnknown> onUnknown =
                fields.optional("onUnknown", wanted.onUnknown(), MessageBody::onUnknown, "Say hold or resend.");
        Schedule schedule = schedule(old, wanted, fields);
        if (fields.anyRefused()) {
            messages.problems(list.orElse(old.list()), draft(old, wanted))
                    .forEach(problem -> fields.refuseUnlessRefused(problem.field(), problem.message()));
        }
        fields.check();
        return new Messages.Change(
                list.orElse(old.list()),
                wanted.subject() == null ? old.subject() : wanted.subject(),
                bytes(wanted.html()),
                bytes(wanted.text()),
                schedule,
                onUnknown.orElse(old.onUnknown()));
    }

    /** As it would be after the change. */
    private Draft draft(Message old, MessageChange wanted) {
        Optional<Bodies> bodies = messages.bodies(old);
        String subject = wanted.subject() == null ? old.subject() : wanted.subject();
        String html = wanted.html() == null ? bodies.map(Bodies::html).orElse("") : wanted.html();
        String text = wanted.text() == null
                ? bodies.filter(all -> !Messages.textGenerated(old, all))
                        .map(Bodies::text)
                        .orElse(null)
                : wanted.text();
        return Draft.of(subject, html, text);
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
            throw RefusedCall.conflict(ProblemCode.MESSAGE_STATE_FORBIDS, not.reason());
        }
        if (editing instanceof Editing.Edited edited) {
            response.setHeader(HttpHeaders.ETAG, Tags.of(edited.message().etag()));
        }
        return body(ref);
    }

    /** Without {@code If-Match} whatever is stored, with it only what the caller has read. */
    @DeleteMapping
    ResponseEntity<Void> delete(
            @PathVariable String messageRef,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        MessageRef ref = require(messageRef).ref();
        ConditionalWrites.untilDone("message " + ref, () -> {
            Versioned<Message> current = messages.findActive(ref)
                    .filter(found -> found.value().editable())
                    .orElseThrow(() -> RefusedCall.conflict(ProblemCode.MESSAGE_STATE_FORBIDS, NOT_PENDING));
            Tags.require(ifMatch, current.etag());
            return messages.delete(current);
        });
        return ResponseEntity.noContent().build();
    }

    /** A draft goes out now. */
    @PostMapping("/send")
    MessageBody send(@PathVariable String messageRef) {
        Message message = require(messageRef);
        return switch (drafts.send(message)) {
            case GOES -> body(message.ref());
            case NO_DRAFT ->
                throw RefusedCall.conflict(
                        ProblemCode.MESSAGE_STATE_FORBIDS, "The message is no draft, or not any more.");
            case REFUSED -> throw Fields.refusal(messages.problems(message.list(), draft(message, NOTHING)));
        };
    }

    @PostMapping("/pause")
    MessageBody pause(@PathVariable String messageRef) {
        return done(messageRef, control.pause(require(messageRef).ref(), Reason.NONE), "The message has ended.");
    }

    @PostMapping("/resume")
    MessageBody resume(@PathVariable String messageRef) {
        return done(messageRef, control.resume(require(messageRef).ref()), "The message is not paused.");
    }

    @PostMapping("/cancel")
    MessageBody cancel(@PathVariable String messageRef) {
        return done(messageRef, control.cancel(require(messageRef).ref()), "The message has ended.");
    }

    private MessageBody done(String messageRef, boolean done, String otherwise) {
        if (!done) {
            throw RefusedCall.conflict(ProblemCode.MESSAGE_STATE_FORBIDS, otherwise);
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
