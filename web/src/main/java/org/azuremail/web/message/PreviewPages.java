package org.azuremail.web.message;

import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.mail.MergedMail;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.web.layout.MailFrame;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The preview of a stored message, or of one that is being written. */
@Controller
record PreviewPages(Messages messages, MessagePageSupport support, Preview preview) {

    @GetMapping("/messages/{ref}/preview.html")
    ResponseEntity<String> stored(
            @PathVariable MessageRef ref, Reader reader, @RequestParam(defaultValue = "false") boolean dark) {
        Message message = support.require(ref);
        return MailFrame.of(preview.mail(message, reader).map(MergedMail::html).orElse(""), dark);
    }

    /** Renders typed text without storing it. */
    @PostMapping("/messages/preview.html")
    ResponseEntity<String> typed(
            @ModelAttribute("form") MessageForm typed,
            BindingResult errors,
            @RequestParam MultiValueMap<String, String> sent,
            Reader reader,
            @RequestParam(defaultValue = "false") boolean dark) {
        MessageForm form = typed.withBlocks(sent);
        String html = form.listName()
                .flatMap(support.lists()::findActive)
                .map(list -> messages.compose(list, form.draft()) instanceof Checked.Valid valid
                        ? preview.mail(list, valid, reader).html()
                        : "")
                .orElse("");
        return MailFrame.of(html, dark);
    }

    /** Shows the subject and the text part, and the faults to correct before the message can be sent. */
    @PostMapping("/messages/preview")
    String words(
            @ModelAttribute("form") MessageForm typed,
            BindingResult errors,
            @RequestParam MultiValueMap<String, String> sent,
            Reader reader,
            @RequestParam @Nullable String htmlShown,
            Model model) {
        model.addAttribute("reader", reader);
        MessageForm form = typed.withBlocks(sent);
        form.audience()
                .ifPresent(
                        audience -> support.lists().findActive(audience.list()).ifPresent(list -> {
                            preview.addReader(list, reader, model);
                            preview.check(audience, list, form, reader, htmlShown, model)
                                    .ifPresent(mail -> model.addAttribute("mail", mail));
                        }));
        return "message/preview :: words";
    }
}
