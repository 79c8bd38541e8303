package org.azuremail.web.membership;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.confirmation.ConfirmationLink;
import org.azuremail.subscription.join.ConfirmResult;
import org.azuremail.subscription.subscriber.MaskedAddress;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * The page behind the link of a confirmation mail. Opening it changes nothing, because scanners open every link; the click on
 * its button is the one thing a person has to do. Every link that confirms nobody shows the same page, which offers a new
 * email: whoever holds an old mail learns nothing about the subscriber.
 */
@Controller
class SubscribePages {

    private static final String NEW_LINK = "new-link";

    private final ListStore lists;
    private final Subscriptions subscriptions;

    SubscribePages(ListStore lists, Subscriptions subscriptions) {
        this.lists = lists;
        this.subscriptions = subscriptions;
    }

    @GetMapping("/subscribe")
    String ask(@ModelAttribute("link") Link link, Model model) {
        return page(link, model, (list, confirmation) -> subscriptions
                .behind(list.name(), confirmation)
                .map(subscriber -> subscriber.verified()
                        ? shown(subscriber, model, "membership/welcome")
                        : shown(subscriber, model, "membership/confirm"))
                .orElse("membership/dead-link"));
    }

    @PostMapping(path = "/subscribe", params = "answer!=" + NEW_LINK)
    String confirm(@ModelAttribute("link") Link link, HttpServletRequest request, Model model) {
        return page(link, model, (list, confirmation) -> {
            Origin origin = Origin.link(request.getRemoteAddr());
            ConfirmResult result = subscriptions.confirm(list.name(), confirmation, origin);
            return result instanceof ConfirmResult.Confirmed confirmed
                    ? shown(confirmed.subscriber(), model, "membership/welcome")
                    : "membership/dead-link";
        });
    }

    /** What came of it is between the service and the subscriber: the answer is always the same. */
    @PostMapping(path = "/subscribe", params = "answer=" + NEW_LINK)
    String newLink(@ModelAttribute("link") Link link, HttpServletRequest request, Model model) {
        return page(link, model, (list, confirmation) -> {
            subscriptions.newLink(list.name(), confirmation.guid(), Origin.link(request.getRemoteAddr()));
            return "membership/new-link";
        });
    }

    /** What to do with a link that is whole. */
    @FunctionalInterface
    private interface Answer {
        String to(MailingList list, ConfirmationLink confirmation);
    }

    private String page(Link link, Model model, Answer answer) {
        if (link.incomplete()) {
            return "membership/incomplete";
        }
        Optional<MailingList> list = link.list().flatMap(lists::findActive);
        Optional<ConfirmationLink> confirmation = link.confirmation();
        if (list.isEmpty() || confirmation.isEmpty()) {
            return "membership/unknown";
        }
        model.addAttribute("listTitle", title(list.get()));
        return answer.to(list.get(), confirmation.get());
    }

    private String shown(Subscriber subscriber, Model model, String page) {
        lists.findActive(subscriber.list()).ifPresent(now -> model.addAttribute("listTitle", title(now)));
        model.addAttribute("masked", MaskedAddress.of(subscriber.address()));
        return page;
    }

    static String title(MailingList list) {
        return list.description().isBlank() ? list.name().value() : list.description();
    }
}
