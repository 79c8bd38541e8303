package org.azuremail.subscription;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.AdminEdits.EditReason;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.store.GuidRow;
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
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.Time;

/**
 * Moves a person to another address, another list, or both, in five batches. A crash may follow each of them:
 *
 * <ol>
 *   <li>the old row gets its target and a chore, and its GUID begins to forward;
 *   <li>the new row is created, inactive;
 *   <li>the old row is deactivated and gets a {@code left:} row; the {@link DepartureListener} is called;
 *   <li>the new row gets the state that the old one had;
 *   <li>the old row's chore is removed.
 * </ol>
 *
 * <p>The two rows are never active at the same time, so a fan-out in between sends an email to at most one of them.
 * While the chore exists, callers that change one of the two rows finish the move first; otherwise the scheduler does.
 * Repeating a step changes nothing.
 */
record Moves(
        ListStore lists,
        SubscriptionStore store,
        ShardWriter writer,
        MoveSteps steps,
        DepartureListener departures,
        IdSource ids,
        Time time) {

    public EditResult move(ResolvedMembership from, String etag, Membership to, Origin origin) {
        if (from.membership().isSameSubscriber(to)) {
            return retype(from, etag, to.address(), origin);
        }
        finishPendingMove(from.membership());
        finishPendingMove(to);
        Optional<EditResult> refused = refusal(from, to);
        if (refused.isPresent()) {
            return findCompleted(from, to).orElseGet(refused::get);
        }
        return resolve(to)
                .map(target -> move(from, etag, target, origin))
                .orElseGet(() -> new EditResult.NoSuchList(to.list()));
    }

    /** Returns the reason why a subscriber cannot move, as far as it is known before the move begins. */
    public Optional<EditResult> refusal(ResolvedMembership from, Membership to) {
        Optional<Versioned<Subscriber>> old = store.find(from.list(), from.address());
        Optional<ResolvedMembership> target = resolve(to).filter(ResolvedMembership::open);
        if (old.isEmpty() || target.isEmpty()) {
            return Optional.of(target.isEmpty() ? new EditResult.NoSuchList(to.list()) : new EditResult.Missing());
        }
        Optional<Versioned<Subscriber>> existing = store.find(target.get().list(), to.address());
        if (existing.isPresent() && !MoveSteps.isLeftByMove(existing.get().value())) {
            return Optional.of(new EditResult.AlreadyThere(existing.get()));
        }
        if (existing.filter(back -> departures.mayEmailBoth(old.get().value(), back.value()))
                .isPresent()) {
            return Optional.of(new EditResult.NotPossible(
                    old.get(),
                    Reason.of(EditReason.MOVE_EMAIL_WAITS, to.address().value())));
        }
        return findObstacle(old.get(), target.get().list());
    }

    /** Returns the conflict if the subscriber has changed since the caller read it. */
    private static Optional<EditResult> findConflict(Versioned<Subscriber> current, String etag) {
        boolean asSeen =
                current.etag().equals(etag) && !current.value().bookkeeping().moving();
        return asSeen ? Optional.empty() : Optional.of(new EditResult.Conflict(current));
    }

    /** Returns the reason why this subscriber cannot move to that list, regardless of the address. */
    private static Optional<EditResult> findObstacle(Versioned<Subscriber> current, MailingList to) {
        if (SubscriberEvent.MOVED.after(current.value().state()).isEmpty()) {
            return Optional.of(new EditResult.NotPossible(current, Reason.of(EditReason.MOVE_STATE)));
        }
        TreeSet<String> attributes = new TreeSet<>(to.attributes());
        attributes.addAll(current.value().profile().attributes().keySet());
        return attributes.size() <= MailingList.MAX_ATTRIBUTES
                ? Optional.empty()
                : Optional.of(new EditResult.NotPossible(
                        current, Reason.of(EditReason.MOVE_ATTRIBUTES, to.name().value(), MailingList.MAX_ATTRIBUTES)));
    }

    /** Finishes the move to which this row belongs, if any. */
    public void finishPendingMove(Membership membership) {
        Optional<ResolvedMembership> place = resolve(membership);
        Optional<Subscriber> row = place.flatMap(this::row);
        if (place.isEmpty() || row.isEmpty() || !row.get().bookkeeping().moving()) {
            return;
        }
        Bookkeeping bookkeeping = row.get().bookkeeping();
        if (bookkeeping.chore() == Bookkeeping.Chore.MOVE) {
            finish(place.get());
        }
        Membership from = bookkeeping.movedFrom();
        if (bookkeeping.targetState() != null && from != null) {
            Optional<ResolvedMembership> source = resolve(from);
            source.ifPresent(this::finish);
            if (source.flatMap(this::moving).isEmpty()) {
                steps.forgetOrphan(place.get());
            }
        }
    }

    private EditResult retype(ResolvedMembership from, String etag, EmailAddress to, Origin origin) {
        return writer.change(from.name(), from.shard(), from.address(), current -> {
            if (current == null) {
                return SubscriberChange.nothing(new EditResult.Missing());
            }
            Optional<EditResult> refusal = findConflict(current, etag);
            if (refusal.isPresent()) {
                return SubscriberChange.nothing(refusal.get());
            }
            Subscriber subscriber = current.value();
            Membership typed = new Membership(from.name(), to);
            return SubscriberChange.store(
                    declared(subscriber.withAddress(to), from, typed, origin), EditResult.Saved::new);
        });
    }

    private EditResult move(ResolvedMembership from, String etag, ResolvedMembership to, Origin origin) {
        EditResult begun = begin(from, etag, to, origin);
        if (!(begun instanceof EditResult.Saved)) {
            return begun;
        }
        finish(from);
        Membership target = to.membership();
        return findCompleted(from, target).or(() -> refusal(from, target)).orElseGet(EditResult.Missing::new);
    }

    private EditResult begin(ResolvedMembership from, String etag, ResolvedMembership to, Origin origin) {
        SubscriberGuid next = SubscriberGuid.next(to.shard(), ids);
        GuidRow.Forward forward = new GuidRow.Forward(
                to.name(), next, from.address().folded().equals(to.address().folded()));
        Optional<EditResult> unseen = store.find(from.list(), from.address())
                .map(now -> findConflict(now, etag))
                .orElseGet(() -> Optional.of(new EditResult.Missing()));
        if (unseen.isPresent()) {
            return unseen.get();
        }
        copyAttributes(from, to.list());
        return writer.change(from.name(), from.shard(), from.address(), current -> {
            if (current == null) {
                return SubscriberChange.nothing(new EditResult.Missing());
            }
            Optional<EditResult> refusal = findConflict(current, etag).or(() -> findObstacle(current, to.list()));
            if (refusal.isPresent()) {
                return SubscriberChange.nothing(refusal.get());
            }
            Subscriber subscriber = current.value();
            Bookkeeping bookkeeping = subscriber
                    .bookkeeping()
                    .withChore(Bookkeeping.Chore.MOVE)
                    .withMove(subscriber.bookkeeping().startMove(to.membership()));
            return SubscriberChange.store(
                    declared(subscriber.withBookkeeping(bookkeeping), from, to.membership(), origin),
                    List.of(new GuidRow(subscriber.address(), forward).upsert(subscriber.guid())),
                    EditResult.Saved::new);
        });
    }

    private void copyAttributes(ResolvedMembership from, MailingList to) {
        if (from.name().equals(to.name())) {
            return;
        }
        TreeSet<String> carried = row(from)
                .map(subscriber ->
                        new TreeSet<>(subscriber.profile().attributes().keySet()))
                .orElseGet(TreeSet::new);
        if (!to.attributes().containsAll(carried)) {
            lists.addAttributes(to.name(), carried);
        }
    }

    private void finish(ResolvedMembership from) {
        Optional<Subscriber> found = moving(from);
        if (found.isEmpty()) {
            return;
        }
        Subscriber old = found.get();
        GuidRow.Forward forward =
                store.guidRow(old.list(), old.guid()).map(GuidRow::forward).orElse(null);
        Membership to = old.bookkeeping().movedTo();
        if (!isSameMove(from, old)) {
            return;
        }
        if (forward == null || to == null) {
            steps.giveUp(from, old);
            return;
        }
        Optional<ResolvedMembership> target = resolve(to);
        if (old.state() != SubscriberState.UNSUBSCRIBED) {
            boolean arrived = target.filter(ResolvedMembership::open)
                    .filter(existing -> steps.arrive(existing, old, forward.guid()))
                    .isPresent();
            if (!arrived) {
                steps.giveUp(from, old);
                return;
            }
            steps.deactivate(from, old, forward);
        }
        departures.notifyDeparture(old);
        if (isSameMove(from, old)) {
            target.ifPresent(existing -> steps.activate(existing, forward.guid()));
            steps.endChore(from, old);
        } else {
            target.ifPresent(existing -> steps.removeLateArrival(existing, forward.guid()));
        }
    }

    /** Returns whether the move that was read is still under way, so that everything read since belongs to it. */
    private boolean isSameMove(ResolvedMembership from, Subscriber old) {
        return moving(from).filter(now -> MoveSteps.sameMove(old, now)).isPresent();
    }

    private Optional<ResolvedMembership> resolve(Membership membership) {
        return resolve(lists, membership);
    }

    static Optional<ResolvedMembership> resolve(ListStore lists, Membership membership) {
        return lists.findValue(membership.list()).map(list -> new ResolvedMembership(list, membership.address()));
    }

    private Optional<Subscriber> row(ResolvedMembership place) {
        return store.find(place.list(), place.address()).map(Versioned::value);
    }

    private Optional<Subscriber> moving(ResolvedMembership from) {
        return row(from).filter(subscriber -> subscriber.bookkeeping().chore() == Bookkeeping.Chore.MOVE);
    }

    /** Returns the new row if this very move is finished. */
    private Optional<EditResult> findCompleted(ResolvedMembership from, Membership to) {
        boolean done = row(from)
                .map(old -> old.bookkeeping().movedTo())
                .filter(to::isSameSubscriber)
                .isPresent();
        return done
                ? resolve(to)
                        .flatMap(existing -> store.find(existing.list(), existing.address()))
                        .map(EditResult.Saved::new)
                : Optional.empty();
    }

    private Subscriber declared(Subscriber subscriber, ResolvedMembership from, Membership to, Origin origin) {
        boolean stays = from.name().equals(to.list());
        Declaration.Kind kind = stays ? Declaration.Kind.ADDRESS_CHANGED : Declaration.Kind.LIST_CHANGED;
        Reason detail = stays
                ? Reason.of(ReasonCode.MOVED_FROM, from.address().value())
                : Reason.of(
                        ReasonCode.MOVED_FROM_TO,
                        from.address().value(),
                        from.name().value(),
                        to.address().value(),
                        to.list().value());
        return subscriber.withDeclaration(
                Declaration.of(kind, time.instant(), origin).withDetail(detail.stored()));
    }
}
