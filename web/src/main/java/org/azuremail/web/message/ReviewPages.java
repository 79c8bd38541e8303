package org.azuremail.web.message;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.content.ContentWarning;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.delivery.testmail.TestMails.State;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MergedMail;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.IdempotentForms;
import org.azuremail.web.layout.Notice;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The last step before a message is sent: everything as people will see it, test emails, and the button. */
@Controller
record ReviewPages(
        MessagePageSupport support,
        Messages messages,
        Preview preview,
        TestMails tests,
        DraftSending drafts,
        AudiencePeople people,
        MessageTransports transports,
        LinkWarning links,
        IdempotentForms forms) {

    private static final int SHOWN = 10;

    private static final int MAX_TESTS = 10;

    /** The most characters of the addresses and names. A longer text has too many, and would take long to read. */
    private static final int MAX_TYPED = 4000;

    /** Matches an address with a name, as mail programs copy it: {@code "Doe, Ann" <ann@example.org>}. */
    private static final Pattern NAMED =
            Pattern.compile("(?<![^\\s,;])(?:\"[^\"]*+\"|[^<>@\";\\n])*+<\\s*+(?:mailto:)?([^<>]*+)>");

    record Form(@Nullable String email) {

        /** Returns the addresses as typed, without names. They are separated by commas, semicolons or blanks. */
        List<String> addresses() {
            String all = NAMED.matcher(FormErrors.text(email)).replaceAll(" $1 ");
            return Stream.of(all.split("[\\s,;]+"))
                    .filter(one -> !one.isEmpty())
                    .distinct()
                    .toList();
        }
    }

    /** Returns the form for a test email, which offers the admin's own address. */
    @ModelAttribute("form")
    Form form(@RequestParam @Nullable String email, Principal me) {
        return new Form(email == null ? me.getName() : email);
    }

    @GetMapping({"/messages/{ref}/review", "/messages/{ref}/preview", "/messages/{ref}/send"})
    String show(@PathVariable MessageRef ref, Reader reader, Form form, Model model) {
        Optional<Versioned<Message>> active = messages.findActive(ref);
        Message message = active.map(Versioned::value).orElseGet(() -> support.require(ref));
        boolean draft = support.draft(message);
        model.addAttribute("etag", active.map(Versioned::etag).orElse(""));
        model.addAttribute("place", new ComposerView.ComposerContext(ref, message, "", false));
        model.addAttribute("message", message);
        model.addAttribute("draft", draft);
        model.addAttribute("now", support.undated(message));
        preview.show(message, reader, model);
        tests(ref, model);
        model.addAttribute("audience", support.audience(message.audience()));
        model.addAttribute("mailClass", support.mailClass(message));
        model.addAttribute("previewText", preview.previewText(message));
        if (draft) {
            before(message, model);
        }
        return "message/review";
    }

    private void before(Message message, Model model) {
        List<Problem> problems = drafts.problems(message);
        AudiencePeople.AudienceCount number = people.of(message.audience());
        OptionalInt limit = transports.perSecond(message.lists());
        model.addAttribute("problems", problems);
        model.addAttribute("warnings", warnings(message, model));
        model.addAttribute("people", number.people());
        model.addAttribute("most", number.most());
        model.addAttribute("countedAt", number.at());
        model.addAttribute("perSecond", limit.isPresent() ? limit.getAsInt() : null);
        model.addAttribute("takes", limit.isPresent() ? takes(number.people(), limit.getAsInt()) : null);
        model.addAttribute("undoSeconds", drafts.undo().toSeconds());
        model.addAttribute("links", links.text().orElse(null));
    }

    private List<Reason> warnings(Message message, Model model) {
        if (!(model.getAttribute("mail") instanceof MergedMail mail)) {
            return List.of();
        }
        List<Reason> found = new ArrayList<>(preview.warnings(message, mail));
        people.withoutValues(message.audience(), preview.fieldsWithoutFallback(message))
                .forEach(
                        (field, number) -> ContentWarning.ofField(field, number).ifPresent(found::add));
        return found;
    }

    private static Duration takes(long people, int perSecond) {
        return Duration.ofSeconds((people + perSecond - 1) / perSecond);
    }

    /** Returns the part of the page that changes until every result is known. */
    @GetMapping("/messages/{ref}/tests")
    String tests(@PathVariable MessageRef ref, Model model) {
        List<TestMails.TestMailRecord> newest = tests.newest(ref, SHOWN);
        model.addAttribute("ref", ref);
        model.addAttribute("tests", newest);
        model.addAttribute("toOutbox", transports.toOutbox(support.require(ref).lists()));
        model.addAttribute(
                "live", newest.stream().anyMatch(test -> test.result().state() == State.QUEUED));
        return "message/tests :: tests";
    }

    @PostMapping("/messages/{ref}/test")
    String test(
            @PathVariable MessageRef ref,
            Form form,
            BindingResult errors,
            Reader reader,
            HttpServletRequest request,
            Model model) {
        boolean tooLong = FormErrors.text(form.email()).length() > MAX_TYPED;
        List<String> typed = tooLong ? List.of() : form.addresses();
        typed.stream()
                .filter(one -> EmailAddress.parse(one).isEmpty())
                .forEach(one -> FormErrors.reject(errors, "email", "error.message.test-address", one));
        if (typed.isEmpty() || typed.size() > MAX_TESTS) {
            FormErrors.reject(errors, "email", "error.message.tests", MAX_TESTS);
        }
        if (errors.hasErrors()) {
            return show(ref, reader, form, model);
        }
        Message message = support.require(ref);
        IdSource ids = forms.ids(request);
        List<Optional<TestMails.TestMailRecord>> sent = typed.stream()
                .flatMap(one -> EmailAddress.parse(one).stream())
                .map(to -> sendOnce(message, to, ids.token()))
                .toList();
        if (sent.contains(Optional.<TestMails.TestMailRecord>empty())) {
            errors.reject("error.message.nothing-to-send");
        }
        sent.stream()
                .flatMap(Optional::stream)
                .forEach(test -> report(test, support.settings().zone(), errors));
        if (errors.hasErrors()) {
            return show(ref, reader, form, model);
        }
        boolean queued = sent.get(0).orElseThrow().result().state() == State.QUEUED;
        String sentTo = transports.toOutbox(message.lists()) ? "test-in-outbox" : "test-sent";
        return Notice.done(queued ? "test-queued" : sentTo, sent.size())
                .on("/messages/" + ref + "/review" + reader.query());
    }

    /** Sends a test email, unless an earlier request with this id has sent it or is about to. */
    private Optional<TestMails.TestMailRecord> sendOnce(Message message, EmailAddress to, String id) {
        return tests.find(message.ref(), id).or(() -> preview.sendTest(message, to, id));
    }

    private static void report(TestMails.TestMailRecord test, ZoneId zone, BindingResult errors) {
        State state = test.result().state();
        if (state == State.REFUSED || state == State.UNKNOWN) {
            FormErrors.reject(
                    errors,
                    "email",
                    state == State.UNKNOWN ? "error.message.test-unknown" : "error.message.test-refused",
                    test.to().value(),
                    test.result().detail().words(zone));
        }
    }

    /** Sends the message. A repeated request does not send it again. */
    @PostMapping("/messages/{ref}/send")
    String send(@PathVariable MessageRef ref, @RequestParam(defaultValue = "") String etag) {
        return after(
                drafts.sendSoon(support.require(ref), etag),
                drafts.undo().isZero() ? "message-sending" : "message-sending-soon",
                ref);
    }

    /**
     * Schedules the message for its date. If the date has passed meanwhile, the message would be sent at once, so the
     * page asks first.
     */
    @PostMapping("/messages/{ref}/schedule")
    String schedule(@PathVariable MessageRef ref, @RequestParam(defaultValue = "") String etag) {
        Message message = support.require(ref);
        return support.undated(message)
                ? Notice.problem("message-date-passed").on("/messages/" + ref + "/review")
                : after(drafts.schedule(message, etag), "message-scheduled", ref);
    }

    @PostMapping("/messages/{ref}/undo")
    String undo(@PathVariable MessageRef ref) {
        return drafts.undoSend(ref)
                ? Notice.done("message-taken-back").on("/messages/" + ref + "/review")
                : Notice.problem("message-undo-late").on("/messages/" + ref);
    }

    private static String after(DraftSending.Result result, String notice, MessageRef ref) {
        return switch (result) {
            case SUCCEEDED -> Notice.done(notice).on("/messages/" + ref);
            case CHANGED -> Notice.problem("message-changed").on("/messages/" + ref + "/review");
            case NO_DRAFT -> Notice.problem("message-ended").on("/messages/" + ref);
            case REFUSED -> Notice.problem("message-refused").on("/messages/" + ref + "/review");
        };
    }
}
