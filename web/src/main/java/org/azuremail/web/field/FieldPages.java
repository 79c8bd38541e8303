package org.azuremail.web.field;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.index.FieldIndex;
import org.azuremail.subscription.index.IndexState;
import org.azuremail.subscription.index.MisfitCounter;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriUtils;

/**
 * The pages that show the fields of a list with the state of their index, and create, change and delete fields. Before
 * a change that some values may not fit, those values are counted.
 */
@Controller
@RequestMapping("/fields")
record FieldPages(ListStore lists, FieldStore fields, FieldIndex index, FieldUses uses, SubscriptionStore subscribers) {

    @ModelAttribute("types")
    List<FieldType> types() {
        return List.of(FieldType.values());
    }

    @GetMapping
    String all(@RequestParam @Nullable ListName list, Model model) {
        List<MailingList> all = lists.all();
        model.addAttribute("lists", all);
        Optional<MailingList> chosen = list == null ? all.stream().findFirst() : Optional.of(require(list));
        chosen.ifPresent(shown -> show(shown, model));
        return "field/all";
    }

    @GetMapping("/index")
    String progress(@RequestParam ListName list, Model model) {
        show(require(list), model);
        return "field/all :: table";
    }

    private void show(MailingList list, Model model) {
        model.addAttribute("list", list);
        model.addAttribute("fields", fields.of(list).fields());
        IndexState state = index.state(list.name());
        model.addAttribute("index", state);
        index.job(state).ifPresent(job -> model.addAttribute("job", job));
        model.addAttribute("outdated", index.outdated(list));
        model.addAttribute("total", subscribers.counts(list).total());
    }

    @PostMapping("/index")
    String again(@RequestParam ListName list, Principal admin) {
        index.reindex(require(list), admin.getName());
        return Notice.done("fields-again").on(page(list));
    }

    @GetMapping("/new")
    String formForNew(@RequestParam ListName list, Model model) {
        model.addAttribute("form", FieldForm.EMPTY);
        return forNew(require(list), model);
    }

    @PostMapping("/new")
    String add(
            @RequestParam ListName list,
            @RequestParam String etag,
            @ModelAttribute("form") FieldForm form,
            BindingResult errors,
            Model model) {
        MailingList found = require(list);
        ListFields present = fields.of(found);
        Optional<Field> field = form.toNew(present, errors);
        if (field.isPresent() && saved(found, present.with(field.get()), etag, errors)) {
            return Notice.done("field-added", field.get().label()).on(page(list));
        }
        return forNew(found, model);
    }

    @GetMapping("/edit")
    String formForChange(@RequestParam ListName list, @RequestParam String field, Model model) {
        MailingList found = require(list);
        Field stored = require(found, field);
        model.addAttribute("form", FieldForm.of(stored));
        return forChange(found, stored, model);
    }

    @PostMapping("/edit")
    String save(
            @RequestParam ListName list,
            @RequestParam String field,
            @RequestParam String etag,
            @ModelAttribute("form") FieldForm form,
            BindingResult errors,
            Model model) {
        MailingList found = require(list);
        Field stored = require(found, field);
        Optional<Field> changed = form.toChanged(stored, errors);
        if (changed.isPresent() && !stored.isCompatibleWith(changed.get())) {
            index.count(found, changed.get());
            return "redirect:" + checkPage(list, etag);
        }
        if (changed.isPresent() && saved(found, fields.of(found).with(changed.get()), etag, errors)) {
            return Notice.done("field-saved", changed.get().label()).on(page(list));
        }
        return forChange(found, stored, model);
    }

    /**
     * Shows the number of values that would not fit.
     *
     * @param etag the ETag of the fields from which the form was filled
     */
    @GetMapping("/check")
    String check(@RequestParam ListName list, @RequestParam @Nullable String etag, Model model) {
        return showCheck(require(list), etag, model);
    }

    @GetMapping("/check/progress")
    String checkProgress(@RequestParam ListName list, @RequestParam String etag, Model model) {
        return showCheck(require(list), etag, model) + " :: count";
    }

    @PostMapping("/check")
    String apply(@RequestParam ListName list, @RequestParam String seen, @RequestParam String etag) {
        MailingList found = require(list);
        Field changed = fit(found).field();
        require(found, changed.name());
        if (!FieldStore.json(changed).equals(seen)) {
            return Notice.problem("field-other-check", changed.label()).on(checkPage(list, etag));
        }
        boolean done =
                index.save(found, fields.of(found).with(changed), etag) instanceof FieldStore.FieldSaveResult.Done;
        return (done ? Notice.done("field-saved", changed.label()) : Notice.problem("field-not-saved", changed.label()))
                .on(page(list));
    }

    private static String checkPage(ListName list, String etag) {
        return "/fields/check?list=" + list + "&etag=" + UriUtils.encode(etag, StandardCharsets.UTF_8);
    }

    private String showCheck(MailingList list, @Nullable String etag, Model model) {
        MisfitCounter.MisfitCount misfits = fit(list);
        Versioned<ListFields> now = fields.find(list);
        model.addAttribute("list", list);
        model.addAttribute("etag", etag == null ? now.etag() : etag);
        model.addAttribute("fit", misfits);
        model.addAttribute("seen", FieldStore.json(misfits.field()));
        model.addAttribute("stored", require(list, misfits.field().name()));
        model.addAttribute("total", subscribers.counts(list).total());
        model.addAttribute(
                "broken",
                uses.brokenBy(list.name(), misfits.field().name(), now.value().with(misfits.field())));
        return "field/check";
    }

    private MisfitCounter.MisfitCount fit(MailingList list) {
        return index.fits()
                .find(list.name())
                .orElseThrow(
                        () -> new PageNotFoundException("no-field", list.name().value()));
    }

    @GetMapping("/delete")
    String askToDelete(@RequestParam ListName list, @RequestParam String field, Model model) {
        MailingList found = require(list);
        Field stored = require(found, field);
        Question question = new Question("delete-field", "/fields/delete", page(list))
                .about(stored.label(), list.value())
                .with("list", list.value())
                .with("field", stored.name());
        ListFields left = fields.of(found).without(field);
        for (var broken : uses.brokenBy(list, field, left).entrySet()) {
            question = question.showing("broken-" + broken.getKey(), broken.getValue());
        }
        return question.ask(model, "fields");
    }

    @PostMapping("/delete")
    String delete(@RequestParam ListName list, @RequestParam String field) {
        MailingList found = require(list);
        Versioned<ListFields> now = fields.find(found);
        Optional<Field> stored =
                now.value().find(field).filter(one -> !one.name().equals(Field.NAME));
        boolean done = stored.isEmpty()
                || index.save(found, now.value().without(field), now.etag()) instanceof FieldStore.FieldSaveResult.Done;
        String label = stored.map(Field::label).orElse(field);
        return (done ? Notice.done("field-deleted", label) : Notice.problem("field-not-saved", label)).on(page(list));
    }

    private boolean saved(MailingList list, ListFields changed, String etag, Errors errors) {
        FieldStore.FieldSaveResult result = index.save(list, changed, etag);
        if (result instanceof FieldStore.FieldSaveResult.TooMuch) {
            errors.reject(
                    "error.field.too-many", new Object[] {MailingList.MAX_ATTRIBUTES, ListFields.MAX_SEARCHABLE}, null);
        } else if (result instanceof FieldStore.FieldSaveResult.BeingRemoved removed) {
            FormErrors.reject(errors, "fieldName", "error.field.being-removed", removed.name());
        } else if (result instanceof FieldStore.FieldSaveResult.Conflict) {
            errors.reject("error.field.conflict");
        }
        return result instanceof FieldStore.FieldSaveResult.Done;
    }

    private String forNew(MailingList list, Model model) {
        model.addAttribute("list", list);
        model.addAttribute("etag", fields.find(list).etag());
        return "field/new";
    }

    private String forChange(MailingList list, Field stored, Model model) {
        model.addAttribute("list", list);
        model.addAttribute("stored", stored);
        model.addAttribute("etag", fields.find(list).etag());
        return "field/edit";
    }

    private static String page(ListName list) {
        return "/fields?list=" + list;
    }

    private MailingList require(ListName list) {
        return lists.findValue(list).orElseThrow(() -> new PageNotFoundException("no-list", list.value()));
    }

    private Field require(MailingList list, String name) {
        return fields.of(list).find(name).orElseThrow(() -> new PageNotFoundException("no-field", name));
    }
}
