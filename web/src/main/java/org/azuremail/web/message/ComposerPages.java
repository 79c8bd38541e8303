package org.azuremail.web.message;

import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.content.Layout.Source;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.MailingList;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.MessageEditResult;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Moments;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.message.ComposerView.ComposerContext;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The pages on which a message is written in steps: first the content, then the recipients and the time. Each step is
 * saved before the author goes to another, and a draft also while the author types.
 */
@Controller
record ComposerPages(
        Messages messages, MessagePageSupport support, MessageSaving saving, ComposerView view, AudiencePeople people) {

    private static final String NOT_PENDING = "error.message.not-pending";

    /** The fields in the order of the page, so that the summary links to them from top to bottom. */
    private static final List<String> FIELDS = List.of(
            "list",
            "subject",
            "preview",
            "template",
            "htmlTemplate",
            "markdown",
            "htmlFile",
            "html",
            "textFile",
            "text",
            "when",
            "date",
            "time",
            "zone",
            "mailClass",
            "onUnknown");

    private enum Action {
        /** Saves the message while the author types. The answer is a line that confirms it. */
        SAVE,
        /** Goes to the next step if this one has no errors. */
        NEXT,
        CONTENT,
        RECIPIENTS,
        REVIEW,
        /** Leaves the composer for the page of the message. */
        DRAFT
    }

    @GetMapping("/messages/new")
    String formForNew(
            @RequestParam @Nullable String list,
            @CookieValue(name = EditorCookie.NAME, defaultValue = MessageForm.BLOCKS) String editor,
            Model model) {
        List<MailingList> all = support.lists().active();
        if (all.isEmpty()) {
            return "redirect:/messages";
        }
        String chosen = list == null && all.size() == 1 ? all.get(0).name().value() : list;
        return view.content(
                new ComposerContext(messages.nextRef(), null, "", false),
                MessageForm.empty(chosen, editor),
                Reader.MADE_UP,
                model);
    }

    @GetMapping("/messages/{ref}/edit")
    String content(
            @PathVariable MessageRef ref,
            Reader reader,
            @CookieValue(name = EditorCookie.NAME, defaultValue = MessageForm.BLOCKS) String editor,
            Model model) {
        return step(ref, model, stored -> {
            Message now = stored.value();
            Bodies bodies = messages.bodies(now).orElse(new Bodies("", ""));
            MessageForm form = MessageForm.content(now, bodies, messages.source(now), editor);
            return view.content(ComposerContext.of(stored), form, reader, model);
        });
    }

    @GetMapping("/messages/{ref}/edit/recipients")
    String recipients(@PathVariable MessageRef ref, Model model) {
        return step(ref, model, stored -> {
            MessageForm form = MessageForm.recipients(stored.value(), support.undated(stored.value()));
            return view.recipients(ComposerContext.of(stored), form, model);
        });
    }

    private String step(MessageRef ref, Model model, Function<Versioned<Message>, String> page) {
        Message message = support.require(ref);
        return messages.findActive(ref)
                .filter(current -> current.value().contentEditable())
                .map(page)
                .orElseGet(() -> support.refused(message, NOT_PENDING, model));
    }

    @PostMapping("/messages/{ref}/edit")
    String save(
            @PathVariable MessageRef ref,
            @ModelAttribute("form") MessageForm typed,
            BindingResult errors,
            @RequestParam MultiValueMap<String, String> sent,
            @RequestParam(defaultValue = "") String etag,
            @RequestParam(defaultValue = "NEXT") Action act,
            Reader reader,
            @RequestParam @Nullable String htmlShown,
            Principal me,
            HttpServletResponse response,
            Model model) {
        MessageForm form = typed.withBlocks(sent);
        BlockFields.of(sent).ifPresent(blocks -> model.addAttribute("blocks", blocks));
        Optional<Schedule> schedule = schedule(form, errors);
        if (form.hasTime() && form.list() != null && form.audience().isEmpty()) {
            FormErrors.reject(errors, "list", "error.message.audience", Audience.MAX_LISTS);
        }
        checkClass(ref, form, errors);
        FormErrors.file(errors, "htmlFile", form.htmlFile());
        FormErrors.file(errors, "textFile", form.textFile());
        Message before = messages.find(ref).orElse(null);
        ComposerContext context = new ComposerContext(ref, before, etag, true);
        if (errors.hasErrors()) {
            return refused(context, form, errors, act, reader, model);
        }
        boolean wasDraft = before == null || support.draft(before);
        MessageEditResult saved = saving.save(ref, etag, form, schedule.orElse(null), me.getName());
        if (saved instanceof MessageEditResult.Edited done) {
            EditorCookie.remember(form, response);
            return act == Action.SAVE
                    ? showSaved(done.message(), model)
                    : next(form, wasDraft, htmlShown, done.message(), act, reader);
        }
        if (saved instanceof MessageEditResult.NotEditable) {
            return support.refused(support.require(ref), NOT_PENDING, model);
        }
        if (saved instanceof MessageEditResult.Refused no) {
            no.problems().forEach(problem -> form.report(problem, errors));
            return refused(context, form, errors, act, reader, model);
        }
        if (saved instanceof MessageEditResult.Conflict conflict) {
            return conflict(conflict.current(), form, errors, act, reader, response, model);
        }
        errors.reject("error.message.deleted");
        return refused(new ComposerContext(messages.nextRef(), null, "", true), form, errors, act, reader, model);
    }

    /** Shows the chosen time in the zone of the installation, while it is being chosen. */
    @PostMapping("/messages/time")
    String time(@ModelAttribute("form") MessageForm form, BindingResult errors, Model model) {
        form.schedule(support.settings().zone(), support.now(), errors)
                .ifPresent(schedule -> ComposerView.time(form, schedule, model));
        return "message/time :: time";
    }

    /** Shows how many people would get the message, and the lists that can be added, while lists are being chosen. */
    @PostMapping("/messages/people")
    String people(@ModelAttribute("form") MessageForm form, BindingResult errors, Model model) {
        form.audience().ifPresent(audience -> model.addAttribute("people", people.of(audience)));
        model.addAttribute("classByPlan", view.planClass(form));
        model.addAttribute("lists", support.lists().active());
        return "message/also :: swapped";
    }

    private Optional<Schedule> schedule(MessageForm form, BindingResult errors) {
        return form.hasTime() ? form.schedule(support.settings().zone(), support.now(), errors) : Optional.empty();
    }

    /** Checks the class. A class that the settings do not have any more stays until an admin chooses another. */
    private void checkClass(MessageRef ref, MessageForm form, BindingResult errors) {
        Optional<String> unknown = view.unknownClass(form);
        if (unknown.isPresent() && !unknown.equals(messages.find(ref).map(Message::mailClass))) {
            FormErrors.reject(
                    errors,
                    "mailClass",
                    "error.message.class",
                    support.classes().names());
        }
    }

    private String showSaved(Versioned<Message> saved, Model model) {
        model.addAttribute("etag", saved.etag());
        model.addAttribute("savedAt", support.now());
        return "message/saved :: saved";
    }

    private String next(
            MessageForm form,
            boolean wasDraft,
            @Nullable String htmlShown,
            Versioned<Message> saved,
            Action act,
            Reader reader) {
        Message message = saved.value();
        String page = "/messages/" + message.ref();
        boolean draft = support.draft(message);
        String to =
                switch (act) {
                    case CONTENT -> page + "/edit" + reader.query();
                    case RECIPIENTS -> page + "/edit/recipients";
                    case REVIEW -> page + "/review";
                    case DRAFT -> page;
                    default -> !draft ? page : form.hasContent() ? page + "/edit/recipients" : page + "/review";
                };
        Optional<String> skipped =
                form.hasTime() ? form.skippedTime(message.schedule().zone()).map(Moments::local) : Optional.empty();
        if (skipped.isPresent()) {
            return Notice.info(
                            "message-time-moved",
                            skipped.get(),
                            Moments.local(message.schedule().local()))
                    .on(to);
        }
        if (draft && !wasDraft) {
            return Notice.info("message-back-to-draft").on(to);
        }
        String unused = form.leftOut(htmlShown);
        if (unused != null) {
            return Notice.info("html".equals(unused) ? "message-html-left-out" : "message-markdown-left-out")
                    .on(to);
        }
        return to.equals(page)
                ? Notice.done(draft ? "message-drafted" : "message-saved").on(to)
                : "redirect:" + to;
    }

    private String refused(
            ComposerContext context, MessageForm form, BindingResult errors, Action act, Reader reader, Model model) {
        MessageForm shown = showAgain(form, errors, model);
        if (act == Action.SAVE) {
            model.addAttribute("problems", errors.getAllErrors());
            return "message/saved :: saved";
        }
        return form.hasContent() ? view.content(context, shown, reader, model) : view.recipients(context, shown, model);
    }

    private String conflict(
            Versioned<Message> current,
            MessageForm form,
            BindingResult errors,
            Action act,
            Reader reader,
            HttpServletResponse response,
            Model model) {
        response.setStatus(HttpStatus.CONFLICT.value());
        if (act == Action.SAVE) {
            model.addAttribute("conflict", true);
            return "message/saved :: saved";
        }
        Message now = current.value();
        if (form.list() != null) {
            FormErrors.current(
                    errors,
                    "list",
                    now.audience().withoutOccasion().stored(),
                    form.audience().map(Audience::stored).orElse(""));
        }
        if (form.hasContent()) {
            showCurrentContent(now, form.withFilesAsText(), errors, model);
        } else {
            showCurrentTime(now, form, errors);
        }
        errors.reject("conflict");
        return refused(new ComposerContext(now.ref(), now, current.etag(), true), form, errors, act, reader, model);
    }

    private void showCurrentContent(Message now, MessageForm form, BindingResult errors, Model model) {
        Bodies bodies = messages.bodies(now).orElse(new Bodies("", ""));
        Optional<Source> source = messages.source(now);
        MessageForm stored = MessageForm.content(now, bodies, source, MessageForm.BLOCKS);
        FormErrors.current(errors, "subject", now.subject(), form.subject());
        FormErrors.current(
                errors, "preview", stored.layout().preview(), form.layout().preview());
        String template = stored.layout().template();
        if (!template.equals(form.layout().template())) {
            String field = form.markdownWritten() == null ? "htmlTemplate" : "template";
            FormErrors.reject(errors, field, "current", MessageForm.templateName(template));
        }
        if (!MessageForm.mark(stored.text()).equals(MessageForm.mark(form.text()))) {
            FormErrors.reject(errors, "text", "current", FormErrors.text(stored.text()));
        }
        model.addAttribute("theirs", source.map(Source::written).orElse(bodies.html()));
    }

    private static void showCurrentTime(Message now, MessageForm form, BindingResult errors) {
        MessageForm stored = MessageForm.recipients(now, false);
        if (form.hasTime()) {
            FormErrors.current(
                    errors,
                    "mailClass",
                    FormErrors.text(stored.mailClass()),
                    form.mailClassChoice().orElse(""));
            FormErrors.current(errors, "date", stored.date() + " " + stored.time(), form.date() + " " + form.time());
            FormErrors.current(errors, "zone", FormErrors.text(stored.zone()), form.zone());
        }
        if (now.onUnknown() != form.onUnknownChoice()) {
            FormErrors.reject(
                    errors,
                    "onUnknown",
                    "current",
                    new DefaultMessageSourceResolvable("message.unknown." + AsciiWord.of(now.onUnknown())));
        }
    }

    /** Adds a form that contains the uploaded files to the model, with the errors, and returns it. */
    static MessageForm showAgain(MessageForm typed, BindingResult errors, Model model) {
        MessageForm form = typed.withFilesAsText();
        BeanPropertyBindingResult shown = new BeanPropertyBindingResult(form, "form");
        errors.getGlobalErrors().forEach(error -> shown.reject(String.valueOf(error.getCode())));
        errors.getFieldErrors().stream()
                .sorted(Comparator.comparingInt((FieldError error) -> FIELDS.indexOf(error.getField())))
                .forEach(error -> shown.rejectValue(
                        error.getField(), String.valueOf(error.getCode()), error.getArguments(), null));
        model.addAttribute("form", form);
        model.addAttribute(BindingResult.MODEL_KEY_PREFIX + "form", shown);
        return form;
    }
}
