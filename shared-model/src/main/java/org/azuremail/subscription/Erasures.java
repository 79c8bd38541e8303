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
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Membership.ResolvedMembership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.time.Time;

/** Erases people. They are unsubscribed first, and their rows are deleted once no message of the list needs them. */
record Erasures(
        ListStore lists,
        SubscriptionStore store,
        ShardWriter writer,
        DepartureListener departures,
        ListUse use,
        Time time) {

    public EraseResult erase(MailingList list, EmailAddress address, Origin origin) {
        Optional<Subscriber> gone = markForErasure(list, address, origin);
        if (gone.isEmpty()) {
            return EraseResult.MISSING;
        }
        departures.notifyDeparture(gone.get());
        if (!finish(list, address)) {
            return EraseResult.SCHEDULED;
        }
        return isStillThere(list, gone.get()) ? erase(list, address, origin) : EraseResult.ERASED;
    }

    /**
     * Returns whether the row remains because an admin changed it before the removal. The row of a person who came back
     * has another creation time.
     */
    private boolean isStillThere(MailingList list, Subscriber gone) {
        return store.find(list, gone.address())
                .filter(row -> row.value().createdAt().equals(gone.createdAt()))
                .isPresent();
    }

    /**
     * Removes the person's rows, beginning with the earliest place, so that after a crash the others can still be
     * found.
     *
     * @return false while a message is being sent to a list on which the person is or was
     */
    public boolean finish(MailingList list, EmailAddress address) {
        List<RowToRemove> places = places(new ResolvedMembership(list, address));
        if (places.stream().map(row -> row.at().name()).distinct().anyMatch(use::inUse)) {
            return false;
        }
        for (int i = places.size() - 1; i >= 0; i--) {
            remove(places.get(i));
        }
        return true;
    }

    /** A row to be removed, as read before the check whether a message needs it. */
    private record RowToRemove(ResolvedMembership at, Subscriber seen) {

        /**
         * Returns whether the person has not come back since. A person who did may have left again, and a message may
         * need that row.
         */
        boolean isUnchanged(Subscriber now) {
            Bookkeeping before = seen.bookkeeping();
            return now.guid().equals(seen.guid())
                    && now.bookkeeping().episode() == before.episode()
                    && now.bookkeeping().chore() == before.chore();
        }
    }

    /**
     * Returns the person's present place, followed by the former places, up to one to which the person has come back.
     */
    private List<RowToRemove> places(ResolvedMembership present) {
        Map<Membership, RowToRemove> places = new LinkedHashMap<>();
        Optional<RowToRemove> next =
                place(present).filter(row -> row.seen().bookkeeping().chore() == Bookkeeping.Chore.ERASURE);
        while (next.isPresent() && places.putIfAbsent(next.get().at().membership(), next.get()) == null) {
            RowToRemove seat = next.get();
            next = seat.seen()
                    .arrivedFrom()
                    .flatMap(former -> Moves.resolve(lists, former))
                    .flatMap(this::place)
                    .filter(former -> movedTo(former, seat.at().membership()));
        }
        return List.copyOf(places.values());
    }

    private Optional<RowToRemove> place(ResolvedMembership at) {
        return store.find(at.list(), at.address()).map(row -> new RowToRemove(at, row.value()));
    }

    private static boolean movedTo(RowToRemove former, Membership to) {
        return Optional.ofNullable(former.seen().bookkeeping().movedTo())
                .filter(to::isSameSubscriber)
                .isPresent();
    }

    private Optional<Subscriber> markForErasure(MailingList list, EmailAddress address, Origin origin) {
        Declaration asked = Declaration.of(Declaration.Kind.ERASURE_ASKED, time.instant(), origin);
        return writer.change(list.name(), list.shardOf(address), address, current -> {
            if (current == null) {
                return SubscriberChange.nothing(Optional.empty());
            }
            Subscriber subscriber = current.value();
            if (subscriber.bookkeeping().chore() == Bookkeeping.Chore.ERASURE) {
                return SubscriberChange.nothing(Optional.of(subscriber));
            }
            return SubscriberChange.store(leaving(subscriber, asked), stored -> Optional.of(stored.value()));
        });
    }

    private static Subscriber leaving(Subscriber subscriber, Declaration asked) {
        Bookkeeping bookkeeping = subscriber.bookkeeping().withChore(Bookkeeping.Chore.ERASURE);
        if (SubscriberEvent.LEFT.after(subscriber.state()).isPresent()) {
            return subscriber
                    .withBookkeeping(bookkeeping.withLeftAt(asked.at()))
                    .after(SubscriberEvent.LEFT, asked);
        }
        return subscriber.withBookkeeping(bookkeeping.inNextEpisode()).withDeclaration(asked);
    }

    private void remove(RowToRemove row) {
        ResolvedMembership at = row.at();
        writer.change(
                at.name(),
                at.shard(),
                at.address(),
                current -> current == null || !row.isUnchanged(current.value())
                        ? SubscriberChange.nothing(false)
                        : SubscriberChange.remove(true));
    }
}
