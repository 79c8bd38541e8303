package org.azuremail.web.message;

import java.security.Principal;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.linkcheck.LinkChecks;
import org.azuremail.linkcheck.LinkReport;
import org.azuremail.linkcheck.LinkReport.Refusal;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.web.message.ComposerView.ComposerContext;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Checks the links of a message that is being written or reviewed. Nothing is saved. Without script, the page is shown
 * again with the result.
 */
@Controller
record LinkCheckPages(
        MessagePageSupport support, Messages messages, LinkChecks checks, ComposerView composer, ReviewPages review) {

    private static final String RESULT = "message/links :: links";

    /** Checks the stored message. */
    @PostMapping("/messages/{ref}/links")
    String stored(
            @PathVariable MessageRef ref,
            Reader reader,
            @RequestHeader(name = "HX-Request", defaultValue = "false") boolean htmx,
            Principal me,
            Model model) {
        Message message = support.require(ref);
        String html = messages.bodies(message).map(Bodies::html).orElse("");
        model.addAttribute("linkReport", checks.check(me.getName(), html));
        if (htmx) {
            return RESULT;
        }
        ReviewPages.Form form = new ReviewPages.Form(me.getName());
        model.addAttribute("form", form);
        return review.show(ref, reader, form, model);
    }

    /** Checks the message as typed. */
    @PostMapping("/messages/{ref}/edit/links")
    String typed(
            @PathVariable MessageRef ref,
            @ModelAttribute("form") MessageForm typed,
            BindingResult errors,
            @RequestParam MultiValueMap<String, String> sent,
            @RequestParam(defaultValue = "") String etag,
            Reader reader,
            @RequestHeader(name = "HX-Request", defaultValue = "false") boolean htmx,
            Principal me,
            Model model) {
        MessageForm form = typed.withBlocks(sent);
        model.addAttribute("linkReport", check(form, me));
        if (htmx) {
            return RESULT;
        }
        BlockFields.of(sent).ifPresent(blocks -> model.addAttribute("blocks", blocks));
        MessageForm shown = ComposerPages.showAgain(form, errors, model);
        Message stored = messages.find(ref).orElse(null);
        return composer.content(new ComposerContext(ref, stored, etag, true), shown, reader, model);
    }

    private LinkReport check(MessageForm form, Principal me) {
        return form.listName()
                .flatMap(support.lists()::findActive)
                .map(list -> messages.compose(list, form.draft()) instanceof Checked.Valid valid
                        ? checks.check(me.getName(), valid.html())
                        : null)
                .orElseGet(() -> LinkReport.refused(Refusal.LINKS_UNREADABLE));
    }
}
