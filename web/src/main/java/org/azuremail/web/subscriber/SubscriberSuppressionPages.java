package org.azuremail.web.subscriber;

import java.security.Principal;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages on which an admin suppresses a person on one list, or releases them there (A72). */
@Controller
record SubscriberSuppressionPages(SubscriberPageSupport support, Subscriptions subscriptions) {

    private static final String SUPPRESS = "suppress";
    private static final String RELEASE = "release";

    record Form(@Nullable String why) {}

    @GetMapping("/subscribers/suppress")
    String askToSuppress(@RequestParam ListName list, @RequestParam String email, Model model) {
        return form(SUPPRESS, list, email, model);
    }

    @GetMapping("/subscribers/release")
    String askToRelease(@RequestParam ListName list, @RequestParam String email, Model model) {
        requireSuppressed(list, email);
        return form(RELEASE, list, email, model);
    }

    private void requireSuppressed(ListName list, String email) {
        if (support.require(list, email).value().state() != SubscriberState.SUPPRESSED) {
            throw new PageNotFoundException("no-suppression", email);
        }
    }

    private String form(String code, ListName list, String email, Model model) {
        model.asMap().putIfAbsent("form", new Form(""));
        model.addAttribute("code", code);
        model.addAttribute("list", list.value());
        model.addAttribute("email", address(list, email).value());
        return "subscriber/suppress";
    }

    @PostMapping("/subscribers/suppress")
    String suppress(
            @RequestParam ListName list,
            @RequestParam String email,
            @ModelAttribute("form") Form form,
            BindingResult errors,
            Principal me,
            Model model) {
        Origin by = by(me, form, errors);
        return errors.hasErrors()
                ? form(SUPPRESS, list, email, model)
                : done("subscriber-suppressed", list, email, subscriptions.suppress(list, address(list, email), by));
    }

    @PostMapping("/subscribers/release")
    String release(
            @RequestParam ListName list,
            @RequestParam String email,
            @ModelAttribute("form") Form form,
            BindingResult errors,
            Principal me,
            Model model) {
        requireSuppressed(list, email);
        Origin by = by(me, form, errors);
        return errors.hasErrors()
                ? form(RELEASE, list, email, model)
                : done("subscriber-released", list, email, subscriptions.release(list, address(list, email), by));
    }

    private static Origin by(Principal me, Form form, BindingResult errors) {
        return Origin.admin(me.getName())
                .withReason(Reason.ofText(FormErrors.why(errors, form.why(), Subscriptions.MAX_REASON_LENGTH)));
    }

    private String done(String notice, ListName list, String email, EditResult result) {
        if (result instanceof EditResult.Saved saved) {
            return Notice.done(notice)
                    .on(SubscriberPageSupport.details(
                            list, saved.subscriber().value().address()));
        }
        throw support.gone(email);
    }

    private EmailAddress address(ListName list, String email) {
        return support.require(list, email).value().address();
    }
}
