package org.azuremail.web.api.message;

import java.nio.charset.StandardCharsets;
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
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Changes, deletes, sends, pauses and cancels a message, as its page does. */
@RestController
@RequestMapping("/api/v1/messages/{messageRef}")
record MessageActsApi(ApiMessages known, Messages messages, MessageControl control, DraftSending drafts, Time time) {

    /** Changes any version; with {@code If-Match} only the one that the caller has read. */
    @PatchMapping
    MessageBody change(@RequestBody MessageFields wanted, Tags tags, Message message) {
        MessageRef ref = message.ref();
        Editing edited = ConditionalWrites.until("message " + ref, () -> {
            Versioned<Message> current = messages.findActive(ref)
                    .orElseThrow(() -> forbidden("The message is final and cannot be changed."));
            tags.require(current.etag());
            return Optional.of(messages.edit(ref, current.etag(), change(current.value(), wanted)))
                    .filter(editing -> !(editing instanceof Editing.Conflict));
        });
        if (edited instanceof Editing.Refused refused) {
            throw Fields.refusal(refused.problems());
        }
        if (edited instanceof Editing.NotEditable not) {
            throw forbidden(not.reason().words());
        }
        if (edited instanceof Editing.Edited now) {
            tags.answer(now.message().etag());
        }
        return known.body(ref);
    }

    private Messages.Change change(Message old, MessageFields wanted) {
        Fields fields = new Fields();
        if (wanted.draft() != null) {
            fields.refuse("draft", "There is no such field here.");
        }
        Optional<Audience> audience = wanted.audience(fields, old.audience());
        Optional<OnUnknown> onUnknown = wanted.onUnknown(fields);
        Optional<String> mailClass = known.mailClass(wanted.mailClass(), fields);
        Schedule unchanged = new Schedule(old.scheduledDate(), old.schedule().zone());
        Schedule schedule = wanted.scheduledAt() == null
                ? unchanged
                : wanted.schedule(fields, old.schedule().zone(), time.instant()).orElse(unchanged);
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
    private Draft draft(Message old, MessageFields wanted) {
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
    private @Nullable Layout layout(Message old, MessageFields wanted) {
        if (wanted.template() == null && wanted.preview() == null) {
            return null;
        }
        Layout usual = wanted.markdown() == null ? Layout.NONE : Layout.LETTER;
        Layout before = messages.source(old).map(Source::layout).orElse(usual);
        return before.with(wanted.template(), wanted.preview());
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /** Deletes any version; with {@code If-Match} only the one that the caller has read. */
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(Tags tags, Message message) {
        ConditionalWrites.untilDone("message " + message.ref(), () -> {
            Versioned<Message> current = messages.findActive(message.ref())
                    .filter(found -> found.value().editable())
                    .orElseThrow(() -> forbidden("Only a pending message can be deleted. Cancel this one."));
            tags.require(current.etag());
            drafts.greeting(current.value()).ifPresent(name -> {
                throw forbidden("The greeting " + name + " sends this message.");
            });
            return messages.delete(current);
        });
    }

    /** Sends a draft now. */
    @PostMapping("/send")
    MessageBody send(Message message) {
        return sent(message, drafts.send(message));
    }

    private MessageBody sent(Message message, DraftSending.Result result) {
        return switch (result) {
            case GOES -> known.body(message.ref());
            case NO_DRAFT -> throw forbidden("The message is no draft, or not any more.");
            case REFUSED -> throw Fields.refusal(drafts.problems(message));
        };
    }

    @PostMapping("/pause")
    MessageBody pause(Message message) {
        return done(message, control.pause(message.ref(), Reason.NONE), "The message has ended.");
    }

    @PostMapping("/resume")
    MessageBody resume(Message message) {
        return message.keptAsDraft()
                ? sent(message, drafts.schedule(message))
                : done(message, control.resume(message.ref()), "The message is not paused.");
    }

    @PostMapping("/cancel")
    MessageBody cancel(Message message) {
        return done(message, control.cancel(message.ref()), "The message has ended.");
    }

    private MessageBody done(Message message, boolean done, String otherwise) {
        if (!done) {
            throw forbidden(otherwise);
        }
        return known.body(message.ref());
    }

    private static RefusedCall forbidden(String why) {
        return new RefusedCall(ProblemCode.MESSAGE_STATE_FORBIDS, why);
    }
}
