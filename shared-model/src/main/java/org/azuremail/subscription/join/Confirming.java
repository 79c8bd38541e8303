package org.azuremail.subscription.join;

import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.confirmation.ConfirmationLink;
import org.azuremail.subscription.confirmation.ConfirmationSeals;
import org.azuremail.subscription.edit.SettledWriter;
import org.azuremail.subscription.store.Change;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.Time;

/** The actions of a person with a confirmation's link. */
public record Confirming(
        ListStore lists,
        SubscriptionStore store,
        SettledWriter writer,
        Joining joining,
        ConfirmationSeals seals,
        Time time) {

    public Optional<Subscriber> behind(ListName name, ConfirmationLink link) {
        return store.find(name, link.guid())
                .map(Versioned::value)
                .filter(found -> lists.findActive(found.list()).isPresent())
                .filter(found -> alive(link, found));
    }

    public ConfirmResult confirm(ListName name, ConfirmationLink link, Origin origin) {
        Optional<MailingList> list = lists.findActive(name);
        if (list.isEmpty()) {
            return new ConfirmResult.Dead();
        }
        Declaration confirmed = Declaration.of(Declaration.Kind.CONFIRMED, time.instant(), origin);
        ConfirmResult result = writer.<ConfirmResult>change(
                        name, link.guid(), current -> confirm(list.get(), link, current.value(), confirmed))
                .orElseGet(ConfirmResult.Dead::new);
        if (result instanceof ConfirmResult.Confirmed done) {
            joining.welcome(done.subscriber());
        }
        return result;
    }

    public SubscribeResult newLink(ListName name, SubscriberGuid guid, Origin origin) {
        if (lists.findActive(name).isEmpty()) {
            return new SubscribeResult.NoSuchList(name);
        }
        return joining.queued(writer.change(name, guid, current -> newLink(current, origin))
                .orElseGet(SubscribeResult.NothingToConfirm::new));
    }

    private Change<ConfirmResult> confirm(
            MailingList list, ConfirmationLink link, Subscriber current, Declaration confirmed) {
        if (!alive(link, current)) {
            return Change.nothing(new ConfirmResult.Dead());
        }
        return current.verified()
                ? Change.nothing(new ConfirmResult.Confirmed(current))
                : Change.store(
                        welcomed(current.after(SubscriberEvent.CONFIRMED, confirmed), list),
                        stored -> new ConfirmResult.Confirmed(stored.value()));
    }

    /** People who moved are welcomed by the list on which they are now. */
    private Subscriber welcomed(Subscriber subscriber, MailingList ofLink) {
        return subscriber.list().equals(ofLink.name())
                ? subscriber.welcomedBy(ofLink)
                : lists.findActive(subscriber.list())
                        .map(subscriber::welcomedBy)
                        .orElse(subscriber);
    }

    /** A subscriber who has confirmed may look at the link for as long as the episode lasts: it changes nothing any more. */
    private boolean alive(ConfirmationLink link, Subscriber subscriber) {
        return switch (subscriber.state()) {
            case SUBSCRIBED -> seals.fits(link, subscriber);
            case UNCONFIRMED -> seals.fits(link, subscriber) && !seals.expired(subscriber, time.instant());
            case UNSUBSCRIBED, SUPPRESSED -> false;
        };
    }

    private Change<SubscribeResult> newLink(Versioned<Subscriber> current, Origin origin) {
        ListName list = current.value().list();
        return lists.findActive(list).isEmpty()
                ? Change.nothing(new SubscribeResult.NoSuchList(list))
                : joining.newLink(current, origin);
    }
}
