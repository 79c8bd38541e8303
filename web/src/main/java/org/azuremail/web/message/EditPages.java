package org.azuremail.web.message;

import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.message.Hold;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.NotHere;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** A message that is changed. */
@Controller
class EditPages {

    private static final String NOT_PENDING = "Message can't be edited because it isn't in Pending status.";

    private final Messages messages;
    private final MessageDesk desk;

    EditPages(Messages messages, MessageDesk desk) {
        this.messages = messages;
        this.desk = desk;
    }

    @GetMapping("/messages/{ref}/edit")
    String formForChange(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        Optional<Versioned<Message>> current = messages.findActive(ref);
        if (current.isEmpty() || !current.get().value().contentEditable()) {
            return desk.refused(message, NOT_PENDING, model);
        }
        Bodies bodies = messages.bodies(message).orElse(new Bodies("", ""));
        model.addAttribute("form", MessageForm.of(current.get().value(), bodies, desk.undated(message)));
        return change(current.get(), model);
    }

    @PostMapping("/messages/{ref}/edit")
    String save(
            @PathVariable MessageRef ref,
            @ModelAttribute("form") MessageForm form,
            BindingResult errors,
            @RequestParam String etag,
            @RequestParam(defaultValue = "store") String act,
            Model model) {
        Message stored = desk.require(ref);
        boolean asDraft = "draft".equals(act);
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
                        form.onUnknown() == null ? stored.onUnknown() : form.onUnknownChoice(),
                        hold(stored, schedule.get(), asDraft)));
        if (editing instanceof Messages.Editing.Edited edited) {
            return "redirect:/messages/" + ref + next(edited.message().value(), asDraft);
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

    /** What would go out at once is asked about once more, and is a draft until somebody says yes. */
    private Hold hold(Message stored, Schedule schedule, boolean asDraft) {
        if (asDraft || !schedule.due().isAfter(desk.now())) {
            return Hold.DRAFT;
        }
        return desk.draft(stored) ? Hold.AT_ITS_DATE : Hold.AS_IT_WAS;
    }

    private String next(Message saved, boolean asDraft) {
        boolean ask = !asDraft && desk.undated(saved);
        return ask ? "/send" : "?notice=message-saved";
    }

    private String showAgain(MessageForm form, BindingResult errors, Versioned<Message> message, Model model) {
        FormShownAgain.put(form, errors, model);
        return change(message, model);
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
        errors.reject("conflict");
    }

    private String change(Versioned<Message> message, Model model) {
        model.addAttribute("message", message.value());
        model.addAttribute("etag", message.etag());
        model.addAttribute("draft", desk.draft(message.value()));
        return desk.form(model, "message/edit");
    }
}
