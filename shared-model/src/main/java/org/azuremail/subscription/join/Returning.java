package org.azuremail.subscription.join;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.subscription.confirmation.ConfirmationSeals;
import org.azuremail.subscription.edit.SettledWriter;
import org.azuremail.subscription.store.Change;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.Time;

/** A person who has just unsubscribed takes it back, on the page that told them so. */
public record Returning(ListStore lists, SettledWriter writer, ConfirmationSeals seals, Time time) {

    /** The time after the departure within which somebody may come back. */
    public static final Duration WINDOW = Duration.ofMinutes(30);

    private static final String WORDING = "subscribed again right after unsubscribing";

    /** The proof that has to come back with the click. */
    public String proof(Subscriber left) {
        return seals.comeBack(left);
    }

    /** @return the subscriber, also when the click is repeated; empty when it proves nothing, or comes too late */
    public Optional<Subscriber> comeBack(ListName name, SubscriberGuid guid, String proof, Origin origin) {
        Instant now = time.instant();
        Origin again = new Origin(origin.how(), origin.by(), origin.ip(), WORDING);
        Declaration joined = Declaration.of(Declaration.Kind.JOINED, now, again);
        return writer.<Optional<Subscriber>>change(name, guid, read -> {
                    Subscriber current = read.value();
                    if (lists.findActive(current.list()).isEmpty() || !seals.fitsComeBack(proof, current)) {
                        return Change.nothing(Optional.empty());
                    }
                    if (current.verified()) {
                        return Change.nothing(Optional.of(current));
                    }
                    return mayReturn(current, now)
                            ? Change.store(
                                    current.after(SubscriberEvent.RETURNED, joined),
                                    stored -> Optional.of(stored.value()))
                            : Change.nothing(Optional.empty());
                })
                .flatMap(back -> back);
    }

    private static boolean mayReturn(Subscriber left, Instant now) {
        Instant leftAt = left.bookkeeping().leftAt();
        return left.state() == SubscriberState.UNSUBSCRIBED
                && left.movedTo().isEmpty()
                && left.bookkeeping().chore() == null
                && leftAt != null
                && now.isBefore(leftAt.plus(WINDOW));
    }
}
