package org.azuremail.web.api.message;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.content.Layout;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Creation;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.web.api.Fields;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Once;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.Tags;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.message.Obstacles;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Creates and shows messages, and the outcome of each recipient. */
@RestController
@RequestMapping("/api/v1/messages")
record MessageApi(
        ApiMessages known,
        Messages messages,
        MessageStore store,
        MessageControl control,
        RecipientSearch search,
        Obstacles obstacles,
        AzureMailProperties settings,
        MailProperties mail,
        Time time) {

    /** The beginning of cursors among final messages; cursors among the others begin with a date. */
    private static final String SENT = "sent:";

    @PostMapping
    ResponseEntity<MessageBody> create(
            @RequestBody MessageFields wanted, @AuthenticationPrincipal ApiKey key, Once once) {
        Fields fields = new Fields();
        Optional<Audience> audience = wanted.audience(fields, null);
        Optional<OnUnknown> onUnknown = wanted.onUnknown(fields);
        Optional<String> mailClass = known.mailClass(wanted.mailClass(), fields);
        Optional<Schedule> schedule = wanted.schedule(fields, settings.zone(), time.instant());
        if (MessageFields.isMissing(wanted.html()) && MessageFields.isMissing(wanted.markdown())) {
            fields.refuse("html", Fields.MISSING);
        }
        if (MessageFields.isMissing(wanted.subject())) {
            fields.refuse("subject", Fields.MISSING);
        }
        Draft draft = draft(wanted);
        if (fields.anyRefused()) {
            audience.ifPresent(whom -> messages.problems(whom, draft)
                    .forEach(problem -> fields.refuseUnlessRefused(problem.field(), problem.message())));
        }
        fields.check();
        Messages.NewMessage message = new Messages.NewMessage(
                audience.orElseThrow(),
                draft,
                schedule.orElseThrow(),
                onUnknown.orElse(mail.onUnknown()),
                mailClass.orElse(null),
                key.author(),
                Boolean.TRUE.equals(wanted.draft()),
                false);
        return once.answer(
                wanted, MessageBody.class, () -> messages.nextRef().toString(), attempt -> create(message, attempt));
    }

    private static Draft draft(MessageFields wanted) {
        Layout usual = wanted.markdown() == null ? Layout.NONE : Layout.LETTER;
        Draft plain = Draft.of(text(wanted.subject()), text(wanted.html()), wanted.text());
        return new Draft(
                plain.subject(),
                plain.html(),
                plain.text(),
                wanted.markdown(),
                usual.with(wanted.template(), wanted.preview()));
    }

    private ResponseEntity<MessageBody> create(Messages.NewMessage wanted, Once.Try attempt) {
        MessageRef ref = MessageRef.parse(attempt.intended()).orElseThrow();
        Optional<Message> before = attempt.resumed() ? messages.find(ref) : Optional.empty();
        Creation creation = before.<Creation>map(Creation.Created::new).orElseGet(() -> messages.create(ref, wanted));
        if (creation instanceof Creation.Refused refused) {
            throw Fields.refusal(refused.problems());
        }
        Message created =
                creation instanceof Creation.Exists exists ? exists.message() : ((Creation.Created) creation).message();
        return ResponseEntity.created(URI.create("/api/v1/messages/" + created.ref()))
                .body(known.body(created));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** Messages that are not final in order of date, then the final ones, newest first. */
    @GetMapping
    Items<MessageBody> all(Paging paging) {
        paging.check(Paging.MOST);
        String cursor = paging.cursor();
        int limit = paging.limit();
        List<MessageBody> bodies = new ArrayList<>();
        String sentFrom = cursor != null && cursor.startsWith(SENT) ? cursor.substring(SENT.length()) : null;
        if (sentFrom == null) {
            Page<Message> page = paging.page(messages::active);
            page.items().forEach(message -> bodies.add(known.body(message)));
            if (page.continuation() != null || bodies.size() >= limit) {
                return new Items<>(bodies, page.continuation() == null ? SENT : page.continuation());
            }
        }
        String from = sentFrom == null || sentFrom.isEmpty() ? null : sentFrom;
        Page<Message> sent = new Paging(from, limit - bodies.size()).page(store::sent);
        Set<MessageRef> unfinished =
                store.unfinished().stream().map(MessageStore.ActiveEntry::ref).collect(Collectors.toSet());
        sent.items().stream()
                .filter(message -> !unfinished.contains(message.ref())
                        || store.findActive(message.ref()).isEmpty())
                .forEach(message -> bodies.add(known.body(message)));
        return new Items<>(bodies, sent.continuation() == null ? null : SENT + sent.continuation());
    }

    @GetMapping("/{messageRef}")
    MessageBody one(Tags tags, Message stored) {
        Optional<Versioned<Message>> active = messages.findActive(stored.ref());
        active.ifPresent(found -> tags.answer(found.etag()));
        Message message = active.map(Versioned::value).orElse(stored);
        MessageProgress progress = control.progress(message);
        return MessageBody.of(message, progress, obstacles.of(message, progress));
    }

    /** One recipient by address, or all of them, or those of one group, page by page. */
    @GetMapping("/{messageRef}/outcomes")
    Items<OutcomeBody> outcomes(
            @RequestParam(required = false) @Nullable String email,
            @RequestParam(required = false) @Nullable String outcome,
            Paging paging,
            Message message) {
        if (email != null) {
            return Items.all(find(message, email).story().recorded().stream().toList(), OutcomeBody::of);
        }
        Fields fields = new Fields();
        paging.check(fields, Paging.MOST);
        Optional<OutcomeGroup> only = fields.optional(
                "outcome",
                outcome,
                word -> OutcomeGroup.of(word.strip()),
                "Say sent, failed, skipped, unknown, bounced or complained.");
        fields.check();
        return paging.read(
                (limit, from) -> only.isPresent()
                        ? control.outcomes(message, only.get(), limit, from)
                        : control.outcomes(message, limit, from),
                OutcomeBody::of);
    }

    /** Tells why one address did or did not get it. */
    @GetMapping("/{messageRef}/recipients/{email}")
    RecipientBody recipient(@PathVariable String email, Message message) {
        return RecipientBody.of(find(message, email));
    }

    private RecipientSearch.Found find(Message message, String email) {
        return Fields.require("email", email, typed -> search.search(message, typed), Fields.NOT_AN_ADDRESS);
    }
}
