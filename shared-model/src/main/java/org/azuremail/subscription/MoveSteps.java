package org.azuremail.subscription;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.GuidRow;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Membership.ResolvedMembership;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** The batches of a move after the first one. Each of them reads its row again and decides by the result. */
record MoveSteps(ShardWriter writer, ConfirmationQueue queue, Time time) {

    /** Returns whether this row belongs to a person who moved away and may come back. */
    static boolean isLeftByMove(Subscriber subscriber) {
        return subscriber.state() == SubscriberState.UNSUBSCRIBED
                && subscriber.bookkeeping().movedTo() != null
                && subscriber.bookkeeping().chore() == null;
    }

    /** Returns whether a moving row is still in the same move as when it was read. */
    static boolean sameMove(Subscriber old, Subscriber now) {
        return now.bookkeeping().chore() == Bookkeeping.Chore.MOVE
                && now.guid().equals(old.guid())
                && Stream.of(Declaration.Kind.ADDRESS_CHANGED, Declaration.Kind.LIST_CHANGED)
                        .allMatch(kind ->
                                now.consent().latest(kind).equals(old.consent().latest(kind)));
    }

    /** @return false if another subscriber has the new address, or a new list has the target's name */
    boolean arrive(ResolvedMembership to, Subscriber old, SubscriberGuid next) {
        if (to.shard() != next.shard()) {
            return false;
        }
        return writer.change(to.list(), next.shard(), to.address(), current -> {
            if (current != null && current.value().guid().equals(next)) {
                return SubscriberChange.nothing(true);
            }
            if (current != null && !isLeftByMove(current.value())) {
                return SubscriberChange.nothing(false);
            }
            return SubscriberChange.store(arriving(to, old, current, next), stored -> true);
        });
    }

    void deactivate(ResolvedMembership from, Subscriber asRead, GuidRow.Forward forward) {
        changeMoving(
                from,
                asRead,
                old -> old.state() != SubscriberState.UNSUBSCRIBED,
                old -> old.withBookkeeping(old.bookkeeping().withLeftAt(time.instant()))
                        .after(SubscriberEvent.MOVED),
                old -> List.of(new GuidRow(null, forward).upsert(old.guid())));
    }

    void activate(ResolvedMembership to, SubscriberGuid next) {
        boolean confirms = writer.change(to.name(), next.shard(), to.address(), current -> {
            if (current == null || !current.value().guid().equals(next)) {
                return SubscriberChange.nothing(false);
            }
            Subscriber subscriber = current.value();
            SubscriberState target = subscriber.bookkeeping().targetState();
            if (target == null) {
                return SubscriberChange.nothing(subscriber.bookkeeping().chore() == Bookkeeping.Chore.CONFIRMATION);
            }
            return SubscriberChange.store(
                    active(subscriber, target, time.instant()),
                    stored -> stored.value().bookkeeping().chore() != null);
        });
        if (confirms) {
            queue.send(to.name(), next);
        }
    }

    void endChore(ResolvedMembership from, Subscriber asRead) {
        changeMoving(from, asRead, old -> true, old -> old.withChore(null), old -> List.of());
    }

    /**
     * Undoes the move because the new address was taken or its list was deleted meanwhile. The old row keeps its state.
     */
    void giveUp(ResolvedMembership from, Subscriber asRead) {
        changeMoving(
                from,
                asRead,
                old -> old.state() != SubscriberState.UNSUBSCRIBED,
                old -> old.withBookkeeping(old.bookkeeping()
                        .withChore(null)
                        .withMove(arrived(old, old.bookkeeping().arrivedAt()))),
                old -> List.of(new GuidRow(old.address(), null).upsert(old.guid())));
    }

    /** Turns the new row into an ordinary one if its old row is no longer moving. */
    void forgetOrphan(ResolvedMembership place) {
        writer.change(place.name(), place.shard(), place.address(), current -> {
            if (current == null || current.value().bookkeeping().targetState() == null) {
                return SubscriberChange.nothing(false);
            }
            Subscriber orphan = current.value();
            return SubscriberChange.store(
                    orphan.withBookkeeping(orphan.bookkeeping().withMove(arrived(orphan, null))), stored -> true);
        });
    }

    /**
     * Removes a new row that a slow process created after the end of the move, because the person may have been erased
     * since.
     */
    void removeLateArrival(ResolvedMembership to, SubscriberGuid next) {
        writer.change(to.name(), next.shard(), to.address(), current -> {
            boolean ghost = current != null
                    && current.value().guid().equals(next)
                    && current.value().bookkeeping().targetState() != null
                    && current.value().bookkeeping().leftAt() == null;
            return ghost ? SubscriberChange.remove(true) : SubscriberChange.nothing(false);
        });
    }

    private void changeMoving(
            ResolvedMembership from,
            Subscriber asRead,
            Predicate<Subscriber> applies,
            Function<Subscriber, Subscriber> change,
            Function<Subscriber, List<Write>> further) {
        writer.change(from.name(), from.shard(), from.address(), current -> {
            if (current == null || !sameMove(asRead, current.value()) || !applies.test(current.value())) {
                return SubscriberChange.nothing(false);
            }
            Subscriber old = current.value();
            return SubscriberChange.store(change.apply(old), further.apply(old), stored -> true);
        });
    }

    private Subscriber arriving(
            ResolvedMembership to, Subscriber old, @Nullable Versioned<Subscriber> current, SubscriberGuid next) {
        SubscriberState before = current == null ? null : current.value().state();
        Bookkeeping bookkeeping =
                current == null ? Bookkeeping.NONE : current.value().bookkeeping();
        boolean sameAddress = to.address().folded().equals(old.address().folded());
        int episode = Math.max(bookkeeping.episode(), old.bookkeeping().episode()) + (sameAddress ? 0 : 1);
        return new Subscriber(
                to.name(),
                to.address(),
                next,
                SubscriberEvent.ARRIVING.requireAfter(before),
                old.profile(),
                old.list().equals(to.name()) ? old.createdAt() : time.instant(),
                old.consent(),
                bookkeeping
                        .withEpisode(episode)
                        .withMove(new Bookkeeping.Move(
                                null, new Membership(old.list(), old.address()), old.state(), null)));
    }

    /**
     * Returns the new row in its active state. A person who has not confirmed is asked to confirm the new address or
     * list.
     */
    private static Subscriber active(Subscriber arriving, SubscriberState target, Instant when) {
        Subscriber arrived = arriving.withBookkeeping(arriving.bookkeeping().withMove(arrived(arriving, when)));
        if (target == SubscriberState.SUBSCRIBED) {
            return arrived.after(SubscriberEvent.JOINED);
        }
        boolean asked = arrived.consent().latest(Declaration.Kind.ASKED_TO_JOIN).isPresent();
        return asked ? arrived.withChore(Bookkeeping.Chore.CONFIRMATION) : arrived;
    }

    private static Bookkeeping.@Nullable Move arrived(Subscriber subscriber, @Nullable Instant when) {
        Membership from = subscriber.bookkeeping().movedFrom();
        return from == null ? null : new Bookkeeping.Move(null, from, null, when);
    }
}
