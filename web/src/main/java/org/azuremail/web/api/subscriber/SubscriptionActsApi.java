package org.azuremail.web.api.subscriber;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Optional;
import org.azuremail.field.FieldStore;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
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
import org.azuremail.web.api.Lists;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.Tags;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.subscriber.SubscriberChanges;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The actions on a subscriber who is there, as on their page. */
@RestController
@RequestMapping("/api/v1/lists/{list}/subscriptions/{email}")
record SubscriptionActsApi(
        ListStore lists,
        SubscriptionStore store,
        Subscriptions subscriptions,
        SubscriberChanges changes,
        FieldStore listFields) {

    /**
     * A change of a subscriber: a missing value stays.
     *
     * @param list where they shall be
     * @param attributes those that are named; an empty one goes
     * @param again that who left is to be subscribed again, said on purpose
     */
    record SubscriptionChange(
            @Nullable String email,
            @Nullable String list,
            @Nullable String name,
            @Nullable Map<String, String> attributes,
            @Nullable Boolean verified,
            @Nullable Boolean again) {}

    /** Without {@code If-Match} on whatever is stored, with it only on what the caller has read. */
    @PatchMapping
    SubscriptionBody change(
            @PathVariable String list,
            @PathVariable String email,
            @RequestBody SubscriptionChange wanted,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal ApiKey key,
            HttpServletRequest request,
            HttpServletResponse response) {
        MailingList there = Lists.require(lists, list);
        Origin origin = Origin.api(key.label(), request.getRemoteAddr());
        EditResult result = ConditionalWrites.until("the subscriber", () -> {
            Versioned<Subscriber> seen = Subscribers.require(store, there, email);
            Tags.require(ifMatch, seen.etag());
            return Optional.of(change(there, seen, wanted, origin))
                    .filter(edit -> !(edit instanceof EditResult.Conflict));
        });
        if (result instanceof EditResult.Saved saved) {
            response.setHeader(HttpHeaders.ETAG, Tags.of(saved.subscriber().etag()));
            return SubscriptionBody.of(saved.subscriber().value(), listFields.of(there), null);
        }
        throw Subscribers.refusal(there, result);
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
            throw RefusedCall.conflict(
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

    /** For somebody who asks for it: no more mail of this list, also none of a message that is under way. */
    @PostMapping("/unsubscribe")
    SubscriptionBody unsubscribe(
            @PathVariable String list,
            @PathVariable String email,
            @AuthenticationPrincipal ApiKey key,
            HttpServletRequest request) {
        MailingList there = Lists.require(lists, list);
        EmailAddress address = Subscribers.require(store, there, email).value().address();
        subscriptions.leave(there.name(), address, Origin.api(key.label(), request.getRemoteAddr()));
        return SubscriptionBody.of(Subscribers.require(store, there, email).value(), listFields.of(there), null);
    }

    /** Mails the confirmation once more. */
    @PostMapping("/confirm-again")
    ResponseEntity<Joined> confirmAgain(
            @PathVariable String list,
            @PathVariable String email,
            @AuthenticationPrincipal ApiKey key,
            HttpServletRequest request) {
        MailingList there = Lists.require(lists, list);
        EmailAddress address = Subscribers.require(store, there, email).value().address();
        SubscribeResult result = subscriptions.resendConfirmation(
                there.name(), address, Origin.api(key.label(), request.getRemoteAddr()));
        if (result instanceof SubscribeResult.ConfirmationQueued) {
            return ResponseEntity.accepted()
                    .body(new Joined(list, address.value(), SubscriptionBody.word(SubscriberState.UNCONFIRMED)));
        }
        throw RefusedCall.conflict(
                result instanceof SubscribeResult.ConfirmationCapped ? ProblemCode.NOT_NOW : ProblemCode.STATE_FORBIDS,
                result instanceof SubscribeResult.ConfirmationCapped
                        ? "This address had its share of confirmation mails for today. Try again tomorrow."
                        : "There is nothing to confirm.");
    }
}
