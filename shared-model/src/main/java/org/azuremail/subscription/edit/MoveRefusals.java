package org.azuremail.subscription.edit;

import java.util.Optional;
import java.util.TreeSet;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.ResolvedMembership;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.Transitions;
import org.jspecify.annotations.Nullable;

/** Finds reasons why a move cannot begin. */
record MoveRefusals(ListStore lists, SubscriptionStore store, DepartureListener departures) {

    /** Returns the reason why a subscriber cannot go somewhere, as far as that can be seen without beginning it. */
    Optional<EditResult> refusal(ResolvedMembership from, Membership to) {
        Optional<Versioned<Subscriber>> old = store.find(from.list(), from.address());
        Optional<ResolvedMembership> target = lists.find(to.list())
                .map(list -> new ResolvedMembership(list.value(), to.address()))
                .filter(ResolvedMembership::open);
        if (old.isEmpty() || target.isEmpty()) {
            return Optional.of(target.isEmpty() ? new EditResult.NoSuchList(to.list()) : new EditResult.Missing());
        }
        Optional<Versioned<Subscriber>> there = store.find(target.get().list(), to.address());
        if (there.isPresent() && !MoveSteps.mayReturn(there.get().value())) {
            return Optional.of(new EditResult.AlreadyThere(there.get()));
        }
        if (there.filter(back -> departures.couldMailBoth(old.get().value(), back.value()))
                .isPresent()) {
            return Optional.of(new EditResult.NotPossible(
                    old.get(),
                    Reason.of(EditReason.MOVE_EMAIL_WAITS, to.address().value())));
        }
        return impossible(old.get(), target.get().list());
    }

    /** Whether somebody changed the subscriber since it was seen. */
    static Optional<EditResult> stale(@Nullable Versioned<Subscriber> current, String etag) {
        if (current == null) {
            return Optional.of(new EditResult.Missing());
        }
        boolean asSeen =
                current.etag().equals(etag) && !current.value().bookkeeping().moving();
        return asSeen ? Optional.empty() : Optional.of(new EditResult.Conflict(current));
    }

    /** Returns the reason why this subscriber cannot go to that list, whatever is there. */
    static Optional<EditResult> impossible(@Nullable Versioned<Subscriber> current, MailingList to) {
        if (current == null) {
            return Optional.of(new EditResult.Missing());
        }
        if (Transitions.after(current.value().state(), SubscriberEvent.MOVED).isEmpty()) {
            return Optional.of(new EditResult.NotPossible(current, Reason.of(EditReason.MOVE_STATE)));
        }
        TreeSet<String> attributes = new TreeSet<>(to.attributes());
        attributes.addAll(current.value().profile().attributes().keySet());
        return attributes.size() <= MailingList.MAX_ATTRIBUTES
                ? Optional.empty()
                : Optional.of(new EditResult.NotPossible(
                        current, Reason.of(EditReason.MOVE_ATTRIBUTES, to.name().value(), MailingList.MAX_ATTRIBUTES)));
    }
}
