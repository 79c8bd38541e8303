package org.azuremail.subscription;

import java.util.List;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Another address for the same person, in five batches, each of which may be the last before a crash:
 *
 * <ol>
 *   <li>the old row says where it goes, its GUID begins to forward;
 *   <li>the new row is made, inactive;
 *   <li>the old row is deactivated and has a {@code left:} row; whoever mails is told;
 *   <li>the new row becomes what the old one was;
 *   <li>the old row's chore is done.
 * </ol>
 *
 * <p>At no time are both active, so a fan-out in between mails at most one. While the chore stands, everybody who wants to
 * change one of the two finishes it first, and the scheduler does when nobody comes. Repeating any step changes nothing.
 */
final class AddressChange {

    private final SubscriptionStore store;
    private final ShardWriter writer;
    private final MoveSteps steps;
    private final Departures departures;
    private final IdSource ids;
    private final Time time;

    AddressChange(
            SubscriptionStore store,
            ShardWriter writer,
            MoveSteps steps,
            Departures departures,
            IdSource ids,
            Time time) {
        this.store = store;
        this.writer = writer;
        this.steps = steps;
        this.departures = departures;
        this.ids = ids;
        this.time = time;
    }

    EditResult change(MailingList list, EmailAddress from, String etag, EmailAddress to, Origin origin) {
        if (from.folded().equals(to.folded())) {
            return retype(list, from, etag, to, origin);
        }
        settle(list, from);
        settle(list, to);
        Optional<Versioned<Subscriber>> there = store.find(list, to);
        if (there.isPresent() && !MoveSteps.mayReturn(there.get().value())) {
            return outcome(list, from, to);
        }
        EditResult begun = begin(list, from, etag, to, origin);
        if (!(begun instanceof EditResult.Saved)) {
            return begun;
        }
        finish(list, from);
        return outcome(list, from, to);
    }

    /** Finishes the change of address that this row is part of, if any. */
    void settle(MailingList list, EmailAddress address) {
        Optional<Subscriber> row = store.find(list, address).map(Versioned::value);
        if (row.isEmpty() || !row.get().marks().moving()) {
            return;
        }
        Marks marks = row.get().marks();
        if (marks.chore() == Marks.Chore.MOVE) {
            finish(list, address);
        }
        EmailAddress from = marks.movedFrom();
        if (marks.arrivesAs() != null && from != null) {
            finish(list, from);
            if (moving(list, from).isEmpty()) {
                steps.forgetOrphan(list, address);
            }
        }
    }

    private EditResult retype(MailingList list, EmailAddress from, String etag, EmailAddress to, Origin origin) {
        return writer.change(list.name(), list.shardOf(from), from, current -> {
            Optional<EditResult> refusal = refusal(current, etag);
            if (refusal.isPresent() || current == null) {
                return Change.nothing(refusal.orElseGet(EditResult.Missing::new));
            }
            Subscriber subscriber = current.value();
            return Change.store(declared(subscriber.withAddress(to), from, origin), EditResult.Saved::new);
        });
    }

    private EditResult begin(MailingList list, EmailAddress from, String etag, EmailAddress to, Origin origin) {
        SubscriberGuid next = SubscriberGuid.next(list.shardOf(to), ids);
        return writer.change(list.name(), list.shardOf(from), from, current -> {
            Optional<EditResult> refusal = refusal(current, etag);
            if (refusal.isPresent() || current == null) {
                return Change.nothing(refusal.orElseGet(EditResult.Missing::new));
            }
            Subscriber subscriber = current.value();
            if (Transitions.after(subscriber.state(), SubscriberEvent.MOVED).isEmpty()) {
                return Change.nothing(new EditResult.NotPossible(
                        current, "Only who is subscribed or unconfirmed can get another address."));
            }
            Marks marks = subscriber
                    .marks()
                    .withChore(Marks.Chore.MOVE)
                    .withMove(new Marks.Move(to, subscriber.marks().movedFrom(), null));
            return Change.store(
                    declared(subscriber.withMarks(marks), from, origin),
                    List.of(new GuidRow(subscriber.address(), next).upsert(subscriber.guid())),
                    EditResult.Saved::new);
        });
    }

    private static Optional<EditResult> refusal(@Nullable Versioned<Subscriber> current, String etag) {
        if (current == null) {
            return Optional.of(new EditResult.Missing());
        }
        boolean asSeen = current.etag().equals(etag) && !current.value().marks().moving();
        return asSeen ? Optional.empty() : Optional.of(new EditResult.Conflict(current));
    }

    private void finish(MailingList list, EmailAddress from) {
        Optional<Subscriber> found = moving(list, from);
        if (found.isEmpty()) {
            return;
        }
        Subscriber old = found.get();
        SubscriberGuid next =
                store.guidRow(old.list(), old.guid()).map(GuidRow::forward).orElse(null);
        EmailAddress to = old.marks().movedTo();
        if (next == null || to == null) {
            steps.giveUp(list, from);
            return;
        }
        if (old.state() != SubscriberState.UNSUBSCRIBED) {
            if (!steps.arrive(list, old, to, next)) {
                steps.giveUp(list, from);
                return;
            }
            steps.deactivate(list, from, next);
        }
        departures.tell(old);
        if (moving(list, from).isPresent()) {
            steps.activate(list, to, next);
            steps.endChore(list, from);
        }
    }

    private Optional<Subscriber> moving(MailingList list, EmailAddress from) {
        return store.find(list, from)
                .map(Versioned::value)
                .filter(subscriber -> subscriber.marks().chore() == Marks.Chore.MOVE);
    }

    private EditResult outcome(MailingList list, EmailAddress from, EmailAddress to) {
        Optional<Versioned<Subscriber>> there = store.find(list, to);
        if (there.isEmpty()) {
            return new EditResult.Missing();
        }
        EmailAddress gone =
                store.find(list, from).map(old -> old.value().marks().movedTo()).orElse(null);
        boolean done = gone != null && gone.folded().equals(to.folded());
        return done ? new EditResult.Saved(there.get()) : new EditResult.AlreadyThere(there.get());
    }

    private Subscriber declared(Subscriber subscriber, EmailAddress from, Origin origin) {
        Declaration declaration = Declaration.of(Declaration.Kind.ADDRESS_CHANGED, time.instant(), origin);
        return subscriber.withConsent(subscriber.consent().plus(declaration.withDetail("from " + from)));
    }
}
