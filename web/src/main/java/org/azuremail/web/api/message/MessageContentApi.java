package org.azuremail.web.api.message;

import java.net.URI;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.content.Layout;
import org.azuremail.content.Layout.Source;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MergedMail;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.message.Preview;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The content of a message, its preview, its test emails, and the recipients who are still waiting for it. */
@RestController
@RequestMapping("/api/v1/messages/{messageRef}")
record MessageContentApi(Messages messages, MessageControl control, Preview preview, TestMails tests, IdSource ids) {

    private static final int TESTS = 100;

    /**
     * A message as it is stored, or as a recipient will read it.
     *
     * @param markdown the source of the HTML; {@code null} if the message was written in HTML
     * @param template the template that the message uses; {@code null} without one
     * @param preview the text that mail programs show after the subject; {@code null} without a template
     */
    record ContentBody(
            String subject,
            String html,
            String text,
            @Nullable String markdown,
            @Nullable String template,
            @Nullable String preview) {}

    record NewTest(@Nullable String email) {}

    /**
     * @param state {@code queued}, {@code handed_over}, {@code refused} or {@code unknown}
     * @param detail the provider's id or reason, or why the test email waits
     * @param reasonCode the code of the reason, if there is one
     * @param at when the test email reached its state
     */
    record TestBody(
            String id,
            String email,
            String state,
            @Nullable String detail,
            @Nullable String reasonCode,
            Instant askedAt,
            Instant at) {

        static TestBody of(TestMails.TestMailRecord test) {
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

    record WaitingBody(String email, @Nullable Instant notBefore) {}

    @GetMapping("/content")
    ContentBody content(Message message) {
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

    /** @param withValues whether to make up values for the fields; otherwise, all fields are empty */
    @GetMapping("/preview")
    ContentBody preview(@RequestParam(name = "known", defaultValue = "true") boolean withValues, Message message) {
        MergedMail mail = preview.mail(message, withValues).orElseThrow(MessageContentApi::gone);
        return new ContentBody(mail.subject(), mail.html(), mail.text(), null, null, null);
    }

    @PostMapping("/tests")
    ResponseEntity<TestBody> test(@RequestBody NewTest wanted, Idempotency idempotency, Supplier<Message> asked) {
        EmailAddress to =
                RequestFields.require("email", wanted.email(), EmailAddress::parse, RequestFields.NOT_AN_ADDRESS);
        return idempotency.answer(wanted, TestBody.class, ids::token, attempt -> {
            Message message = asked.get();
            TestMails.TestMailRecord test =
                    preview.sendTest(message, to, attempt.intended()).orElseThrow(MessageContentApi::gone);
            return ResponseEntity.accepted()
                    .location(URI.create("/api/v1/messages/" + message.ref() + "/tests/" + test.id()))
                    .body(TestBody.of(test));
        });
    }

    /** Returns the newest hundred test emails. Results are deleted after a week. */
    @GetMapping("/tests")
    Items<TestBody> tests(Message message) {
        return Items.all(tests.newest(message.ref(), TESTS), TestBody::of);
    }

    @GetMapping("/tests/{id}")
    TestBody test(@PathVariable String id, Message message) {
        return Optional.of(id)
                .filter(text -> text.matches("[A-Za-z0-9_-]{22}"))
                .flatMap(one -> tests.find(message.ref(), one))
                .map(TestBody::of)
                .orElseThrow(() -> RefusedCall.notFound("There is no test email " + id + " of this message."));
    }

    @GetMapping("/waiting")
    Items<WaitingBody> waiting(Paging paging, Message message) {
        return paging.read(
                (limit, from) -> control.waiting(message, limit, from),
                one -> new WaitingBody(one.address().value(), one.notBefore()));
    }

    private static RefusedCall gone() {
        return new RefusedCall(ProblemCode.LIST_GONE, "The list or the text of this message no longer exists.");
    }
}
