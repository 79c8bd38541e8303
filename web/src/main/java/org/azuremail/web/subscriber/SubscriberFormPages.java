package org.azuremail.web.subscriber;

import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.edit.EditResult;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.subscriber.SubscriberChanges.Saving;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** A new subscriber, or a changed one. Neither mails anybody. */
@Controller
class SubscriberFormPages {

    private final SubscriberDesk desk;
    private final Subscriptions subscriptions;
    private final SubscriberChanges changes;

    SubscriberFormPages(SubscriberDesk desk, Subscriptions subscriptions, SubscriberChanges changes) {
        this.changes = changes;
        this.desk = desk;
        this.subscriptions = subscriptions;
    }

    @GetMapping("/subscribers/new")
    String formForNew(@RequestParam ListName list, Model model) {
        model.addAttribute("form", new SubscriberForm("", "", false, null, false));
        return forNew(desk.require(list), Map.of(), model);
    }

    @PostMapping("/subscribers/new")
    String add(
            @RequestParam ListName list,
            @ModelAttribute("form") SubscriberForm form,
            BindingResult errors,
            @RequestParam MultiValueMap<String, String> sent,
            Principal me,
            Model model) {
        MailingList found = desk.require(list);
        Map<String, String> attributes = SubscriberForm.attributes(found, sent);
        Optional<EmailAddress> address = form.address(errors);
        Optional<Profile> profile = form.profile(attributes, errors);
        if (address.isEmpty() || profile.isEmpty()) {
            return forNew(found, attributes, model);
        }
        EditResult result = subscriptions.adminAdd(
                list, address.get(), profile.get(), Boolean.TRUE.equals(form.verified()), Origin.admin(me.getName()));
        if (result instanceof EditResult.Saved) {
            String notice = address.get().needsSmtpUtf8() ? "subscriber-added-utf" : "subscriber-added";
            return "redirect:" + desk.details(list, address.get(), notice);
        }
        tell(result, list, form, errors);
        return forNew(found, attributes, model);
    }

    @GetMapping("/subscribers/edit")
    String formForChange(@RequestParam ListName list, @RequestParam String email, Model model) {
        Versioned<Subscriber> subscriber = desk.require(list, email);
        model.addAttribute("form", SubscriberForm.of(subscriber.value()));
        return forChange(subscriber, subscriber.value().profile().attributes(), model);
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
        Versioned<Subscriber> stored = desk.require(list, was);
        Map<String, String> attributes = SubscriberForm.attributes(desk.require(list), sent);
        Versioned<Subscriber> seen = new Versioned<>(stored.value(), etag);
        Optional<ListName> target = form.target(list, errors);
        Optional<EmailAddress> address = form.address(errors);
        Optional<Profile> profile = form.profile(attributes, errors);
        Optional<String> left = Withdrawal.of(stored.value()).filter(gone -> Boolean.TRUE.equals(form.verified()));
        if (left.isPresent() && !Boolean.TRUE.equals(form.again())) {
            errors.rejectValue("again", "left", left.get() + " Subscribe again only if you have their word for it.");
        }
        if (target.isEmpty() || address.isEmpty() || profile.isEmpty() || errors.hasErrors()) {
            return forChange(seen, attributes, model);
        }
        Origin origin = left.map(gone -> Withdrawal.undoneBy(Origin.admin(me.getName()), gone))
                .orElse(Origin.admin(me.getName()));
        Membership wanted = new Membership(target.get(), address.get());
        Optional<Membership> gone =
                stored.value().movedTo().filter(to -> !stored.etag().equals(etag));
        if (gone.isPresent() && !gone.get().same(wanted)) {
            errors.reject("moved", "This subscriber was moved meanwhile: " + gone.get() + ". Nothing was saved.");
            return forChange(seen, attributes, model);
        }
        Saving saving = gone.isPresent()
                ? new Saving(new EditResult.Saved(stored), seen)
                : changes.save(
                        seen,
                        new SubscriberChanges.Wanted(wanted, profile.get(), Boolean.TRUE.equals(form.verified())),
                        origin);
        if (saving.result() instanceof EditResult.Saved) {
            String notice = wanted.list().equals(list) ? "subscriber-saved" : "subscriber-moved";
            return "redirect:" + desk.details(wanted.list(), wanted.address(), notice);
        }
        tell(saving.result(), list, form, errors);
        return forChange(current(saving.result()).orElse(saving.next()), attributes, model);
    }

    private void tell(EditResult result, ListName list, SubscriberForm form, Errors errors) {
        if (result instanceof EditResult.AlreadyThere there) {
            Subscriber current = there.current().value();
            errors.rejectValue(current.list().equals(list) ? "email" : "target", "exists", alreadyThere(current, list));
        } else if (result instanceof EditResult.NoSuchList no && !no.list().equals(list)) {
            errors.rejectValue(
                    "target", "gone", "The list " + no.list() + " is gone, or it is being deleted. Nothing was saved.");
        } else if (result instanceof EditResult.NotPossible not) {
            errors.reject("refused", not.reason());
        } else if (result instanceof EditResult.Conflict conflict) {
            showCurrent(form, conflict.current().value(), errors);
        } else if (result instanceof EditResult.NoSuchList no) {
            errors.reject("gone", "The list " + no.list() + " is gone, or it is being deleted. Nothing was saved.");
        } else {
            throw desk.gone(String.valueOf(form.email()));
        }
    }

    private static String alreadyThere(Subscriber subscriber, ListName own) {
        String list = subscriber.list().equals(own) ? "the list" : "the list " + subscriber.list();
        Optional<String> moved =
                subscriber.movedTo().map(to -> "This address was on " + list + " and moved: " + to + ".");
        return moved.orElseGet(() -> subscriber.state() == SubscriberState.UNSUBSCRIBED
                ? "This person was on " + list
                        + " and left. They come back by themselves, or when you open them there, "
                        + "choose Edit and say that you have their word for it."
                : "This address is on " + list + " already ("
                        + subscriber.state().stored() + ").");
    }

    private static void showCurrent(SubscriberForm form, Subscriber current, Errors errors) {
        if (!current.profile().name().equals(form.name())) {
            errors.rejectValue(
                    "name", "current", "Current value: " + current.profile().name());
        }
        if (current.verified() != Boolean.TRUE.equals(form.verified())) {
            errors.rejectValue("verified", "current", "Current value: " + (current.verified() ? "yes" : "no"));
        }
        errors.reject("conflict");
    }

    private static Optional<Versioned<Subscriber>> current(@Nullable EditResult result) {
        if (result instanceof EditResult.Conflict conflict) {
            return Optional.of(conflict.current());
        }
        return result instanceof EditResult.NotPossible not ? Optional.of(not.current()) : Optional.empty();
    }

    private static String forNew(MailingList list, Map<String, String> attributes, Model model) {
        model.addAttribute("list", list);
        model.addAttribute("attributes", attributes);
        return "subscriber/new";
    }

    private String forChange(Versioned<Subscriber> subscriber, Map<String, String> attributes, Model model) {
        model.addAttribute("list", desk.require(subscriber.value().list()));
        model.addAttribute("left", Withdrawal.of(subscriber.value()).orElse(null));
        model.addAttribute("choices", desk.choices(subscriber.value().list()));
        model.addAttribute("subscriber", subscriber.value());
        model.addAttribute("etag", subscriber.etag());
        model.addAttribute("attributes", attributes);
        return "subscriber/edit";
    }
}
