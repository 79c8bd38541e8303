package org.azuremail.web.subscriber;

import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;

/** The ways in which a person unsubscribed. An admin must know the way before subscribing that person again. */
public enum Withdrawal implements Reason.Code {
    LEFT_BY_LINK,
    LEFT_BY,
    LEFT_BY_KEY,
    LEFT_SOMEHOW,
    SUBSCRIBED_AGAIN;

    /** Returns the way in which a person unsubscribed; empty if they did not. */
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

    /** Returns the origin that the proof of consent records when an admin subscribes the person again. */
    public static Origin undoneBy(Origin admin, Reason left) {
        return new Origin(
                admin.how(),
                admin.by(),
                admin.ip(),
                Reason.of(SUBSCRIBED_AGAIN, left).stored());
    }
}
