package org.azuremail.web.gallery;

import static org.azuremail.web.layout.FormErrors.text;

import java.util.List;
import java.util.Optional;
import org.azuremail.gallery.Gallery;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.gallery.Mjml;
import org.azuremail.gallery.Mjml.MjmlFault;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.MailFrame;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of message templates: the shipped ones, which can be viewed and copied, and the organisation's own. */
@Controller
record GalleryPages(Gallery gallery, ListStore lists, GalleryPreview preview) {

    private static final String SECTION = "templates";

    /** Returns the lists that may have templates of their own. */
    @ModelAttribute("lists")
    List<MailingList> owners() {
        return lists.active();
    }

    @GetMapping("/templates")
    String all(@RequestParam(defaultValue = "") String list, Model model) {
        Optional<ListName> owner = ListName.parse(list);
        model.addAttribute("owner", owner.map(ListName::value).orElse(""));
        model.addAttribute("shipped", Gallery.shipped());
        model.addAttribute("ours", gallery.stored(null));
        model.addAttribute("own", owner.map(gallery::stored).orElse(List.of()));
        return "gallery/all";
    }

    @GetMapping("/templates/{name}/preview.html")
    ResponseEntity<String> show(@PathVariable String name, @RequestParam(defaultValue = "") String list) {
        Optional<ListName> owner = ListName.parse(list);
        return gallery.find(name, owner.orElse(null))
                .map(found -> MailFrame.of(preview.html(found.mjml(), owner)))
                .orElseThrow(() -> new PageNotFoundException("no-message-template", name));
    }

    /** Shows a preview of a template as it is typed. Saves nothing. */
    @PostMapping("/templates/preview.html")
    ResponseEntity<String> typed(Form form, BindingResult errors, @RequestParam(defaultValue = "false") boolean dark) {
        Mjml typed = form.typed();
        return MailFrame.of(
                typed.fault().map(preview::refused).orElseGet(() -> preview.html(typed, form.owner())), dark);
    }

    /** @param from the name of the template that is copied */
    @GetMapping("/templates/new")
    String formForNew(
            @RequestParam(defaultValue = "letter") String from,
            @RequestParam(defaultValue = "") String list,
            Model model) {
        MessageTemplate copied = gallery.find(from, ListName.parse(list).orElse(null))
                .orElseThrow(() -> new PageNotFoundException("no-message-template", from));
        model.addAttribute(
                "form",
                new Form(
                        copied.shipped() ? "my-" + from : "",
                        list,
                        copied.mjml().text()));
        model.addAttribute("shown", from);
        return edit(null, "", model);
    }

    @PostMapping("/templates/new")
    String create(Form form, BindingResult errors, Model model) {
        Optional<MessageTemplate> template = form.read(errors);
        if (template.isPresent() && gallery.stored(template.get().list()).size() >= Gallery.MAX) {
            errors.reject("error.gallery.most", new Object[] {Gallery.MAX}, null);
        } else if (template.isPresent() && !(save(template.get(), null) instanceof Saved.Done)) {
            errors.rejectValue("name", "error.gallery.name-taken");
        }
        return errors.hasErrors() ? edit(null, "", model) : saved(template.orElseThrow());
    }

    /** @throws PageNotFoundException if the template is for a list that does not exist */
    private Saved<MessageTemplate> save(MessageTemplate template, @Nullable String etag) {
        ListName list = template.list();
        return list == null
                ? gallery.save(template, etag)
                : lists.findActive(list)
                        .map(owner -> gallery.save(owner, template, etag))
                        .orElseThrow(() -> new PageNotFoundException("no-list", list));
    }

    private static String saved(MessageTemplate template) {
        return Notice.done("gallery-saved", template.name()).on(address(template.list()));
    }

    private static String address(@Nullable ListName list) {
        return list == null ? "/templates" : "/templates?list=" + list;
    }

    private static String edit(@Nullable String name, String etag, Model model) {
        model.addAttribute("name", name);
        model.asMap().putIfAbsent("shown", name);
        model.addAttribute("etag", etag);
        model.addAttribute("fields", GalleryPreview.FIELDS);
        return "gallery/edit";
    }

    @GetMapping("/templates/{name}/edit")
    String formForChange(@PathVariable String name, @RequestParam(defaultValue = "") String list, Model model) {
        Versioned<MessageTemplate> stored = require(name, list);
        model.addAttribute("form", new Form(name, list, stored.value().mjml().text()));
        return edit(name, stored.etag(), model);
    }

    @PostMapping("/templates/{name}/edit")
    String save(@PathVariable String name, Form form, BindingResult errors, @RequestParam String etag, Model model) {
        Optional<MessageTemplate> template = form.read(errors);
        if (template.isEmpty()) {
            return edit(name, etag, model);
        }
        Saved<MessageTemplate> saved = save(template.get(), etag);
        if (saved instanceof Saved.Conflict<MessageTemplate> conflict) {
            errors.reject("conflict");
            model.addAttribute("theirs", conflict.current().value().mjml().text());
            return edit(name, conflict.current().etag(), model);
        }
        if (saved instanceof Saved.Missing) {
            throw new PageNotFoundException("no-message-template", name);
        }
        return saved(template.get());
    }

    @GetMapping("/templates/{name}/delete")
    String askToDelete(@PathVariable String name, @RequestParam(defaultValue = "") String list, Model model) {
        Versioned<MessageTemplate> stored = require(name, list);
        return new Question(
                        "delete-template",
                        "/templates/" + name + "/delete",
                        address(stored.value().list()))
                .about(name)
                .with("list", list)
                .with("etag", stored.etag())
                .ask(model, SECTION);
    }

    @PostMapping("/templates/{name}/delete")
    String delete(@PathVariable String name, @RequestParam(defaultValue = "") String list, @RequestParam String etag) {
        Versioned<MessageTemplate> stored = require(name, list);
        Notice notice = gallery.delete(new Versioned<>(stored.value(), etag))
                ? Notice.done("gallery-deleted", name)
                : Notice.problem("gallery-changed", name);
        return notice.on(address(stored.value().list()));
    }

    private Versioned<MessageTemplate> require(String name, String list) {
        return gallery.stored(ListName.parse(list).orElse(null), name)
                .orElseThrow(() -> new PageNotFoundException("no-message-template", name));
    }

    /**
     * A template as typed.
     *
     * @param list the list that owns the template; empty for a template that all lists may use
     */
    record Form(
            @Nullable String name,
            @Nullable String list,
            @Nullable String mjml) {

        Optional<ListName> owner() {
            return ListName.parse(text(list));
        }

        Mjml typed() {
            return new Mjml(text(mjml).replace("\r\n", "\n"));
        }

        /** Returns the line of the fault of the template, from 1; 0 without a fault that has a place. */
        public int faultLine() {
            return typed().fault().map(MjmlFault::line).orElse(0);
        }

        /** Returns the template that was typed; empty when it has errors, which are reported at their fields. */
        Optional<MessageTemplate> read(Errors errors) {
            Optional<String> parsed = MessageTemplate.name(text(name));
            if (parsed.isEmpty()) {
                errors.rejectValue("name", "error.gallery.name");
            } else if (Gallery.isShipped(parsed.get())) {
                errors.rejectValue("name", "error.gallery.name-shipped");
            }
            typed().fault()
                    .ifPresent(fault -> errors.rejectValue(
                            "mjml", "reason." + fault.code(), fault.values().toArray(), null));
            return errors.hasErrors()
                    ? Optional.empty()
                    : parsed.map(known -> new MessageTemplate(known, owner().orElse(null), typed(), false));
        }
    }
}
