package org.azuremail.subscription;

import java.util.Optional;
import org.azuremail.list.ListUse;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.time.Time;

/** Removes people: they leave first, and their rows go once no message of the list needs to know that they left. */
final class Erasures {

    private final ShardWriter writer;
    private final Departures departures;
    private final ListUse use;
    private final Time time;

    Erasures(ShardWriter writer, Departures departures, ListUse use, Time time) {
        this.writer = writer;
        this.departures = departures;
        this.use = use;
        this.time = time;
    }

    Subscriptions.Erasure erase(MailingList list, EmailAddress address, Origin origin) {
        Optional<Subscriber> gone = leaveForGood(list, address, origin);
        if (gone.isEmpty()) {
            return Subscriptions.Erasure.MISSING;
        }
        departures.tell(gone.get());
        return finish(list, address) ? Subscriptions.Erasure.ERASED : Subscriptions.Erasure.SCHEDULED;
    }

    /** @return false while a message of the list is on its way */
    boolean finish(MailingList list, EmailAddress address) {
        if (use.inUse(list.name())) {
            return false;
        }
        EmailAddress erased = address;
        Optional<EmailAddress> former = remove(list, address);
        while (former.isPresent()) {
            EmailAddress next = former.get();
            former = removeMoved(list, next, erased);
            erased = next;
        }
        return true;
    }

    private Optional<Subscriber> leaveForGood(MailingList list, EmailAddress address, Origin origin) {
        Declaration asked = Declaration.of(Declaration.Kind.ERASURE_ASKED, time.instant(), origin);
        return writer.change(list.name(), list.shardOf(address), address, current -> {
            if (current == null) {
                return Change.nothing(Optional.empty());
            }
            Subscriber subscriber = current.value();
            if (subscriber.marks().chore() == Marks.Chore.ERASURE) {
                return Change.nothing(Optional.of(subscriber));
            }
            return Change.store(leaving(subscriber, asked), stored -> Optional.of(stored.value()));
        });
    }

    private static Subscriber leaving(Subscriber subscriber, Declaration asked) {
        Marks marks = subscriber.marks().withChore(Marks.Chore.ERASURE);
        if (Transitions.after(subscriber.state(), SubscriberEvent.LEFT).isPresent()) {
            return subscriber.withMarks(marks.withLeftAt(asked.at())).after(SubscriberEvent.LEFT, asked);
        }
        return subscriber.withMarks(marks).withConsent(subscriber.consent().plus(asked));
    }

    /** @return the address before this one */
    private Optional<EmailAddress> remove(MailingList list, EmailAddress address) {
        return writer.change(list.name(), list.shardOf(address), address, current -> {
            if (current == null || current.value().marks().chore() != Marks.Chore.ERASURE) {
                return Change.nothing(Optional.empty());
            }
            return Change.remove(Optional.ofNullable(current.value().marks().movedFrom()));
        });
    }

    /** The person's earlier address, unless somebody is at home there again. */
    private Optional<EmailAddress> removeMoved(MailingList list, EmailAddress former, EmailAddress movedTo) {
        return writer.change(list.name(), list.shardOf(former), former, current -> {
            EmailAddress to = current == null ? null : current.value().marks().movedTo();
            if (current == null || to == null || !to.folded().equals(movedTo.folded())) {
                return Change.nothing(Optional.empty());
            }
            return Change.remove(Optional.ofNullable(current.value().marks().movedFrom()));
        });
    }
}
