package org.azuremail.subscription;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.list.ListStore;
import org.azuremail.list.ListUse;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.Subscriptions.EraseResult;
import org.azuremail.subscription.store.Change;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Membership.ResolvedMembership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.Transitions;
import org.azuremail.time.Time;

/** Removes people: they leave first, and their rows go once no message of the list needs to know that they left. */
record Erasures(
        ListStore lists,
        SubscriptionStore store,
        ShardWriter writer,
        DepartureListener departures,
        ListUse use,
        Time time) {

    public EraseResult erase(MailingList list, EmailAddress address, Origin origin) {
        Optional<Subscriber> gone = leaveForGood(list, address, origin);
        if (gone.isEmpty()) {
            return EraseResult.MISSING;
        }
        departures.tell(gone.get());
        return finish(list, address) ? EraseResult.ERASED : EraseResult.SCHEDULED;
    }

    /**
     * The earliest place goes first, so that a crash leaves a trail to what is still there.
     *
     * @return false while a message of a list on which the person is or was is on its way
     */
    public boolean finish(MailingList list, EmailAddress address) {
        List<ResolvedMembership> places = places(new ResolvedMembership(list, address));
        if (places.stream().map(ResolvedMembership::name).distinct().anyMatch(use::inUse)) {
            return false;
        }
        for (int i = places.size() - 1; i > 0; i--) {
            removeMoved(places.get(i), places.get(i - 1).membership());
        }
        remove(list, address);
        return true;
    }

    /** Returns the place where the person is, and then every place before it, unless somebody is at home there again. */
    private List<ResolvedMembership> places(ResolvedMembership present) {
        Map<Membership, ResolvedMembership> places = new LinkedHashMap<>();
        Optional<ResolvedMembership> next = Optional.of(present);
        while (next.isPresent() && places.putIfAbsent(next.get().membership(), next.get()) == null) {
            ResolvedMembership seat = next.get();
            next = store.find(seat.list(), seat.address())
                    .map(row -> row.value().bookkeeping().movedFrom())
                    .flatMap(former -> Moves.resolve(lists, former))
                    .filter(former -> movedFrom(former, seat.membership()));
        }
        return List.copyOf(places.values());
    }

    private boolean movedFrom(ResolvedMembership former, Membership to) {
        return store.find(former.list(), former.address())
                .map(row -> row.value().bookkeeping().movedTo())
                .filter(to::same)
                .isPresent();
    }

    private Optional<Subscriber> leaveForGood(MailingList list, EmailAddress address, Origin origin) {
        Declaration asked = Declaration.of(Declaration.Kind.ERASURE_ASKED, time.instant(), origin);
        return writer.change(list.name(), list.shardOf(address), address, current -> {
            if (current == null) {
                return Change.nothing(Optional.empty());
            }
            Subscriber subscriber = current.value();
            if (subscriber.bookkeeping().chore() == Bookkeeping.Chore.ERASURE) {
                return Change.nothing(Optional.of(subscriber));
            }
            return Change.store(leaving(subscriber, asked), stored -> Optional.of(stored.value()));
        });
    }

    private static Subscriber leaving(Subscriber subscriber, Declaration asked) {
        Bookkeeping bookkeeping = subscriber.bookkeeping().withChore(Bookkeeping.Chore.ERASURE);
        if (Transitions.after(subscriber.state(), SubscriberEvent.LEFT).isPresent()) {
            return subscriber
                    .withBookkeeping(bookkeeping.withLeftAt(asked.at()))
                    .after(SubscriberEvent.LEFT, asked);
        }
        return subscriber.withBookkeeping(bookkeeping.inNextEpisode()).declaring(asked);
    }

    private void remove(MailingList list, EmailAddress address) {
        writer.change(
                list.name(),
                list.shardOf(address),
                address,
                current -> current == null || current.value().bookkeeping().chore() != Bookkeeping.Chore.ERASURE
                        ? Change.nothing(false)
                        : Change.remove(true));
    }

    private void removeMoved(ResolvedMembership former, Membership movedTo) {
        writer.change(former.name(), former.shard(), former.address(), current -> {
            Membership to =
                    current == null ? null : current.value().bookkeeping().movedTo();
            return to == null || !to.same(movedTo) ? Change.nothing(false) : Change.remove(true);
        });
    }
}
