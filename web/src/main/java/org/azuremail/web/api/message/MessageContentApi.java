package org.azuremail.web.api.message;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.content.Layout;
import org.azuremail.content.Source;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MergedMail;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Page;
import org.azuremail.web.api.Cursors;
import org.azuremail.web.api.Fields;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Once;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.message.Preview;
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

/** The content of a message, its preview, test emails of it, and the recipients who still wait for it. */
@RestController
@RequestMapping("/api/v1/messages/{messageRef}")
record MessageContentApi(
        ApiMessages known,
        Messages messages,
        MessageControl control,
        Preview preview,
        TestMails tests,
        Once once,
        IdSource ids) {

    private static final int MAX_PAGE = 1000;
    private static final int TESTS = 100;

    /**
     * A message as it is stored, or as somebody will read it.
     *
     * @param markdown from which the HTML is rendered; {@code null} where it is written in HTML
     * @param template in which it is; {@code null} without one
     * @param preview text behind the subject; {@code null} without a template
     */
    record ContentBody(
            String subject,
            String html,
            String text,
            @Nullable String markdown,
            @Nullable String template,
            @Nullable String preview) {}

    /** The address that gets a test mail. */
    record NewTest(@Nullable String email) {}

    /**
     * A test mail.
     *
     * @param state {@code queued}, {@code handed_over}, {@code refused} or {@code unknown}
     * @param detail the provider's id or the reason; why it waits
     * @param reasonCode of the reason, if there is one
     * @param at since when that is so
     */
    record TestBody(
            String id,
            String email,
            String state,
            @Nullable String detail,
            @Nullable String reasonCode,
            Instant askedAt,
            Instant at) {

        static TestBody of(TestMails.Test test) {
            Reason detail = test.result().detail();
            return new TestBody(
                    test.id(),
                    test.to().value(),
                    test.result().state().name().toLowerCase(Locale.ROOT),
                    detail.none() ? null : detail.words(),
                    detail.none() || test.result().state() == TestMails.State.HANDED_OVER ? null : detail.code(),
                    test.askedAt(),
                    test.at());
        }
    }

    /** A recipient without an outcome. */
    record WaitingBody(String email, @Nullable Instant notBefore) {}

    @GetMapping("/content")
    ContentBody content(@PathVariable String messageRef) {
        Message message = known.require(messageRef);
        Bodies bodies = messages.bodies(message).orElseThrow(MessageContentApi::gone);
        Optional<Source> source = messages.source(message);
        Optional<Layout> layout = source.map(Source::layout);
        return new ContentBody(
                message.subject(),
                bodies.html(),
                bodies.text(),
                source.filter(Source::markdown).map(Source::written).orElse(null),
                layout.map(Layout::template).orElse(null),
                layout.map(Layout::preview).orElse(null));
    }

    /** @param withValues whether to make up values, or to show what stands in for empty fields */
    @GetMapping("/preview")
    ContentBody preview(
            @PathVariable String messageRef, @RequestParam(name = "known", defaultValue = "true") boolean withValues) {
        MergedMail mail = preview.mail(known.require(messageRef), withValues).orElseThrow(MessageContentApi::gone);
        return new ContentBody(mail.subject(), mail.html(), mail.text(), null, null, null);
    }

    @PostMapping("/tests")
    ResponseEntity<TestBody> test(
            @PathVariable String messageRef,
            @RequestBody NewTest wanted,
            @AuthenticationPrincipal ApiKey key,
            HttpServletRequest request) {
        Message message = known.require(messageRef);
        Fields fields = new Fields();
        Optional<EmailAddress> to = fields.requiredAddress("email", wanted.email());
        fields.check();
        return once.answer(once.call(request, key, wanted), TestBody.class, ids::token, attempt -> {
            TestMails.Test test = preview.sendTest(message, to.orElseThrow(), attempt.intended())
                    .orElseThrow(MessageContentApi::gone);
            return ResponseEntity.accepted()
                    .location(URI.create("/api/v1/messages/" + message.ref() + "/tests/" + test.id()))
                    .body(TestBody.of(test));
        });
    }

    /** The newest hundred; results go after a week. */
    @GetMapping("/tests")
    Items<TestBody> tests(@PathVariable String messageRef) {
        MessageRef ref = known.require(messageRef).ref();
        return new Items<>(tests.newest(ref, TESTS).stream().map(TestBody::of).toList(), null);
    }

    @GetMapping("/tests/{id}")
    TestBody test(@PathVariable String messageRef, @PathVariable String id) {
        MessageRef ref = known.require(messageRef).ref();
        return Optional.of(id)
                .filter(text -> text.matches("[A-Za-z0-9_-]{22}"))
                .flatMap(one -> tests.find(ref, one))
                .map(TestBody::of)
                .orElseThrow(() -> RefusedCall.notFound("There is no test mail " + id + " of this message."));
    }

    @GetMapping("/waiting")
    Items<WaitingBody> waiting(
            @PathVariable String messageRef,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "100") int limit) {
        Message message = known.require(messageRef);
        Fields.requireLimit(limit, MAX_PAGE);
        Page<Recipient> page = Cursors.read(cursor, from -> control.waiting(message, limit, from));
        List<WaitingBody> waiting = page.items().stream()
                .map(one -> new WaitingBody(one.address().value(), one.notBefore()))
                .toList();
        return new Items<>(waiting, page.continuation());
    }

    private static RefusedCall gone() {
        return RefusedCall.conflict(ProblemCode.LIST_GONE, "The list or the text of this message is gone.");
    }
}
