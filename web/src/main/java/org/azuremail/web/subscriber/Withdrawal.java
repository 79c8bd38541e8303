package org.azuremail.web.subscriber;

import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;

/** How a person unsubscribed: an admin must know it before subscribing them again. */
public enum Withdrawal implements Reason.Code {
    LEFT_BY_LINK,
    LEFT_BY,
    LEFT_BY_KEY,
    LEFT_SOMEHOW,
    SUBSCRIBED_AGAIN;

    /** Returns how a person unsubscribed; empty for a person who has not. */
    public static Optional<Reason> of(Subscriber subscriber) {
        return Optional.of(subscriber)
                .filter(person -> person.state() == SubscriberState.UNSUBSCRIBED
                        && person.movedTo().isEmpty())
                .map(person -> person.consent()
                        .latest(Declaration.Kind.LEFT)
                        .map(Withdrawal::by)
                        .orElse(Reason.of(LEFT_SOMEHOW)));
    }

    private static Reason by(Declaration left) {
        return switch (left.how()) {
            case LINK, ONE_CLICK -> Reason.of(LEFT_BY_LINK, left.at());
            case API -> Reason.of(LEFT_BY_KEY, left.at(), left.by());
            default -> Reason.of(LEFT_BY, left.at(), left.by());
        };
    }

    /** The words of the proof of consent. */
    public static Origin undoneBy(Origin admin, Reason left) {
        return new Origin(
                admin.how(),
                admin.by(),
                admin.ip(),
                Reason.of(SUBSCRIBED_AGAIN, left).stored());
    }
}
