package org.azuremail.web.membership;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.BiFunction;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.template.TemplateName;
import org.azuremail.web.membership.SubscriberViews.Content;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * The page behind the link of a confirmation email. Opening it changes nothing, because scanners open every link; a
 * person has to click its button. Every link that confirms no subscription shows the same page, which offers a new
 * email, so that an old email reveals nothing about the subscriber.
 */
@Controller
record SubscribePages(ListStore lists, Subscriptions subscriptions, SubscriberViews pages)
        implements SubscriberLinkPages {

    private static final String NEW_LINK = "new-link";
    private static final Content DEAD_LINK = Content.of(TemplateName.CONFIRM, "dead");

    @GetMapping("/subscribe")
    ResponseEntity<String> ask(EmailLink link) {
        return page(link, (list, confirmation) -> subscriptions
                .findByConfirmationLink(list.name(), confirmation)
                .map(subscriber -> subscriber.verified()
                        ? of(subscriber, TemplateName.WELCOME, "welcome")
                        : of(subscriber, TemplateName.CONFIRM, "ask"))
                .orElse(DEAD_LINK.on(list)));
    }

    @PostMapping(path = "/subscribe", params = "answer!=" + NEW_LINK)
    ResponseEntity<String> confirm(EmailLink link, HttpServletRequest request) {
        return page(link, (list, confirmation) -> {
            Origin origin = Origin.link(request.getRemoteAddr());
            ConfirmResult result = subscriptions.confirm(list.name(), confirmation, origin);
            return result instanceof ConfirmResult.Confirmed confirmed
                    ? of(confirmed.subscriber(), TemplateName.WELCOME, "welcome")
                    : DEAD_LINK.on(list);
        });
    }

    /** Sends a new link. The answer is always the same, because only the subscriber may learn the result. */
    @PostMapping(path = "/subscribe", params = "answer=" + NEW_LINK)
    ResponseEntity<String> newLink(EmailLink link, HttpServletRequest request) {
        return page(link, (list, confirmation) -> {
            subscriptions.newLink(list.name(), confirmation.guid(), Origin.link(request.getRemoteAddr()));
            return Content.of(TemplateName.CONFIRM, "sent").on(list);
        });
    }

    private ResponseEntity<String> page(EmailLink link, BiFunction<MailingList, ConfirmationLink, Content> answer) {
        if (link.incomplete()) {
            return pages.show(Content.of(TemplateName.ERROR, "incomplete"));
        }
        Optional<MailingList> list = link.list().flatMap(lists::findActive);
        Optional<ConfirmationLink> confirmation = link.confirmation();
        return pages.show(
                list.isEmpty() || confirmation.isEmpty()
                        ? Content.of(TemplateName.ERROR, "unknown")
                        : answer.apply(list.get(), confirmation.get()).with(link));
    }

    private Content of(Subscriber subscriber, TemplateName template, String occasion) {
        return Content.of(template, occasion)
                .on(lists.findActive(subscriber.list()).orElse(null))
                .with("address", subscriber.address().masked());
    }
}
