package org.azuremail.web.membership;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.template.TemplateName;
import org.azuremail.web.membership.SubscriberViews.Content;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The pages on which people leave a list. Opening the link only asks; Confirm unsubscribes. A mail program's one-click
 * request (RFC 8058) is a POST to the same address with a body of its own. It unsubscribes at once, without a cookie,
 * sign-in or redirect.
 */
@Controller
record UnsubscribePages(
        ListStore lists, SubscriptionStore subscribers, Subscriptions subscriptions, SubscriberViews pages)
        implements SubscriberLinkPages {

    @GetMapping("/unsubscribe")
    ResponseEntity<String> ask(EmailLink link) {
        return page(link, found -> found.mayLeave() ? found.content("ask") : found.already());
    }

    @PostMapping(path = "/unsubscribe", params = OneClickFilter.NAME + "=" + OneClickFilter.VALUE)
    ResponseEntity<String> unsubscribeOneClick(EmailLink link, HttpServletRequest request) {
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
    ResponseEntity<String> stay(EmailLink link) {
        return page(link, found -> found.mayLeave() ? found.content("stayed") : found.already());
    }

    @PostMapping(path = "/unsubscribe", params = "answer=confirm")
    ResponseEntity<String> leave(
            EmailLink link, @RequestParam(defaultValue = "") String reason, HttpServletRequest request) {
        Origin clicked = Origin.link(request.getRemoteAddr());
        Origin origin = LeavingReason.ofOption(reason)
                .map(why -> clicked.withReason(Reason.of(why)))
                .orElse(clicked);
        return page(link, found -> {
            if (!(leave(link, origin) instanceof LeaveResult.Left left)) {
                return found.already();
            }
            return found.content("left").with("proof", left.wasSubscribed() ? subscriptions.returnProof(left) : null);
        });
    }

    /** Handles the button on the page that said <em>you are unsubscribed</em>. Only that page has the proof. */
    @PostMapping(path = "/unsubscribe", params = "answer=come-back")
    ResponseEntity<String> comeBack(
            EmailLink link, @RequestParam(defaultValue = "") String proof, HttpServletRequest request) {
        return page(link, found -> {
            Optional<Subscriber> back = link.list().flatMap(list -> link.guid()
                    .flatMap(guid ->
                            subscriptions.undoUnsubscribe(list, guid, proof, Origin.link(request.getRemoteAddr()))));
            return back.isPresent()
                    ? found.content("back")
                    : Content.of(TemplateName.ERROR, "too-late").on(found.list());
        });
    }

    private LeaveResult leave(EmailLink link, Origin origin) {
        Optional<ListName> list = link.list();
        Optional<SubscriberGuid> guid = link.guid();
        return list.isPresent() && guid.isPresent()
                ? subscriptions.leave(list.get(), guid.get(), origin)
                : new LeaveResult.Unknown();
    }

    private ResponseEntity<String> page(EmailLink link, Function<Found, Content> answer) {
        return page(link, () -> answer.apply(find(link)));
    }

    /**
     * The subscriber and the list behind a link.
     *
     * @param subscriber {@code null} when the link leads to no subscriber
     * @param list {@code null} when the link leads to no list
     * @param address the masked address; {@code null} when it differs from the address to which the link was sent
     */
    private record Found(
            @Nullable Subscriber subscriber,
            @Nullable MailingList list,
            @Nullable String address) {

        boolean mayLeave() {
            return subscriber != null
                    && (subscriber.state() == SubscriberState.SUBSCRIBED
                            || subscriber.state() == SubscriberState.UNCONFIRMED);
        }

        Content already() {
            return content(subscriber == null ? "nobody" : "already");
        }

        Content content(String occasion) {
            return Content.of(TemplateName.UNSUBSCRIBE, occasion).on(list).with("address", address);
        }
    }

    private Found find(EmailLink link) {
        Optional<MailingList> list = link.list().flatMap(lists::find).map(Versioned::value);
        Optional<SubscriptionStore.LinkOwner> behind =
                list.flatMap(found -> link.guid().flatMap(guid -> subscribers.follow(found.name(), guid)));
        Optional<Subscriber> subscriber = behind.map(found -> found.subscriber().value());
        return new Found(
                subscriber.orElse(null),
                subscriber
                        .flatMap(found -> lists.findValue(found.list()))
                        .or(() -> list)
                        .orElse(null),
                behind.filter(SubscriptionStore.LinkOwner::sameAddress)
                        .map(found -> found.subscriber().value().address().masked())
                        .orElse(null));
    }
}
