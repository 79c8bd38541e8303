package org.azuremail.web.subscriber;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;

/** That somebody left: an admin who subscribes them again has to know it, and to answer for it. */
final class Withdrawal {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Withdrawal() {}

    /** A sentence about it; empty for whoever has not left. */
    static Optional<String> of(Subscriber subscriber) {
        return Optional.of(subscriber)
                .filter(person -> person.state() == SubscriberState.UNSUBSCRIBED
                        && person.movedTo().isEmpty())
                .map(person -> person.consent()
                        .latest(Declaration.Kind.LEFT)
                        .map(left -> "This person left on " + DATE.format(left.at()) + ", " + how(left) + ".")
                        .orElse("This person is not subscribed any more."));
    }

    private static String how(Declaration left) {
        return switch (left.how()) {
            case LINK, ONE_CLICK -> "by the link in a mail";
            case ADMIN -> "by " + left.by();
            case API -> "by the API key " + left.by();
            default -> "by " + left.by();
        };
    }

    /** What stands in the proof of consent then. */
    static Origin undoneBy(Origin admin, String left) {
        return new Origin(admin.how(), admin.by(), admin.ip(), "subscribed again on the admin's word. " + left);
    }
}
