package org.azuremail.subscription;

import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.Time;

/**
 * Unsubscribes people: in one batch, followed by a call of the listeners that may have read the person from the list.
 * The listeners are also called for a departure that is already recorded, because a crash may have prevented the first
 * call.
 */
record UnsubscribeFlow(ListStore lists, MoveAwareWriter writer, DepartureListener departures, Time time) {

    public LeaveResult leave(ListName list, SubscriberGuid guid, Origin origin) {
        if (lists.find(list).isEmpty()) {
            return new LeaveResult.Unknown();
        }
        Declaration left = Declaration.of(Declaration.Kind.LEFT, time.instant(), origin);
        return notifyListeners(writer.<LeaveResult>change(list, guid, current -> leave(current.value(), left))
                .orElseGet(LeaveResult.Unknown::new));
    }

    public LeaveResult leave(ListName name, EmailAddress address, Origin origin) {
        Declaration left = Declaration.of(Declaration.Kind.LEFT, time.instant(), origin);
        return lists.find(name)
                .map(list -> notifyListeners(writer.<LeaveResult>change(
                        list.value(),
                        address,
                        current -> current == null
                                ? SubscriberChange.nothing(new LeaveResult.Unknown())
                                : leave(current.value(), left))))
                .orElseGet(LeaveResult.Unknown::new);
    }

    private static SubscriberChange<LeaveResult> leave(Subscriber current, Declaration left) {
        return switch (current.state()) {
            case UNSUBSCRIBED, SUPPRESSED -> SubscriberChange.nothing(new LeaveResult.AlreadyLeft(current));
            case UNCONFIRMED, SUBSCRIBED ->
                SubscriberChange.store(
                        current.withDeparture(left.at()).after(SubscriberEvent.LEFT, left),
                        stored -> new LeaveResult.Left(stored.value(), current.verified()));
        };
    }

    private LeaveResult notifyListeners(LeaveResult result) {
        if (result instanceof LeaveResult.Left left) {
            departures.notifyDeparture(left.subscriber());
        } else if (result instanceof LeaveResult.AlreadyLeft already) {
            departures.notifyDeparture(already.subscriber());
        }
        return result;
    }
}
