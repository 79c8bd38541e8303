package org.azuremail.web.subscriber;

import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.leave.EraseResult;
import org.azuremail.subscription.leave.LeaveResult;
import org.azuremail.subscription.store.SubscriberFilter;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.layout.NotHere;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Subscribers of a list, page by page, and one of them with all that was declared. */
@Controller
class SubscriberPage {

    private static final int PAGE = 50;

    private final ListStore lists;
    private final SubscriberDesk desk;
    private final SubscriberPages pages;
    private final SubscriptionStore store;
    private final Subscriptions subscriptions;

    SubscriberPage(
            ListStore lists,
            SubscriberDesk desk,
            SubscriberPages pages,
            SubscriptionStore store,
            Subscriptions subscriptions) {
        this.lists = lists;
        this.desk = desk;
        this.pages = pages;
        this.store = store;
        this.subscriptions = subscriptions;
    }

    @GetMapping("/subscribers")
    String all(
            @RequestParam(required = false) @Nullable ListName list,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "") String state,
            @RequestParam(required = false) @Nullable String cursor,
            Model model) {
        List<MailingList> all = lists.all();
        model.addAttribute("lists", all);
        model.addAttribute("states", SubscriberState.values());
        Optional<MailingList> chosen = list == null ? all.stream().findFirst() : Optional.of(desk.require(list));
        chosen.ifPresent(shown -> {
            model.addAttribute("list", shown);
            model.addAttribute("q", q);
            model.addAttribute("state", state);
            model.addAttribute("first", cursor == null);
            model.addAttribute("counts", store.counts(shown));
            model.addAttribute("page", page(shown, new SubscriberFilter(q, states(state)), cursor));
        });
        return "subscriber/all";
    }

    @GetMapping("/subscribers/details")
    String one(@RequestParam ListName list, @RequestParam String email, Model model) {
        Subscriber subscriber = desk.require(list, email).value();
        model.addAttribute("list", desk.require(list));
        model.addAttribute("subscriber", subscriber);
        model.addAttribute("history", subscriber.consent().declarations());
        return "subscriber/one";
    }

    @PostMapping("/subscribers/confirm-again")
    String confirmAgain(@RequestParam ListName list, @RequestParam String email, Principal me) {
        EmailAddress address = desk.require(list, email).value().address();
        String notice = desk.notice(subscriptions.resendConfirmation(list, address, Origin.admin(me.getName())));
        return "redirect:" + desk.details(list, address, notice);
    }

    @GetMapping("/subscribers/unsubscribe")
    String askToUnsubscribe(@RequestParam ListName list, @RequestParam String email, Model model) {
        EmailAddress address = desk.require(list, email).value().address();
        return new Question(
                        "Unsubscribe this person?",
                        "For somebody who asks for it, by phone for instance. They get no more mail of this list, also "
                                + "none of a message that is under way. It is recorded with your name, and the proof of "
                                + "consent is kept.",
                        "Unsubscribe",
                        "/subscribers/unsubscribe",
                        desk.details(list, address, ""))
                .with("list", list.value())
                .with("email", address.value())
                .showing("E-mail address", address.value())
                .showing("List", list.value())
                .ask(model, "subscribers");
    }

    @PostMapping("/subscribers/unsubscribe")
    String unsubscribe(@RequestParam ListName list, @RequestParam String email, Principal me) {
        EmailAddress address = EmailAddress.stored(email).orElseThrow(() -> desk.gone(email));
        LeaveResult result = subscriptions.leave(list, address, Origin.admin(me.getName()));
        if (result instanceof LeaveResult.Unknown) {
            throw desk.gone(email);
        }
        boolean left = result instanceof LeaveResult.Left;
        return "redirect:" + desk.details(list, address, left ? "subscriber-left" : "subscriber-gone-before");
    }

    @GetMapping("/subscribers/delete")
    String askToDelete(@RequestParam ListName list, @RequestParam String email, Model model) {
        Versioned<Subscriber> subscriber = desk.require(list, email);
        EmailAddress address = subscriber.value().address();
        return new Question(
                        "Delete this subscriber?",
                        "Everything about this person on this list is erased, the proof of consent too. "
                                + "To end mail and keep the proof, unsubscribe them instead.",
                        "Delete subscriber",
                        "/subscribers/delete",
                        desk.details(list, address, ""))
                .with("list", list.value())
                .with("email", address.value())
                .showing("E-mail address", address.value())
                .showing("List", list.value())
                .ask(model, "subscribers");
    }

    @PostMapping("/subscribers/delete")
    String delete(@RequestParam ListName list, @RequestParam String email, Principal me) {
        EmailAddress address = EmailAddress.stored(email).orElseThrow(() -> desk.gone(email));
        EraseResult erasure = subscriptions.erase(list, address, Origin.admin(me.getName()));
        return "redirect:/subscribers?list=" + list + "&notice="
                + (erasure == EraseResult.SCHEDULED ? "subscriber-erasing" : "subscriber-erased");
    }

    private SubscriberPages.Page page(MailingList list, SubscriberFilter filter, @Nullable String cursor) {
        try {
            return pages.page(list, filter, cursor, PAGE);
        } catch (IllegalArgumentException notACursor) {
            throw new NotHere("This page of subscribers does not exist. Please begin at the first page.");
        }
    }

    private static Set<SubscriberState> states(String typed) {
        return Arrays.stream(SubscriberState.values())
                .filter(state -> state.stored().equalsIgnoreCase(typed))
                .findFirst()
                .map(Set::of)
                .orElse(Set.of());
    }
}
