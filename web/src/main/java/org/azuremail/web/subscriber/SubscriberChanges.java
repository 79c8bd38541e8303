package org.azuremail.web.subscriber;

import java.util.Optional;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.springframework.stereotype.Component;

/** Changes a subscriber's profile, state and place in one operation, for the page and for the API. */
@Component
public record SubscriberChanges(Subscriptions subscriptions) {

    public record Wanted(Membership place, Profile profile, boolean verified) {}

    /**
     * The result of an attempt.
     *
     * @param next the version on which the next attempt is based
     */
    public record Saving(EditResult result, Versioned<Subscriber> next) {}

    /**
     * Saves the person's data first, then the place, each under the ETag that the previous step returned. A move to a
     * place that is taken is refused before anything is saved.
     */
    public Saving save(Versioned<Subscriber> seen, Wanted wanted, Origin origin) {
        Subscriber stored = seen.value();
        Membership present = new Membership(stored.list(), stored.address());
        Optional<EditResult> refusal = subscriptions.refusalOfMove(present, wanted.place());
        if (refusal.isPresent()) {
            return new Saving(refusal.get(), seen);
        }
        EditResult edited = subscriptions.adminEdit(
                present.list(), present.address(), seen.etag(), wanted.profile(), wanted.verified(), origin);
        if (!(edited instanceof EditResult.Saved saved) || present.equals(wanted.place())) {
            return new Saving(edited, seen);
        }
        Versioned<Subscriber> next = saved.subscriber();
        return new Saving(subscriptions.move(present, next.etag(), wanted.place(), origin), next);
    }
}
