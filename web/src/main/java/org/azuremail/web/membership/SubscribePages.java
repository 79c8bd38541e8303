package org.azuremail.web.membership;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.ConfirmResult;
import org.azuremail.subscription.Origin;
import org.azuremail.subscription.Subscriber;
import org.azuremail.subscription.SubscriptionStore;
import org.azuremail.subscription.Subscriptions;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * The page behind the link of a confirmation mail. Opening it changes nothing, because scanners open every link; the
 * press of its button is the one thing a person has to do.
 */
@Controller
class SubscribePages {

    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final Subscriptions subscriptions;

    SubscribePages(ListStore lists, SubscriptionStore subscribers, Subscriptions subscriptions) {
        this.lists = lists;
        this.subscribers = subscribers;
        this.subscriptions = subscriptions;
    }

    @GetMapping("/subscribe")
    String ask(@ModelAttribute("link") Link link, Model model) {
        if (link.incomplete()) {
            return "membership/incomplete";
        }
        Optional<Subscriber> subscriber = link.list()
                .flatMap(lists::findActive)
                .flatMap(found -> link.guid().flatMap(guid -> subscribers.find(found.name(), guid)))
                .map(Versioned::value);
        Optional<MailingList> list = subscriber.map(Subscriber::list).flatMap(lists::findActive);
        if (list.isEmpty() || subscriber.isEmpty()) {
            return "membership/unknown";
        }
        model.addAttribute("listTitle", title(list.get()));
        model.addAttribute("address", subscriber.get().address());
        return switch (subscriber.get().state()) {
            case SUBSCRIBED -> "membership/welcome";
            case UNCONFIRMED -> "membership/confirm";
            case UNSUBSCRIBED, SUPPRESSED -> "membership/left";
        };
    }

    @PostMapping("/subscribe")
    String confirm(@ModelAttribute("link") Link link, HttpServletRequest request, Model model) {
        if (link.incomplete()) {
            return "membership/incomplete";
        }
        Optional<MailingList> list = link.list().flatMap(lists::findActive);
        if (list.isEmpty() || link.guid().isEmpty()) {
            return "membership/unknown";
        }
        model.addAttribute("listTitle", title(list.get()));
        ConfirmResult result =
                subscriptions.confirm(list.get().name(), link.guid().get(), Origin.link(request.getRemoteAddr()));
        if (result instanceof ConfirmResult.Confirmed confirmed) {
            lists.findActive(confirmed.subscriber().list())
                    .ifPresent(now -> model.addAttribute("listTitle", title(now)));
            model.addAttribute("address", confirmed.subscriber().address());
            return "membership/welcome";
        }
        return result instanceof ConfirmResult.Left ? "membership/left" : "membership/unknown";
    }

    static String title(MailingList list) {
        return list.description().isBlank() ? list.name().value() : list.description();
    }
}
