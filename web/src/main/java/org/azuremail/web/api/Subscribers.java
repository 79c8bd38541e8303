package org.azuremail.web.api;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.edit.EditResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;

/** Subscribers as calls name them, and what is said where they cannot be as a call wants them. */
final class Subscribers {

    private Subscribers() {}

    static Versioned<Subscriber> require(SubscriptionStore store, MailingList list, String email) {
        return EmailAddress.meant(email).stream()
                .map(address -> store.find(list, address))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> nobody(list, email));
    }

    static RefusedCall nobody(MailingList list, String email) {
        return RefusedCall.notFound("Nobody is on the list " + list.name() + " with the address " + email + ".");
    }

    /** What is known about a person, as far as the list knows it; what is wrong stands among the fields. */
    static Profile profile(
            MailingList list, @Nullable String typedName, @Nullable Map<String, String> typed, Fields fields) {
        String name = fields.line("name", typedName);
        Map<String, String> attributes = typed == null ? Map.of() : typed;
        if (attributes.values().stream().anyMatch(Objects::isNull)) {
            fields.refuse("attributes", "An attribute is a text, in quotes; an empty one is left out.");
            return Profile.NONE;
        }
        for (String attribute : attributes.keySet()) {
            if (!list.attributes().contains(attribute)) {
                fields.refuse("attributes", "The list has no attribute " + attribute + known(list.attributes()));
                return Profile.NONE;
            }
        }
        try {
            return new Profile(name, attributes);
        } catch (IllegalArgumentException refused) {
            fields.refuse("attributes", "Refused: " + refused.getMessage() + ".");
            return Profile.NONE;
        }
    }

    private static String known(Set<String> attributes) {
        return attributes.isEmpty()
                ? ", nor any other. Imports bring them."
                : "; it has: " + String.join(", ", attributes) + ".";
    }

    static RefusedCall refusal(MailingList list, EditResult result) {
        if (result instanceof EditResult.AlreadyThere there) {
            Subscriber current = there.current().value();
            return RefusedCall.conflict(
                    ProblemCode.ALREADY_THERE,
                    current.address() + " is on the list " + current.list() + " already ("
                            + SubscriptionBody.word(current.state()) + "). Nothing was changed.");
        }
        if (result instanceof EditResult.NotPossible not) {
            return RefusedCall.conflict(ProblemCode.STATE_FORBIDS, not.reason());
        }
        if (result instanceof EditResult.NoSuchList no) {
            return RefusedCall.conflict(
                    ProblemCode.LIST_GONE,
                    "The list " + no.list() + " is gone, or it is being deleted. Nothing was changed.");
        }
        return RefusedCall.notFound("The subscriber is not on the list " + list.name() + " any more.");
    }
}
