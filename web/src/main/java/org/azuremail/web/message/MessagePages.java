package org.azuremail.web.message;

import java.security.Principal;
import java.time.LocalDate;
import java.util.Optional;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.NotHere;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.ObjectError;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Messages that are not final: all of them, a new one, a changed one. */
@Controller
class MessagePages {

    private static final String NOT_PENDING = "Message can't be edited because it isn't in Pending status.";

    private static final String CONFLICT = "The record you attempted to edit was modified by another user after you "
            + "opened it, so nothing was saved. The current values stand beside the fields. "
            + "Press Save again to keep what you typed.";

    private static final int PAGE = 50;

    private final Messages messages;
    private final MessageDesk desk;

    MessagePages(Messages messages, MessageDesk desk) {
        this.messages = messages;
        this.desk = desk;
    }

    @GetMapping("/messages")
    String all(@RequestParam(required = false) @Nullable String cursor, Model model) {
        Messages.ActivePage page = page(cursor);
        model.addAttribute("messages", page.messages());
        model.addAttribute("next", page.cursor());
        model.addAttribute("first", cursor == null);
        model.addAttribute("noLists", desk.lists().isEmpty());
        return "message/all";
    }

    private Messages.ActivePage page(@Nullable String cursor) {
        try {
            return messages.active(PAGE, cursor);
        } catch (IllegalArgumentException notACursor) {
            throw new NotHere("This page of messages does not exist. Please begin at the first page.");
        }
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
            errors.rejectValue("htmlFile", "missing", "Please provide an HTML file path, or type the HTML below.");
        }
        Optional<Schedule> schedule = form.schedule(desk.zone(), desk.now(), errors);
        Draft draft = new Draft(
                form.subject() == null ? "" : form.subject(), html == null ? new byte[0] : html, form.textBytes());
        if (errors.hasErrors() || list.isEmpty() || html == null || schedule.isEmpty()) {
            tellTheRest(form, list, draft, errors);
            return again(form, errors, model, "message/new");
        }
        boolean asDraft = "draft".equals(act);
        Messages.Creation creation = messages.create(new Messages.NewMessage(
                list.get(), draft, schedule.get(), form.onUnknownChoice(), me.getName(), asDraft || form.now()));
        if (creation instanceof Messages.Creation.Created created) {
            return "redirect:/messages/" + created.message().ref() + next(asDraft, form.now());
        }
        ((Messages.Creation.Refused) creation).problems().forEach(problem -> form.report(problem, errors));
        return again(form, errors, model, "message/new");
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

    @GetMapping("/messages/{ref}/edit")
    String formForChange(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        Optional<Versioned<Message>> current = messages.findActive(ref);
        if (current.isEmpty() || !current.get().value().contentEditable()) {
            return desk.refused(message, NOT_PENDING, model);
        }
        Bodies bodies = messages.bodies(message).orElse(new Bodies("", ""));
        model.addAttribute("form", MessageForm.of(current.get().value(), bodies, desk.draft(message)));
        return change(current.get(), model);
    }

    @PostMapping("/messages/{ref}/edit")
    String save(
            @PathVariable MessageRef ref,
            @ModelAttribute("form") MessageForm form,
            BindingResult errors,
            @RequestParam String etag,
            Model model) {
        Message stored = desk.require(ref);
        Optional<Schedule> schedule = stored.editable()
                ? form.schedule(desk.zone(), desk.now(), errors)
                : Optional.of(new Schedule(stored.scheduledDate(), stored.zone()));
        ListName list = stored.editable() ? form.listName().orElse(stored.list()) : stored.list();
        if (schedule.isEmpty()) {
            return showAgain(form, errors, new Versioned<>(stored, etag), model);
        }
        Messages.Editing editing = messages.edit(
                ref,
                etag,
                new Messages.Change(
                        list,
                        form.subject() == null ? "" : form.subject(),
                        form.htmlBytes(),
                        form.textBytes(),
                        schedule.get(),
                        form.onUnknown() == null ? stored.onUnknown() : form.onUnknownChoice()));
        if (editing instanceof Messages.Editing.Edited) {
            return "redirect:/messages/" + ref + "?notice=message-saved";
        }
        if (editing instanceof Messages.Editing.NotEditable not) {
            return desk.refused(desk.require(ref), not.reason(), model);
        }
        if (editing instanceof Messages.Editing.Refused no) {
            no.problems().forEach(problem -> form.report(problem, errors));
            return showAgain(form, errors, new Versioned<>(stored, etag), model);
        }
        if (editing instanceof Messages.Editing.Conflict conflict) {
            showCurrent(form, conflict.current().value(), errors);
            return showAgain(form, errors, conflict.current(), model);
        }
        throw new NotHere("There is no message " + ref + " any more. Somebody deleted it.");
    }

    private String again(MessageForm form, BindingResult errors, Model model, String view) {
        show(form.withFilesAsText(), errors, model);
        return desk.form(model, view);
    }

    private String showAgain(MessageForm form, BindingResult errors, Versioned<Message> message, Model model) {
        show(form.withFilesAsText(), errors, model);
        return change(message, model);
    }

    /** Keeps the errors, and shows them on the form that holds what was uploaded. */
    private static void show(MessageForm form, BindingResult errors, Model model) {
        BeanPropertyBindingResult shown = new BeanPropertyBindingResult(form, "form");
        errors.getFieldErrors().forEach(error -> shown.rejectValue(error.getField(), "refused", said(error)));
        errors.getGlobalErrors().forEach(error -> shown.reject("refused", said(error)));
        model.addAttribute("form", form);
        model.addAttribute(BindingResult.MODEL_KEY_PREFIX + "form", shown);
    }

    private static String said(ObjectError error) {
        return String.valueOf(error.getDefaultMessage());
    }

    private static void showCurrent(MessageForm form, Message current, BindingResult errors) {
        if (!current.subject().equals(form.subject())) {
            errors.rejectValue("subject", "current", "Current value: " + current.subject());
        }
        if (!current.list().value().equals(form.list())) {
            errors.rejectValue("list", "current", "Current value: " + current.list());
        }
        MessageForm stored = MessageForm.of(current, new Bodies("", ""), false);
        if (!(stored.date() + stored.time()).equals(form.date() + form.time())) {
            errors.rejectValue("date", "current", "Current value: " + stored.date() + " " + stored.time());
        }
        errors.reject("conflict", CONFLICT);
    }

    private String change(Versioned<Message> message, Model model) {
        model.addAttribute("message", message.value());
        model.addAttribute("etag", message.etag());
        return desk.form(model, "message/edit");
    }
}
