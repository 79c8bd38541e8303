package org.azuremail.web.api.message;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.content.Layout;
import org.azuremail.content.Layout.Source;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.list.ListStore;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.MessageCreateResult;
import org.azuremail.message.Messages.MessageEditResult;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.message.DraftSending;
import org.azuremail.web.message.Obstacles;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Creates, shows, changes, sends and stops messages, and reports the outcome of each recipient. */
@RestController
@RequestMapping("/api/v1/messages")
record MessageApi(
        ApiMessages apiMessages,
        Messages messages,
        ListStore lists,
        MessageControl control,
        DraftSending drafts,
        RecipientSearch search,
        Obstacles obstacles,
        AzureMailProperties settings,
        MailProperties mail,
        Time time) {

    /** The beginning of cursors among final messages; other cursors begin with a date. */
    private static final String SENT = "sent:";

    @PostMapping
    ResponseEntity<MessageBody> create(@RequestBody MessageFields wanted, ApiKey key, Idempotency idempotency) {
        return idempotency.answer(
                wanted,
                MessageBody.class,
                () -> messages.nextRef().toString(),
                attempt -> create(wanted, key, attempt));
    }

    private Messages.NewMessage read(MessageFields wanted, ApiKey key, Instant now) {
        RequestFields fields = new RequestFields();
        Optional<Audience> audience = wanted.audience(fields, null);
        Optional<OnUnknown> onUnknown = wanted.onUnknown(fields);
        Optional<String> mailClass = apiMessages.mailClass(wanted.mailClass(), fields);
        Optional<Schedule> schedule = wanted.schedule(fields, settings.zone(), now);
        if (MessageFields.isMissing(wanted.html()) && MessageFields.isMissing(wanted.markdown())) {
            fields.refuse("html", RequestFields.MISSING);
        }
        if (MessageFields.isMissing(wanted.subject())) {
            fields.refuse("subject", RequestFields.MISSING);
        }
        Draft draft = wanted.draftMessage();
        if (wanted.bothSources()
                && audience.filter(whom -> rendered(whom, draft, wanted)).isEmpty()) {
            refuseBothSources(fields);
        }
        if (fields.anyRefused()) {
            audience.ifPresent(whom -> messages.problems(whom, draft)
                    .forEach(problem -> fields.refuseUnlessRefused(problem.field(), problem.message())));
        }
        fields.check();
        if (!Boolean.TRUE.equals(wanted.draft())) {
            apiMessages.requireSegment(audience.orElseThrow());
        }
        return new Messages.NewMessage(
                audience.orElseThrow(),
                draft,
                schedule.orElseThrow(),
                onUnknown.orElse(mail.onUnknown()),
                mailClass.orElse(null),
                key.author(),
                Boolean.TRUE.equals(wanted.draft()),
                false);
    }

    private ResponseEntity<MessageBody> create(MessageFields wanted, ApiKey key, Idempotency.Try attempt) {
        MessageRef ref = MessageRef.parse(attempt.intended()).orElseThrow();
        Optional<Message> before = attempt.resumed() ? messages.find(ref) : Optional.empty();
        MessageCreateResult creation = before.<MessageCreateResult>map(MessageCreateResult.Created::new)
                .orElseGet(() ->
                        messages.create(ref, read(wanted, key, attempt.startedAt()), () -> !messages.wasDeleted(ref)));
        if (creation instanceof MessageCreateResult.Refused refused) {
            throw RequestFields.refusal(refused.problems());
        }
        if (creation instanceof MessageCreateResult.Unwanted) {
            throw new RefusedCall(ProblemCode.DELETED, "Somebody deleted the message.");
        }
        Message created = creation instanceof MessageCreateResult.Exists exists
                ? exists.message()
                : ((MessageCreateResult.Created) creation).message();
        return ResponseEntity.created(URI.create("/api/v1/messages/" + created.ref()))
                .body(apiMessages.body(created));
    }

    /** Returns the messages that are not final, ordered by date, and then the final ones, newest first. */
    @GetMapping
    Items<MessageBody> all(Paging paging) {
        paging.check(Paging.MAX_LIMIT);
        String cursor = paging.cursor();
        int limit = paging.limit();
        List<MessageBody> bodies = new ArrayList<>();
        String sentFrom = cursor != null && cursor.startsWith(SENT) ? cursor.substring(SENT.length()) : null;
        if (sentFrom == null) {
            Page<Message> page = paging.page(messages::active);
            page.items().forEach(message -> bodies.add(apiMessages.body(message)));
            if (page.continuation() != null || bodies.size() >= limit) {
                return paging.items(bodies, page.continuation() == null ? SENT : page.continuation());
            }
        }
        String from = sentFrom == null || sentFrom.isEmpty() ? null : sentFrom;
        Page<Message> sent = new Paging(paging.listing(), from, limit - bodies.size()).page(messages::sent);
        sent.items().forEach(message -> bodies.add(apiMessages.body(message)));
        return paging.items(bodies, sent.continuation() == null ? null : SENT + sent.continuation());
    }

    @GetMapping("/{messageRef}")
    MessageBody one(EntityTags tags, Message stored) {
        Optional<Versioned<Message>> active = messages.findActive(stored.ref());
        active.ifPresent(found -> tags.setEtag(found.etag()));
        Message message = active.map(Versioned::value).orElse(stored);
        MessageProgress progress = control.progress(message);
        return MessageBody.of(message, progress, obstacles.of(message, progress));
    }

    /**
     * Returns the outcome of one recipient, given by address, or pages of the outcomes of all recipients or one group.
     */
    @GetMapping("/{messageRef}/outcomes")
    Items<OutcomeBody> outcomes(
            @RequestParam @Nullable String email,
            @RequestParam @Nullable String outcome,
            Paging paging,
            Message message) {
        if (email != null) {
            return Items.all(
                    find(message, email).explanation().recorded().stream().toList(), OutcomeBody::of);
        }
        RequestFields fields = new RequestFields();
        paging.check(fields, Paging.MAX_LIMIT);
        Optional<OutcomeGroup> only = fields.optional(
                "outcome",
                outcome,
                word -> OutcomeGroup.of(word.strip()),
                "Use sent, failed, skipped, unknown, undecided, bounced or complained.");
        fields.check();
        return paging.read(
                (limit, from) -> only.isPresent()
                        ? control.outcomes(message, only.get(), limit, from)
                        : control.outcomes(message, limit, from),
                OutcomeBody::of);
    }

    /** Returns the reasons why one address did or did not get the message. */
    @GetMapping("/{messageRef}/recipients/{email}")
    RecipientBody recipient(@PathVariable String email, Message message) {
        return RecipientBody.of(find(message, email));
    }

    private RecipientSearch.Found find(Message message, String email) {
        return RequestFields.require(
                "email", email, typed -> search.search(message, typed), RequestFields.NOT_AN_ADDRESS);
    }

    /** Changes a message. With {@code If-Match}, changes only the version that the caller has read. */
    @PatchMapping("/{messageRef}")
    MessageBody change(@RequestBody MessageFields wanted, EntityTags tags, Message message) {
        MessageRef ref = message.ref();
        MessageEditResult edited = ConditionalWrites.retry("message " + ref, () -> {
            Versioned<Message> current = messages.findActive(ref)
                    .orElseThrow(() -> forbidden("The message is final and cannot be changed."));
            tags.require(current.etag());
            return Optional.of(messages.edit(ref, current.etag(), change(current.value(), wanted)))
                    .filter(editing -> !(editing instanceof MessageEditResult.Conflict));
        });
        if (edited instanceof MessageEditResult.Refused refused) {
            throw RequestFields.refusal(refused.problems());
        }
        if (edited instanceof MessageEditResult.NotEditable not) {
            throw forbidden(not.reason().words());
        }
        if (edited instanceof MessageEditResult.Edited now) {
            tags.setEtag(now.message().etag());
        }
        return apiMessages.body(ref);
    }

    private Messages.Change change(Message old, MessageFields wanted) {
        RequestFields fields = new RequestFields();
        if (wanted.draft() != null) {
            fields.refuse("draft", "Unknown field.");
        }
        Optional<Audience> audience = wanted.audience(fields, old.audience());
        Optional<OnUnknown> onUnknown = wanted.onUnknown(fields);
        Optional<String> mailClass = apiMessages.mailClass(wanted.mailClass(), fields);
        Schedule unchanged = new Schedule(old.scheduledDate(), old.schedule().zone());
        Schedule schedule = wanted.schedule(fields, unchanged.zone(), time.instant())
                .map(read -> wanted.scheduledAt() == null ? new Schedule(old.scheduledDate(), read.zone()) : read)
                .orElse(unchanged);
        if (wanted.bothSources()
                && !isStored(old, wanted)
                && !rendered(audience.orElse(old.audience()), draft(old, wanted), wanted)) {
            refuseBothSources(fields);
        }
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

    private boolean isStored(Message old, MessageFields wanted) {
        return messages.bodies(old)
                .map(Bodies::html)
                .filter(html -> html.equals(wanted.html()))
                .isPresent();
    }

    /** Returns whether the HTML beside the Markdown is what is rendered from it, as in an answer of ours. */
    private boolean rendered(Audience audience, Draft draft, MessageFields wanted) {
        return lists.find(audience.list())
                .filter(list -> messages.compose(list.value(), draft) instanceof Checked.Valid valid
                        && valid.html().equals(wanted.html()))
                .isPresent();
    }

    private static void refuseBothSources(RequestFields fields) {
        fields.refuse("html", "Send either html or markdown.");
        fields.refuse("markdown", "Send either html or markdown.");
    }

    /** Returns the draft as it would be after the change. */
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

    /**
     * Returns the layout after the change, or {@code null} if the call does not change it. If the call gives only the
     * template or only the preview text, the other one stays.
     */
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

    /** Deletes a message. With {@code If-Match}, deletes only the version that the caller has read. */
    @DeleteMapping("/{messageRef}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(EntityTags tags, Message message) {
        ConditionalWrites.retryUntilDone("message " + message.ref(), () -> {
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

    @PostMapping("/{messageRef}/send")
    MessageBody send(Message message) {
        return sent(message, drafts.send(message));
    }

    private MessageBody sent(Message message, DraftSending.Result result) {
        return switch (result) {
            case SUCCEEDED -> apiMessages.body(message.ref());
            case NO_DRAFT, CHANGED -> throw forbidden("The message is not a draft.");
            case REFUSED -> {
                apiMessages.requireSegment(message.audience());
                throw RequestFields.refusal(drafts.problems(message));
            }
        };
    }

    @PostMapping("/{messageRef}/pause")
    MessageBody pause(Message message) {
        return done(message, control.pause(message.ref(), Reason.NONE), "The message has ended.");
    }

    @PostMapping("/{messageRef}/resume")
    MessageBody resume(Message message) {
        return message.keptAsDraft()
                ? sent(message, drafts.schedule(message))
                : done(message, control.resume(message.ref()), "The message is not paused.");
    }

    @PostMapping("/{messageRef}/cancel")
    MessageBody cancel(Message message) {
        return done(message, control.cancel(message.ref()), "The message has ended.");
    }

    private MessageBody done(Message message, boolean done, String otherwise) {
        if (!done) {
            throw forbidden(otherwise);
        }
        return apiMessages.body(message.ref());
    }

    private static RefusedCall forbidden(String why) {
        return new RefusedCall(ProblemCode.MESSAGE_STATE_FORBIDS, why);
    }
}
