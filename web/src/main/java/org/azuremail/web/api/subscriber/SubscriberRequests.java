package org.azuremail.web.api.subscriber;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;

/** Finds the subscribers that calls name, reads their data, and refuses impossible changes. */
final class SubscriberRequests {

    private SubscriberRequests() {}

    static Versioned<Subscriber> require(SubscriptionStore store, MailingList list, String email) {
        return EmailAddress.candidates(email).stream()
                .map(address -> store.find(list, address))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> notSubscribed(list, email));
    }

    static RefusedCall notSubscribed(MailingList list, String email) {
        return RefusedCall.notFound("Nobody is on the list " + list.name() + " with the address " + email + ".");
    }

    /**
     * Reads a person's values for the fields of the list.
     *
     * @param before the profile that the call changes, in which an empty value removes the old one; {@code null} for a
     *     new subscriber
     */
    static Profile profile(
            MailingList list,
            FieldStore store,
            @Nullable Profile before,
            @Nullable String typedName,
            @Nullable Map<String, String> typed,
            RequestFields fields) {
        Profile old = before == null ? Profile.NONE : before;
        String name = typedName == null ? old.name() : fields.line("name", typedName);
        Map<String, String> attributes = typed == null ? Map.of() : typed;
        if (before == null && attributes.values().stream().anyMatch(Objects::isNull)) {
            fields.refuse("attributes", "An attribute is a text, in quotes; an empty one is left out.");
            return Profile.NONE;
        }
        Map<String, String> sent = new TreeMap<>();
        attributes.forEach((key, value) -> sent.put(key, value == null ? "" : value));
        for (String attribute : attributes.keySet()) {
            boolean goes = before != null && sent.getOrDefault(attribute, "").isBlank();
            if (!goes && !list.attributes().contains(attribute)) {
                fields.refuse("attributes", "The list has no attribute " + attribute + known(list.attributes()));
                return Profile.NONE;
            }
        }
        ListFields.Checked checked = sent.isEmpty() ? NOTHING : store.of(list).check(sent);
        checked.refused().forEach((field, why) -> fields.refuse("attributes." + field, why.words() + "."));
        Map<String, String> all = new TreeMap<>(old.attributes());
        all.keySet().removeAll(sent.keySet());
        all.putAll(checked.stored());
        try {
            return new Profile(name, all);
        } catch (Profile.InvalidProfileException refused) {
            fields.refuse("attributes", "Refused: " + refused.reason().words() + ".");
            return Profile.NONE;
        }
    }

    private static final ListFields.Checked NOTHING = new ListFields.Checked(Map.of(), Map.of());

    private static String known(Set<String> attributes) {
        return attributes.isEmpty()
                ? ", nor any other. Add a field, or import one."
                : "; it has: " + String.join(", ", attributes) + ".";
    }

    static RefusedCall refusal(MailingList list, EditResult result) {
        if (result instanceof EditResult.AlreadyThere existing) {
            Subscriber current = existing.current().value();
            return new RefusedCall(
                    ProblemCode.ALREADY_THERE,
                    current.address() + " is on the list " + current.list() + " already ("
                            + SubscriptionBody.word(current.state()) + "). Nothing was changed.");
        }
        if (result instanceof EditResult.NotPossible not) {
            return new RefusedCall(ProblemCode.STATE_FORBIDS, not.reason().words());
        }
        if (result instanceof EditResult.NoSuchList no) {
            return new RefusedCall(
                    ProblemCode.LIST_GONE,
                    "The list " + no.list() + " no longer exists, or it is being deleted. Nothing was changed.");
        }
        return RefusedCall.notFound("The subscriber is not on the list " + list.name() + " any more.");
    }
}
