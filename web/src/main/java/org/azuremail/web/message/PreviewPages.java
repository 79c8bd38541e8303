package org.azuremail.web.message;

import java.util.Optional;
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

    record Form(@Nullable String email) {}

    private final MessageDesk desk;
    private final Preview preview;

    PreviewPages(MessageDesk desk, Preview preview) {
        this.desk = desk;
        this.preview = preview;
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
        return "message/preview";
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
        Optional<String> problem = preview.sendTest(desk.require(ref), to.get());
        if (problem.isPresent()) {
            errors.rejectValue("email", "refused", problem.get());
            return show(ref, true, form, model);
        }
        return "redirect:/messages/" + ref + "/preview?notice=test-sent";
    }
}
