package org.azuremail.web.api.message;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
import org.azuremail.delivery.range.Recorded;
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
import org.azuremail.web.api.Cursors;
import org.azuremail.web.api.Fields;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Once;
import org.azuremail.web.api.Tags;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.message.Obstacles;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Messages: written, followed, accounted for recipient by recipient. */
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
        Once once,
        Time time) {

    private static final int MAX_PAGE = 1000;

    /** Begins the cursors among final messages; those of the others begin with a date. */
    private static final String SENT = "sent:";

    /** A message that is to be sent; without {@code scheduledAt} now. A draft waits until somebody says so. */
    record NewMessage(
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
            @Nullable String mailClass,
            @Nullable Boolean draft) {}

    @PostMapping
    ResponseEntity<MessageBody> create(
            @RequestBody NewMessage wanted, @AuthenticationPrincipal ApiKey key, HttpServletRequest request) {
        Fields fields = new Fields();
        Optional<Audience> audience =
                AudienceFields.read(fields, wanted.list(), wanted.lists(), wanted.segment(), null);
        Optional<OnUnknown> onUnknown =
                fields.optional("onUnknown", wanted.onUnknown(), MessageBody::onUnknown, "Say hold or resend.");
        Optional<String> mailClass = known.mailClass(wanted.mailClass(), fields);
        Optional<Schedule> schedule =
                Dates.read(wanted.scheduledAt(), wanted.zone(), settings.zone(), time.instant(), fields);
        if (text(wanted.html()).isBlank() && text(wanted.markdown()).isBlank()) {
            fields.refuse("html", "This field is missing.");
        }
        if (wanted.subject() == null || wanted.subject().isBlank()) {
            fields.refuse("subject", "This field is missing.");
        }
        Draft draft = draft(wanted);
        if (fields.anyRefused()) {
            audience.ifPresent(whom -> messages.problems(whom, draft)
                    .forEach(problem -> fields.refuseUnlessRefused(problem.field(), problem.message())));
        }
        fields.check();
        if (!Boolean.TRUE.equals(wanted.draft())) {
            known.requireSegment(audience.orElseThrow());
        }
        Messages.NewMessage message = new Messages.NewMessage(
                audience.orElseThrow(),
                draft,
                schedule.orElseThrow(),
                onUnknown.orElse(mail.onUnknown()),
                mailClass.orElse(null),
                "API key " + key.label(),
                Boolean.TRUE.equals(wanted.draft()),
                false);
        return once.answer(
                once.call(request, key, wanted),
                MessageBody.class,
                () -> messages.nextRef().toString(),
                attempt -> create(message, attempt));
    }

    private static Draft draft(NewMessage wanted) {
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
        return answer(before.<Creation>map(Creation.Created::new).orElseGet(() -> messages.create(ref, wanted)));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** Those that are not final in order of date, then the sent ones, newest first. */
    @GetMapping
    Items<MessageBody> all(
            @RequestParam(required = false) @Nullable String cursor, @RequestParam(defaultValue = "100") int limit) {
        Fields.requireLimit(limit, MAX_PAGE);
        List<MessageBody> bodies = new ArrayList<>();
        String sentFrom = cursor != null && cursor.startsWith(SENT) ? cursor.substring(SENT.length()) : null;
        if (sentFrom == null) {
            Page<Message> page = Cursors.read(cursor, from -> messages.active(limit, from));
            page.items().forEach(message -> bodies.add(known.body(message)));
            if (page.continuation() != null || bodies.size() >= limit) {
                return new Items<>(bodies, page.continuation() == null ? SENT : page.continuation());
            }
        }
        String from = sentFrom == null || sentFrom.isEmpty() ? null : sentFrom;
        Page<Message> sent = Cursors.read(from, at -> store.sent(limit - bodies.size(), at));
        Set<MessageRef> unfinished =
                store.unfinished().stream().map(MessageStore.ActiveEntry::ref).collect(Collectors.toSet());
        sent.items().stream()
                .filter(message -> !unfinished.contains(message.ref())
                        || store.findActive(message.ref()).isEmpty())
                .forEach(message -> bodies.add(known.body(message)));
        return new Items<>(bodies, sent.continuation() == null ? null : SENT + sent.continuation());
    }

    /** The tag is for {@code If-Match}; it is no condition of this answer, whose counts go on by themselves. */
    @GetMapping("/{messageRef}")
    MessageBody one(@PathVariable String messageRef, HttpServletResponse response) {
        Optional<Versioned<Message>> active = MessageRef.parse(messageRef).flatMap(messages::findActive);
        active.ifPresent(found -> response.setHeader(HttpHeaders.ETAG, Tags.of(found.etag())));
        Message message = active.map(Versioned::value).orElseGet(() -> known.require(messageRef));
        MessageProgress progress = control.progress(message);
        return MessageBody.of(message, progress, obstacles.of(message, progress));
    }

    /** One recipient by address, or all of them, or those of one group, page by page. */
    @GetMapping("/{messageRef}/outcomes")
    Items<OutcomeBody> outcomes(
            @PathVariable String messageRef,
            @RequestParam(required = false) @Nullable String email,
            @RequestParam(required = false) @Nullable String outcome,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "100") int limit) {
        Message message = known.require(messageRef);
        if (email != null) {
            return new Items<>(
                    find(message, email).story().recorded().map(OutcomeBody::of).stream()
                            .toList(),
                    null);
        }
        Fields.requireLimit(limit, MAX_PAGE);
        Fields fields = new Fields();
        Optional<OutcomeGroup> only = fields.optional(
                "outcome",
                outcome,
                word -> OutcomeGroup.of(word.strip()),
                "Say sent, failed, skipped, unknown, bounced or complained.");
        fields.check();
        Page<Recorded> page = Cursors.read(
                cursor,
                from -> only.isPresent()
                        ? control.outcomes(message, only.get(), limit, from)
                        : control.outcomes(message, limit, from));
        return new Items<>(page.items().stream().map(OutcomeBody::of).toList(), page.continuation());
    }

    /** Tells why one address did or did not get it. */
    @GetMapping("/{messageRef}/recipients/{email}")
    RecipientBody recipient(@PathVariable String messageRef, @PathVariable String email) {
        return RecipientBody.of(find(known.require(messageRef), email));
    }

    private RecipientSearch.Found find(Message message, String email) {
        Fields fields = new Fields();
        Optional<RecipientSearch.Found> found =
                fields.required("email", email, typed -> search.search(message, typed), Fields.NOT_AN_ADDRESS);
        fields.check();
        return found.orElseThrow();
    }

    private ResponseEntity<MessageBody> answer(Creation creation) {
        if (creation instanceof Creation.Refused refused) {
            throw Fields.refusal(refused.problems());
        }
        Message created =
                creation instanceof Creation.Exists exists ? exists.message() : ((Creation.Created) creation).message();
        return ResponseEntity.created(URI.create("/api/v1/messages/" + created.ref()))
                .body(known.body(created));
    }
}
