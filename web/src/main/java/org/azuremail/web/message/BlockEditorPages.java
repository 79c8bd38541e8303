package org.azuremail.web.message;

import org.azuremail.message.Message;
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
import org.springframework.web.bind.annotation.RequestParam;

/** The buttons of the block editor. Each shows the form again with its blocks changed; nothing is stored. */
@Controller
record BlockEditorPages(Messages messages, ComposerView view) {

    @PostMapping(value = "/messages/{ref}/edit", params = "block-act")
    String change(
            @PathVariable MessageRef ref,
            @ModelAttribute("form") MessageForm typed,
            BindingResult errors,
            @RequestParam MultiValueMap<String, String> sent,
            @RequestParam("block-act") String command,
            @RequestParam(defaultValue = "") String etag,
            Reader reader,
            Model model) {
        BlockFields.of(sent).ifPresent(blocks -> model.addAttribute("blocks", blocks.after(command)));
        MessageForm form = ComposerPages.showAgain(typed.withBlocks(sent), errors, model);
        Message stored = messages.find(ref).orElse(null);
        return view.content(new ComposerContext(ref, stored, etag, true), form, reader, model);
    }
}
