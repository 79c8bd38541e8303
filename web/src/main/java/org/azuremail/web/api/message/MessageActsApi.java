package org.azuremail.web.api.message;

import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.azuremail.content.Layout;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.Source;
import org.azuremail.delivery.MessageControl;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
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
import org.azuremail.web.api.Fields;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.Tags;
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

/** The actions on a message that is there, as on its page. */
@RestController
@RequestMapping("/api/v1/messages/{messageRef}")
record MessageActsApi(ApiMessages known, Messages messages, MessageControl control, DraftSending drafts, Time time) {

    private static final String NOT_PENDING = "Only a pending message can be deleted. Cancel this one.";

    /** A change of a message: a missing value stays. List, date and class only while the message is pending. */
    record MessageChange(
            @Nullable String list,
            @Nullable List<String> lists,
            @Nullable String segment,
            @Nullable String subject,
            @Nullable String html,
            @Nullable String markdown,
            @Nullable String template,
            @Nullable String preview,
            @Nullable String text,
            @Nullable String scheduledAt,
            @Nullable String zone,
            @Nullable String onUnknown,
            @Nullable String mailClass) {}

    /** Without {@code If-Match} on whatever is stored, with it only on what the caller has read. */
    @PatchMapping
    MessageBody change(
            @PathVariable String messageRef,
            @RequestBody MessageChange wanted,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            HttpServletResponse response) {
        MessageRef ref = known.require(messageRef).ref();
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
        Optional<Audience> audience =
                AudienceFields.read(fields, wanted.list(), wanted.lists(), wanted.segment(), old.audience());
        Optional<OnUnknown> onUnknown =
                fields.optional("onUnknown", wanted.onUnknown(), MessageBody::onUnknown, "Say hold or resend.");
        Optional<String> mailClass = known.mailClass(wanted.mailClass(), fields);
        Schedule schedule = schedule(old, wanted, fields);
        if (fields.anyRefused()) {
            messages.problems(audience.orElse(old.audience()), draft(old, wanted))
                    .forEach(problem -> fields.refuseUnlessRefused(problem.field(), problem.message()));
        }
        fields.check();
        return new Messages.Change(
                audience.orElse(old.audience()),
                wanted.subject() == null ? old.subject() : wanted.subject(),
                bytes(wanted.html()),
                wanted.markdown(),
                layout(old, wanted),
                bytes(wanted.text()),
                schedule,
                onUnknown.orElse(old.onUnknown()),
                wanted.mailClass() == null ? null : mailClass.orElse(""),
                Messages.Hold.AS_IT_WAS);
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
        Source source = wanted.html() == null && wanted.markdown() == null
                ? messages.source(old).orElse(null)
                : null;
        Draft same = Draft.of(subject, html, bytes(text), source);
        String markdown = wanted.markdown() == null ? same.markdown() : wanted.markdown();
        Layout layout = layout(old, wanted);
        return new Draft(subject, same.html(), same.text(), markdown, layout == null ? same.layout() : layout);
    }

    /** Half of it may be given; the other half stays. */
    private @Nullable Layout layout(Message old, MessageChange wanted) {
        if (wanted.template() == null && wanted.preview() == null) {
            return null;
        }
        Layout usual = wanted.markdown() == null ? Layout.NONE : Layout.LETTER;
        Layout before = messages.source(old).map(Source::layout).orElse(usual);
        return before.with(wanted.template(), wanted.preview());
    }

    private Schedule schedule(Message old, MessageChange wanted, Fields fields) {
        Schedule unchanged = new Schedule(old.scheduledDate(), old.schedule().zone());
        if (wanted.scheduledAt() == null) {
            return unchanged;
        }
        return Dates.read(wanted.scheduledAt(), wanted.zone(), old.schedule().zone(), time.instant(), fields)
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
            throw RefusedCall.conflict(
                    ProblemCode.MESSAGE_STATE_FORBIDS, not.reason().words());
        }
        if (editing instanceof Editing.Edited edited) {
            response.setHeader(HttpHeaders.ETAG, Tags.of(edited.message().etag()));
        }
        return known.body(ref);
    }

    /** Without {@code If-Match} whatever is stored, with it only what the caller has read. */
    @DeleteMapping
    ResponseEntity<Void> delete(
            @PathVariable String messageRef,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        MessageRef ref = known.require(messageRef).ref();
        ConditionalWrites.untilDone("message " + ref, () -> {
            Versioned<Message> current = messages.findActive(ref)
                    .filter(found -> found.value().editable())
                    .orElseThrow(() -> RefusedCall.conflict(ProblemCode.MESSAGE_STATE_FORBIDS, NOT_PENDING));
            Tags.require(ifMatch, current.etag());
            drafts.greeting(current.value()).ifPresent(name -> {
                throw RefusedCall.conflict(
                        ProblemCode.MESSAGE_STATE_FORBIDS, "The greeting " + name + " sends this message.");
            });
            return messages.delete(current);
        });
        return ResponseEntity.noContent().build();
    }

    /** A draft goes out now. */
    @PostMapping("/send")
    MessageBody send(@PathVariable String messageRef) {
        Message message = known.require(messageRef);
        return sent(message, drafts.send(message));
    }

    private MessageBody sent(Message message, DraftSending.Result result) {
        return switch (result) {
            case GOES -> known.body(message.ref());
            case NO_DRAFT ->
                throw RefusedCall.conflict(
                        ProblemCode.MESSAGE_STATE_FORBIDS, "The message is no draft, or not any more.");
            case REFUSED -> {
                known.requireSegment(message.audience());
                throw Fields.refusal(drafts.problems(message));
            }
        };
    }

    @PostMapping("/pause")
    MessageBody pause(@PathVariable String messageRef) {
        return done(messageRef, control.pause(known.require(messageRef).ref(), Reason.NONE), "The message has ended.");
    }

    @PostMapping("/resume")
    MessageBody resume(@PathVariable String messageRef) {
        Message message = known.require(messageRef);
        return message.keptAsDraft()
                ? sent(message, drafts.schedule(message))
                : done(messageRef, control.resume(message.ref()), "The message is not paused.");
    }

    @PostMapping("/cancel")
    MessageBody cancel(@PathVariable String messageRef) {
        return done(messageRef, control.cancel(known.require(messageRef).ref()), "The message has ended.");
    }

    private MessageBody done(String messageRef, boolean done, String otherwise) {
        if (!done) {
            throw RefusedCall.conflict(ProblemCode.MESSAGE_STATE_FORBIDS, otherwise);
        }
        return known.body(known.require(messageRef).ref());
    }
}
