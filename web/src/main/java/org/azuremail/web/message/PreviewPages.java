package org.azuremail.web.message;

import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.TestMails;
import org.azuremail.delivery.TestMails.State;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MergedMail;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.web.layout.MailFrame;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** How a message will look, and a test mail of it. */
@Controller
class PreviewPages {

    /** So many test mails are shown. */
    private static final int SHOWN = 5;

    record Form(@Nullable String email) {}

    private final MessageDesk desk;
    private final Preview preview;
    private final TestMails tests;
    private final IdSource ids;

    PreviewPages(MessageDesk desk, Preview preview, TestMails tests, IdSource ids) {
        this.desk = desk;
        this.preview = preview;
        this.tests = tests;
        this.ids = ids;
    }

    @GetMapping("/messages/{ref}/preview")
    String show(
            @PathVariable MessageRef ref,
            @RequestParam(defaultValue = "true") boolean known,
            @ModelAttribute("form") Form form,
            Model model) {
        Message message = desk.require(ref);
        model.addAttribute("known", known);
        model.addAttribute("message", message);
        model.addAttribute("mail", preview.mail(message, known).orElse(null));
        tests(ref, model);
        return "message/preview";
    }

    /** The part of the page that changes until every result is known. */
    @GetMapping("/messages/{ref}/tests")
    String tests(@PathVariable MessageRef ref, Model model) {
        List<TestMails.Test> newest = tests.newest(ref, SHOWN);
        model.addAttribute("ref", ref);
        model.addAttribute("tests", newest);
        model.addAttribute(
                "live", newest.stream().anyMatch(test -> test.result().state() == State.QUEUED));
        return "message/tests :: tests";
    }

    @GetMapping("/messages/{ref}/preview.html")
    ResponseEntity<String> html(@PathVariable MessageRef ref, @RequestParam(defaultValue = "true") boolean known) {
        return MailFrame.of(
                preview.mail(desk.require(ref), known).map(MergedMail::html).orElse(""));
    }

    @PostMapping("/messages/{ref}/test")
    String test(@PathVariable MessageRef ref, @ModelAttribute("form") Form form, BindingResult errors, Model model) {
        Optional<EmailAddress> to = EmailAddress.parse(form.email() == null ? "" : form.email());
        if (to.isEmpty()) {
            errors.rejectValue("email", "refused", "This is not an e-mail address. One looks like ann@example.org.");
            return show(ref, true, form, model);
        }
        Optional<TestMails.Test> test = preview.sendTest(desk.require(ref), to.get(), ids.token());
        State state = test.map(asked -> asked.result().state()).orElse(State.REFUSED);
        if (state == State.REFUSED || state == State.UNKNOWN) {
            errors.rejectValue("email", "refused", why(state, test));
            return show(ref, true, form, model);
        }
        return "redirect:/messages/" + ref + "/preview?notice=" + (state == State.QUEUED ? "test-queued" : "test-sent");
    }

    private static String why(State state, Optional<TestMails.Test> test) {
        String words = state == State.UNKNOWN ? "Nobody knows whether the mail was taken: " : "The mail was refused: ";
        return test.map(asked -> words + asked.result().detail())
                .orElse("The list or the text of this message is gone, so there is nothing to send.");
    }
}
