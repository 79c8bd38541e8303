package org.azuremail.web.api.subscriber;

import java.util.Map;
import java.util.Optional;
import org.azuremail.field.FieldStore;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.edit.EditResult;
import org.azuremail.subscription.join.SubscribeResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.api.Fields;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.Tags;
import org.azuremail.web.subscriber.SubscriberChanges;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Changes and unsubscribes a subscriber, and repeats the confirmation, as their page does. */
@RestController
@RequestMapping("/api/v1/lists/{list}/subscriptions/{email}")
record SubscriptionActsApi(
        SubscriptionStore store, Subscriptions subscriptions, SubscriberChanges changes, FieldStore listFields) {

    /**
     * A change of a subscriber: a missing value stays.
     *
     * @param list to which they move
     * @param attributes the named ones change; an empty value removes one
     * @param again to subscribe somebody who unsubscribed
     */
    record SubscriptionChange(
            @Nullable String email,
            @Nullable String list,
            @Nullable String name,
            @Nullable Map<String, String> attributes,
            @Nullable Boolean verified,
            @Nullable Boolean again) {}

    /** Changes any version; with {@code If-Match} only the one that the caller has read. */
    @PatchMapping
    SubscriptionBody change(
            @PathVariable String email,
            @RequestBody SubscriptionChange wanted,
            Tags tags,
            Origin origin,
            MailingList list) {
        EditResult result = ConditionalWrites.until("the subscriber", () -> {
            Versioned<Subscriber> seen = Subscribers.require(store, list, email);
            tags.require(seen.etag());
            return Optional.of(change(list, seen, wanted, origin))
                    .filter(edit -> !(edit instanceof EditResult.Conflict));
        });
        if (result instanceof EditResult.Saved saved) {
            tags.answer(saved.subscriber().etag());
            return SubscriptionBody.of(saved.subscriber().value(), listFields.of(list), null);
        }
        throw Subscribers.refusal(list, result);
    }

    private EditResult change(MailingList list, Versioned<Subscriber> seen, SubscriptionChange wanted, Origin origin) {
        Subscriber old = seen.value();
        Fields fields = new Fields();
        Optional<EmailAddress> address =
                wanted.email() == null ? Optional.of(old.address()) : fields.requiredAddress("email", wanted.email());
        Optional<ListName> target = wanted.list() == null
                ? Optional.of(old.list())
                : fields.required("list", wanted.list(), ListName::parse, ListName.RULE);
        Profile profile =
                Subscribers.profile(list, listFields, old.profile(), wanted.name(), wanted.attributes(), fields);
        fields.check();
        boolean verified = wanted.verified() == null ? old.verified() : wanted.verified();
        Optional<Reason> left = SubscriberChanges.withdrawal(old).filter(gone -> verified);
        if (left.isPresent() && !Boolean.TRUE.equals(wanted.again())) {
            throw new RefusedCall(
                    ProblemCode.HAS_LEFT, left.get().words() + " Say again: true only if you have their word for it.");
        }
        Membership place = new Membership(target.orElseThrow(), address.orElseThrow());
        return changes.save(
                        seen,
                        new SubscriberChanges.Wanted(place, profile, verified),
                        left.map(gone -> SubscriberChanges.undoing(gone, origin))
                                .orElse(origin))
                .result();
    }

    /** Ends all email of this list, also that of a message that is being sent. */
    @PostMapping("/unsubscribe")
    SubscriptionBody unsubscribe(@PathVariable String email, Origin origin, MailingList list) {
        EmailAddress address = Subscribers.require(store, list, email).value().address();
        subscriptions.leave(list.name(), address, origin);
        return SubscriptionBody.of(Subscribers.require(store, list, email).value(), listFields.of(list), null);
    }

    /** Sends the confirmation email once more. */
    @PostMapping("/confirm-again")
    ResponseEntity<Joined> confirmAgain(@PathVariable String email, Origin origin, MailingList list) {
        EmailAddress address = Subscribers.require(store, list, email).value().address();
        SubscribeResult result = subscriptions.resendConfirmation(list.name(), address, origin);
        if (result instanceof SubscribeResult.ConfirmationQueued) {
            return ResponseEntity.accepted()
                    .body(new Joined(
                            list.name().value(), address.value(), SubscriptionBody.word(SubscriberState.UNCONFIRMED)));
        }
        throw result instanceof SubscribeResult.ConfirmationCapped
                ? new RefusedCall(
                        ProblemCode.NOT_NOW,
                        "This address had its share of confirmation mails for today. Try again tomorrow.")
                : new RefusedCall(ProblemCode.STATE_FORBIDS, "There is nothing to confirm.");
    }
}
