package org.azuremail.web.message;

import java.util.stream.Stream;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.storage.Page;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.message.MessageListing.Tab;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Messages that are not final. */
@Controller
record MessagePages(Messages messages, MessageDesk desk, MessageListing listing) {

    @GetMapping("/messages")
    String all(
            @RequestParam(required = false) @Nullable String tab,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) @Nullable String cursor,
            Model model) {
        Tab shown = Tab.of(tab);
        Page<Message> page = PageCursor.read(cursor, from -> listing.page(shown, q, from));
        model.addAttribute("tab", shown.word());
        model.addAttribute("tabs", Stream.of(Tab.values()).map(Tab::word).toList());
        model.addAttribute("q", q);
        model.addAttribute("messages", page.items());
        model.addAttribute("audiences", desk.audiences(page.items()));
        model.addAttribute("next", page.continuation());
        model.addAttribute("drafts", page.items().stream().filter(desk::draft).toList());
        model.addAttribute(
                "undated", page.items().stream().filter(desk::undated).toList());
        model.addAttribute("first", cursor == null);
        model.addAttribute("noLists", desk.lists().isEmpty());
        return "message/all";
    }

    /** The address that the page of sent messages had. */
    @GetMapping("/sent")
    String sent() {
        return "redirect:/messages?tab=" + Tab.SENT.word();
    }
}
