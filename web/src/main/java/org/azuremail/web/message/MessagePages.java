package org.azuremail.web.message;

import java.security.Principal;
import java.time.LocalDate;
import java.util.Optional;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.web.layout.PageCursor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Messages that are not final: all of them, and a new one. */
@Controller
class MessagePages {

    private static final int PAGE = 50;

    private final Messages messages;
    private final MessageDesk desk;

    MessagePages(Messages messages, MessageDesk desk) {
        this.messages = messages;
        this.desk = desk;
    }

    @GetMapping("/messages")
    String all(@RequestParam(required = false) @Nullable String cursor, Model model) {
        Messages.ActivePage page = PageCursor.read(cursor, from -> messages.active(PAGE, from));
        model.addAttribute("messages", page.messages());
        model.addAttribute("next", page.cursor());
        model.addAttribute(
                "drafts", page.messages().stream().filter(desk::draft).toList());
        model.addAttribute(
                "undated", page.messages().stream().filter(desk::undated).toList());
        model.addAttribute("first", cursor == null);
        model.addAttribute("noLists", desk.lists().isEmpty());
        return "message/all";
    }

    @GetMapping("/messages/new")
    String formForNew(@RequestParam(required = false) @Nullable String list, Model model) {
        LocalDate today = LocalDate.ofInstant(desk.now(), desk.zone());
        model.addAttribute("form", MessageForm.empty(list, today, desk.zone(), desk.onUnknown()));
        return desk.form(model, "message/new");
    }

    @PostMapping("/messages/new")
    String create(
            @ModelAttribute("form") MessageForm form,
            BindingResult errors,
            @RequestParam(defaultValue = "store") String act,
            Principal me,
            Model model) {
        Optional<ListName> list = form.listName();
        if (list.isEmpty()) {
            errors.rejectValue("list", "missing", "Please choose the list that gets the message.");
        }
        byte[] html = form.htmlBytes();
        if (html == null || new String(html, java.nio.charset.StandardCharsets.UTF_8).isBlank()) {
            errors.rejectValue(
                    "htmlFile",
                    "missing",
                    "Please provide an HTML file path: upload a file, or write the HTML body below.");
        }
        Optional<Schedule> schedule = form.schedule(desk.zone(), desk.now(), errors);
        Draft draft = new Draft(
                form.subject() == null ? "" : form.subject(), html == null ? new byte[0] : html, form.textBytes());
        if (errors.hasErrors() || list.isEmpty() || html == null || schedule.isEmpty()) {
            tellTheRest(form, list, draft, errors);
            return again(form, errors, model);
        }
        boolean asDraft = "draft".equals(act);
        boolean atOnce = !schedule.get().due().isAfter(desk.now());
        Messages.Creation creation = messages.create(new Messages.NewMessage(
                list.get(), draft, schedule.get(), form.onUnknownChoice(), me.getName(), asDraft || atOnce));
        if (creation instanceof Messages.Creation.Created created) {
            return "redirect:/messages/" + created.message().ref() + next(asDraft, atOnce);
        }
        ((Messages.Creation.Refused) creation).problems().forEach(problem -> form.report(problem, errors));
        return again(form, errors, model);
    }

    /** All mistakes at once, not the next one after each that was mended. */
    private void tellTheRest(MessageForm form, Optional<ListName> list, Draft draft, BindingResult errors) {
        list.ifPresent(name -> messages.problems(name, draft).stream()
                .filter(problem -> draft.html().length > 0 || !problem.field().equals("html"))
                .forEach(problem -> form.report(problem, errors)));
        if (list.isEmpty() && draft.subject().isBlank()) {
            errors.rejectValue("subject", "missing", "The subject line is required.");
        }
    }

    /** What goes out at once is asked about once more. */
    private static String next(boolean draft, boolean now) {
        if (draft) {
            return "?notice=message-drafted";
        }
        return now ? "/send" : "?notice=message-made";
    }

    private String again(MessageForm form, BindingResult errors, Model model) {
        FormShownAgain.put(form, errors, model);
        return desk.form(model, "message/new");
    }
}
