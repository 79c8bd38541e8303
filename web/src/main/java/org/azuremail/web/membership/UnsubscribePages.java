package org.azuremail.web.membership;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.leave.LeaveResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.MaskedAddress;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * Leaving a list. Opening the link only asks; Confirm leaves. A mail program's one-click request (RFC 8058) is a POST to
 * the same address with a body of its own: it leaves at once, without cookie, sign-in or redirect.
 */
@Controller
class UnsubscribePages {

    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final Subscriptions subscriptions;

    UnsubscribePages(ListStore lists, SubscriptionStore subscribers, Subscriptions subscriptions) {
        this.lists = lists;
        this.subscribers = subscribers;
        this.subscriptions = subscriptions;
    }

    @GetMapping("/unsubscribe")
    String ask(@ModelAttribute("link") Link link, Model model) {
        if (link.incomplete()) {
            return "membership/incomplete";
        }
        if (link.sample()) {
            return "membership/test-email";
        }
        return find(link, model).filter(UnsubscribePages::mayLeave).isPresent()
                ? "membership/leave"
                : "membership/already-left";
    }

    @PostMapping(path = "/unsubscribe", params = OneClickForm.NAME + "=" + OneClickForm.VALUE)
    ResponseEntity<String> leaveAtOnce(@ModelAttribute("link") Link link, HttpServletRequest request) {
        if (link.incomplete()) {
            return ResponseEntity.badRequest()
                    .contentType(MediaType.TEXT_PLAIN)
                    .body("Empty subscriber ID or list name.");
        }
        if (link.sample()) {
            return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body("A test email. Nothing was changed.");
        }
        leave(link, Origin.oneClick(request.getRemoteAddr()));
        return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body("Unsubscribed.");
    }

    @PostMapping(path = "/unsubscribe", params = "answer=cancel")
    String stay(@ModelAttribute("link") Link link, Model model) {
        if (link.incomplete()) {
            return "membership/incomplete";
        }
        if (link.sample()) {
            return "membership/test-email";
        }
        return find(link, model).filter(UnsubscribePages::mayLeave).isPresent()
                ? "membership/stayed"
                : "membership/already-left";
    }

    @PostMapping(path = "/unsubscribe", params = "answer=confirm")
    String leave(@ModelAttribute("link") Link link, HttpServletRequest request, Model model) {
        if (link.incomplete()) {
            return "membership/incomplete";
        }
        if (link.sample()) {
            return "membership/test-email";
        }
        find(link, model);
        return leave(link, Origin.link(request.getRemoteAddr())) instanceof LeaveResult.Left
                ? "membership/gone"
                : "membership/already-left";
    }

    private LeaveResult leave(Link link, Origin origin) {
        Optional<ListName> list = link.list();
        Optional<SubscriberGuid> guid = link.guid();
        return list.isPresent() && guid.isPresent()
                ? subscriptions.leave(list.get(), guid.get(), origin)
                : new LeaveResult.Unknown();
    }

    private static boolean mayLeave(Subscriber subscriber) {
        return subscriber.state() == SubscriberState.SUBSCRIBED || subscriber.state() == SubscriberState.UNCONFIRMED;
    }

    private Optional<Subscriber> find(Link link, Model model) {
        Optional<MailingList> list = link.list().flatMap(lists::find).map(Versioned::value);
        Optional<SubscriptionStore.Followed> behind =
                list.flatMap(found -> link.guid().flatMap(guid -> subscribers.follow(found.name(), guid)));
        Optional<Subscriber> subscriber = behind.map(found -> found.subscriber().value());
        model.addAttribute("known", subscriber.isPresent());
        behind.filter(SubscriptionStore.Followed::sameAddress)
                .map(found -> MaskedAddress.of(found.subscriber().value().address()))
                .ifPresent(masked -> model.addAttribute("masked", masked));
        subscriber
                .flatMap(found -> lists.find(found.list()).map(Versioned::value))
                .or(() -> list)
                .ifPresent(present -> model.addAttribute("listTitle", SubscribePages.title(present)));
        return subscriber;
    }
}
