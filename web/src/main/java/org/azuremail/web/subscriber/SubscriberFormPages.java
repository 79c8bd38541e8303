package org.azuremail.web.subscriber;

import java.security.Principal;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.field.Field;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.subscriber.SubscriberChanges.Saving;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages that add and change a subscriber. Neither sends an email. */
@Controller
record SubscriberFormPages(SubscriberPageSupport support, Subscriptions subscriptions, SubscriberChanges changes) {

    private static final ListFields.Checked NOTHING = new ListFields.Checked(Map.of(), Map.of());

    @GetMapping("/subscribers/new")
    String formForNew(@RequestParam ListName list, Model model) {
        model.addAttribute("form", new SubscriberForm("", "", false, null, false));
        return forNew(support.require(list), Map.of(), NOTHING, model);
    }

    @PostMapping("/subscribers/new")
    String add(
            @RequestParam ListName list,
            @ModelAttribute("form") SubscriberForm form,
            BindingResult errors,
            @RequestParam MultiValueMap<String, String> sent,
            Principal me,
            Model model) {
        MailingList found = support.require(list);
        ListFields fields = support.fields().of(found);
        Map<String, String> typed = SubscriberForm.typed(fields, sent);
        ListFields.Checked values = fields.check(typed);
        Optional<EmailAddress> address = form.address(errors);
        Optional<Profile> profile = form.profile(values, errors);
        if (address.isEmpty() || profile.isEmpty()) {
            return forNew(found, typed, values, model);
        }
        EditResult result = subscriptions.adminAdd(
                list, address.get(), profile.get(), Boolean.TRUE.equals(form.verified()), Origin.admin(me.getName()));
        if (result instanceof EditResult.Saved) {
            String notice = address.get().needsSmtpUtf8() ? "subscriber-added-utf" : "subscriber-added";
            return Notice.done(notice).on(SubscriberPageSupport.details(list, address.get()));
        }
        reportRefusal(result, list, form, errors);
        return forNew(found, typed, values, model);
    }

    @GetMapping("/subscribers/edit")
    String formForChange(@RequestParam ListName list, @RequestParam String email, Model model) {
        Versioned<Subscriber> subscriber = support.require(list, email);
        model.addAttribute("form", SubscriberForm.of(subscriber.value()));
        ListFields fields = support.fields().of(support.require(list));
        Map<String, String> stored = subscriber.value().profile().attributes();
        return forChange(subscriber, fields.plain(stored), NOTHING, model);
    }

    @PostMapping("/subscribers/edit")
    String save(
            @RequestParam ListName list,
            @RequestParam String was,
            @RequestParam String etag,
            @ModelAttribute("form") SubscriberForm form,
            BindingResult errors,
            @RequestParam MultiValueMap<String, String> sent,
            Principal me,
            Model model) {
        Versioned<Subscriber> stored = support.require(list, was);
        ListFields fields = support.fields().of(support.require(list));
        Map<String, String> typed = SubscriberForm.typed(fields, sent);
        Map<String, String> before = stored.value().profile().attributes();
        typed.replaceAll((name, value) -> Field.keepingLineBreaks(value, before.getOrDefault(name, "")));
        ListFields.Checked values = fields.check(typed);
        Versioned<Subscriber> seen = new Versioned<>(stored.value(), etag);
        Optional<ListName> target = form.target(list, errors);
        Optional<EmailAddress> address = form.address(errors);
        Optional<Profile> profile = form.profile(values, errors);
        Optional<Reason> left = Withdrawal.of(stored.value()).filter(gone -> Boolean.TRUE.equals(form.verified()));
        if (left.isPresent() && !Boolean.TRUE.equals(form.again())) {
            rejectAgain(left.get(), errors);
        }
        if (target.isEmpty() || address.isEmpty() || profile.isEmpty() || errors.hasErrors()) {
            return forChange(seen, typed, values, model);
        }
        Origin origin = left.map(gone -> Withdrawal.undoneBy(Origin.admin(me.getName()), gone))
                .orElse(Origin.admin(me.getName()));
        Membership wanted = new Membership(target.get(), address.get());
        Optional<Membership> gone =
                stored.value().movedTo().filter(to -> !stored.etag().equals(etag));
        if (gone.isPresent() && !gone.get().isSameSubscriber(wanted)) {
            errors.reject("error.subscriber.moved", new Object[] {gone.get().toString()}, null);
            return forChange(seen, typed, values, model);
        }
        Saving saving = gone.isPresent()
                ? new Saving(new EditResult.Saved(stored), seen)
                : changes.save(
                        seen,
                        new SubscriberChanges.Wanted(wanted, profile.get(), Boolean.TRUE.equals(form.verified())),
                        origin);
        if (saving.result() instanceof EditResult.Saved) {
            String notice = wanted.list().equals(list) ? "subscriber-saved" : "subscriber-moved";
            return Notice.done(notice).on(SubscriberPageSupport.details(wanted.list(), wanted.address()));
        }
        reportRefusal(saving.result(), list, form, errors);
        if (saving.result() instanceof EditResult.Conflict conflict) {
            model.addAttribute(
                    "theirs", theirs(fields, values, conflict.current().value()));
        }
        return forChange(current(saving.result()).orElse(saving.next()), typed, values, model);
    }

    private void reportRefusal(EditResult result, ListName list, SubscriberForm form, Errors errors) {
        if (result instanceof EditResult.AlreadyThere existing) {
            Subscriber current = existing.current().value();
            alreadyThere(current, current.list().equals(list) ? "email" : "target", errors);
        } else if (result instanceof EditResult.NoSuchList no && !no.list().equals(list)) {
            FormErrors.reject(errors, "target", "error.subscriber.list-gone", no.list());
        } else if (result instanceof EditResult.NotPossible not) {
            errors.reject("refused", not.reason().words());
        } else if (result instanceof EditResult.Conflict conflict) {
            showCurrent(form, conflict.current().value(), errors);
        } else if (result instanceof EditResult.NoSuchList no) {
            errors.reject("error.subscriber.list-gone", new Object[] {no.list()}, null);
        } else {
            throw support.gone(String.valueOf(form.email()));
        }
    }

    private void rejectAgain(Reason left, Errors errors) {
        FormErrors.reject(
                errors,
                "again",
                "error.subscriber.left",
                left.words(support.settings().zone()));
    }

    private static void alreadyThere(Subscriber subscriber, String field, Errors errors) {
        Optional<Membership> moved = subscriber.movedTo();
        boolean left = subscriber.state() == SubscriberState.UNSUBSCRIBED;
        String code = moved.isPresent() ? "there-moved" : left ? "there-left" : "there";
        Object detail = moved.<Object>map(Membership::toString)
                .orElse(subscriber.state().stored());
        FormErrors.reject(
                errors, field, "error.subscriber." + code, subscriber.list().value(), detail);
    }

    private static void showCurrent(SubscriberForm form, Subscriber current, Errors errors) {
        FormErrors.current(errors, "name", current.profile().name(), form.name());
        FormErrors.current(errors, "verified", current.verified(), Boolean.TRUE.equals(form.verified()));
        errors.reject("conflict");
    }

    /** Returns the values of the list's own fields that were saved meanwhile and differ from the typed ones. */
    private static Map<String, String> theirs(ListFields fields, ListFields.Checked typed, Subscriber current) {
        Map<String, String> stored = current.profile().attributes();
        Map<String, String> shown = fields.shown(stored, Locale.ENGLISH);
        return fields.customFields().stream()
                .map(Field::name)
                .filter(name ->
                        !stored.getOrDefault(name, "").equals(typed.stored().getOrDefault(name, "")))
                .collect(Collectors.toMap(name -> name, name -> shown.getOrDefault(name, "")));
    }

    private static Optional<Versioned<Subscriber>> current(EditResult result) {
        if (result instanceof EditResult.Conflict conflict) {
            return Optional.of(conflict.current());
        }
        return result instanceof EditResult.NotPossible not ? Optional.of(not.current()) : Optional.empty();
    }

    private String forNew(MailingList list, Map<String, String> typed, ListFields.Checked values, Model model) {
        model.addAttribute("list", list);
        show(list, typed, values, model);
        return "subscriber/new";
    }

    private String forChange(
            Versioned<Subscriber> subscriber, Map<String, String> typed, ListFields.Checked values, Model model) {
        MailingList list = support.require(subscriber.value().list());
        model.addAttribute("list", list);
        show(list, typed, values, model);
        model.addAttribute("left", Withdrawal.of(subscriber.value()).orElse(null));
        model.addAttribute("choices", support.choices(subscriber.value().list()));
        model.addAttribute("subscriber", subscriber.value());
        model.addAttribute("etag", subscriber.etag());
        return "subscriber/edit";
    }

    private void show(MailingList list, Map<String, String> typed, ListFields.Checked values, Model model) {
        ListFields fields = support.fields().of(list);
        model.addAttribute("fields", fields.customFields());
        model.addAttribute("typed", typed);
        model.addAttribute("misfits", fields.check(typed).refused().keySet());
        model.addAttribute("wrong", SubscriberForm.errors(values));
        model.asMap().putIfAbsent("theirs", Map.of());
        model.addAttribute(
                "months",
                Stream.of(Month.values())
                        .map(month -> month.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
                        .toList());
    }
}
