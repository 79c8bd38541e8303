package org.azuremail.web.api.subscriber;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.index.FieldIndex;
import org.azuremail.subscription.store.SubscriberFilter;
import org.azuremail.subscription.store.SubscriberFilter.FieldSearch;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.subscriber.SubscriberChanges;
import org.azuremail.web.subscriber.Withdrawal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The subscribers of a list. */
@RestController
@RequestMapping("/api/v1/lists/{list}/subscriptions")
record SubscriptionApi(
        SubscriptionStore store,
        SubscriberPages pages,
        Subscriptions subscriptions,
        SubscriberChanges changes,
        FieldStore listFields,
        FieldIndex index) {

    /**
     * @param verified whether the person consented; only with an admin key, which then adds the person without an email
     */
    record NewSubscription(
            @Nullable String email,
            @Nullable String name,
            @Nullable Map<String, String> attributes,
            @Nullable Boolean verified) {}

    /**
     * The changes to a subscriber. A missing value leaves a field unchanged.
     *
     * @param list the list to which the subscriber moves
     * @param attributes the attributes that change; an empty value removes an attribute
     * @param again whether to subscribe a person who has unsubscribed
     */
    record SubscriptionChange(
            @Nullable String email,
            @Nullable String list,
            @Nullable String name,
            @Nullable Map<String, String> attributes,
            @Nullable Boolean verified,
            @Nullable Boolean again) {}

    /** @param why the reason for the history, at most {@value Subscriptions#MAX_REASON_LENGTH} characters long */
    record ReasonBody(@Nullable String why) {}

    /** The answer to a partner: the state, and otherwise only what the partner sent. */
    record Joined(String list, String email, String state) {}

    @PostMapping
    ResponseEntity<Joined> subscribe(
            @RequestBody NewSubscription wanted,
            @PathVariable("list") String name,
            ApiKey key,
            Idempotency idempotency,
            Origin origin,
            Supplier<MailingList> asked) {
        if (wanted.verified() != null && key.scope() != ApiKey.Scope.ADMIN) {
            throw new RefusedCall(ProblemCode.FORBIDDEN, "Only an admin key may say whether somebody is verified.");
        }
        Optional<EmailAddress> address = Optional.ofNullable(wanted.email()).flatMap(EmailAddress::parse);
        ResponseEntity<Void> answer = idempotency.answer(wanted, Void.class, () -> "", attempt -> {
            MailingList list = asked.get();
            Optional<HttpStatus> before = address.filter(email -> attempt.resumed())
                    .flatMap(email -> joinedSince(list, email, origin, attempt.startedAt()));
            return ResponseEntity.status(before.orElseGet(() -> join(list, wanted, origin)))
                    .build();
        });
        EmailAddress email = address.orElseThrow();
        boolean atOnce = answer.getStatusCode() == HttpStatus.CREATED && !Boolean.FALSE.equals(wanted.verified());
        SubscriberState state = atOnce ? SubscriberState.SUBSCRIBED : SubscriberState.UNCONFIRMED;
        return ResponseEntity.status(answer.getStatusCode())
                .body(new Joined(
                        ListName.parse(name).orElseThrow().value(), email.value(), SubscriptionBody.word(state)));
    }

    /**
     * Returns the result of an earlier try of the same call, so that no second confirmation is sent. The result is read
     * from the proof of consent.
     */
    private Optional<HttpStatus> joinedSince(MailingList list, EmailAddress email, Origin origin, Instant since) {
        return store.find(list, email)
                .map(Versioned::value)
                .filter(existing -> existing.consent().declarations().stream()
                        .anyMatch(one -> one.how() == origin.how()
                                && one.by().equals(origin.by())
                                && !one.at().isBefore(since)))
                .map(existing -> existing.state() == SubscriberState.SUBSCRIBED
                                || existing.consent()
                                        .latest(Declaration.Kind.ADDED)
                                        .isPresent()
                        ? HttpStatus.CREATED
                        : HttpStatus.ACCEPTED);
    }

    private HttpStatus join(MailingList list, NewSubscription wanted, Origin origin) {
        RequestFields fields = new RequestFields();
        Optional<EmailAddress> address = fields.requiredAddress("email", wanted.email());
        Profile profile =
                SubscriberRequests.profile(list, listFields, null, wanted.name(), wanted.attributes(), fields);
        fields.check();
        EmailAddress email = address.orElseThrow();
        return wanted.verified() == null
                ? asked(list, email, subscriptions.subscribe(list, email, profile, origin))
                : added(list, subscriptions.adminAdd(list.name(), email, profile, wanted.verified(), origin));
    }

    /**
     * Returns the same status for addresses that are suppressed, have had enough confirmations today, or are
     * unconfirmed.
     */
    private static HttpStatus asked(MailingList list, EmailAddress email, SubscribeResult result) {
        if (result instanceof SubscribeResult.NoSuchList) {
            throw RefusedCall.noList(list.name());
        }
        if (result instanceof SubscribeResult.AlreadySubscribed) {
            throw new RefusedCall(
                    ProblemCode.ALREADY_SUBSCRIBED, email + " is subscribed to " + list.name() + " already.");
        }
        return result instanceof SubscribeResult.Subscribed ? HttpStatus.CREATED : HttpStatus.ACCEPTED;
    }

    private static HttpStatus added(MailingList list, EditResult result) {
        if (result instanceof EditResult.Saved) {
            return HttpStatus.CREATED;
        }
        throw SubscriberRequests.refusal(list, result);
    }

    @GetMapping
    Items<SubscriptionBody> all(
            @RequestParam(defaultValue = "") String prefix,
            @RequestParam @Nullable String field,
            @RequestParam @Nullable String state,
            Paging paging,
            MailingList list) {
        RequestFields fields = new RequestFields();
        Optional<SubscriberState> only = fields.optional(
                "state",
                state,
                RequestFields.parsed(SubscriberState::of),
                "Use unconfirmed, subscribed, unsubscribed or suppressed.");
        paging.check(fields, Paging.MAX_LIMIT);
        ListFields known = listFields.of(list);
        Optional<FieldSearch> search = field == null ? Optional.empty() : search(list, known, field, prefix, fields);
        fields.check();
        SubscriberFilter byAddress =
                new SubscriberFilter(prefix, only.map(Set::of).orElse(Set.of()));
        SubscriberFilter filter = search.map(byAddress::by).orElse(byAddress);
        return paging.read(
                (limit, from) -> pages.page(list, filter, from, limit),
                subscriber -> SubscriptionBody.of(subscriber, known, null));
    }

    /** Returns the search for values of a field that begin with the prefix, in the order of the values. */
    private Optional<FieldSearch> search(
            MailingList list, ListFields known, String name, String prefix, RequestFields fields) {
        Optional<Field> field = known.find(name).filter(Field::searchable);
        if (field.isEmpty()) {
            fields.refuse("field", "The list has no searchable field " + name + ".");
        } else if (!index.state(list.name()).canSearch(field.get())) {
            throw new RefusedCall(
                    ProblemCode.NOT_NOW, "The field " + name + " is not indexed yet. Try again when it is.");
        }
        Optional<FieldSearch> search = field.flatMap(
                found -> prefix.isBlank() ? Optional.of(FieldSearch.all(found)) : FieldSearch.beginning(found, prefix));
        if (field.isPresent() && search.isEmpty()) {
            fields.refuse("prefix", "No value of the field " + name + " begins like this.");
        }
        return search;
    }

    @GetMapping("/{email}")
    SubscriptionBody one(@PathVariable String email, EntityTags tags, MailingList list) {
        Versioned<Subscriber> subscriber = SubscriberRequests.require(store, list, email);
        tags.setEtag(subscriber.etag());
        return SubscriptionBody.of(
                subscriber.value(),
                listFields.of(list),
                subscriber.value().consent().declarations());
    }

    /** Changes a subscriber. With {@code If-Match}, changes only the version that the caller has read. */
    @PatchMapping("/{email}")
    SubscriptionBody change(
            @PathVariable String email,
            @RequestBody SubscriptionChange wanted,
            EntityTags tags,
            Origin origin,
            MailingList list) {
        EditResult result = ConditionalWrites.retry("the subscriber", () -> {
            Versioned<Subscriber> seen = SubscriberRequests.require(store, list, email);
            tags.require(seen.etag());
            return Optional.of(change(list, seen, wanted, origin))
                    .filter(edit -> !(edit instanceof EditResult.Conflict));
        });
        if (result instanceof EditResult.Saved saved) {
            tags.setEtag(saved.subscriber().etag());
        }
        return saved(list, result);
    }

    private EditResult change(MailingList list, Versioned<Subscriber> seen, SubscriptionChange wanted, Origin origin) {
        Subscriber old = seen.value();
        RequestFields fields = new RequestFields();
        Optional<EmailAddress> address =
                wanted.email() == null ? Optional.of(old.address()) : fields.requiredAddress("email", wanted.email());
        Optional<ListName> target = wanted.list() == null
                ? Optional.of(old.list())
                : fields.required("list", wanted.list(), ListName::parse, ListName.RULE);
        Profile profile =
                SubscriberRequests.profile(list, listFields, old.profile(), wanted.name(), wanted.attributes(), fields);
        fields.check();
        boolean verified = wanted.verified() == null ? old.verified() : wanted.verified();
        Optional<Reason> left = Withdrawal.of(old).filter(gone -> verified);
        if (left.isPresent() && !Boolean.TRUE.equals(wanted.again())) {
            throw new RefusedCall(
                    ProblemCode.HAS_LEFT, left.get().words() + " Send again: true only if you have their word for it.");
        }
        Membership place = new Membership(target.orElseThrow(), address.orElseThrow());
        return changes.save(
                        seen,
                        new SubscriberChanges.Wanted(place, profile, verified),
                        left.map(gone -> Withdrawal.undoneBy(origin, gone)).orElse(origin))
                .result();
    }

    /** Unsubscribes a person. This ends all email of this list, including a message that is being sent. */
    @PostMapping("/{email}/unsubscribe")
    SubscriptionBody unsubscribe(@PathVariable String email, Origin origin, MailingList list) {
        EmailAddress address =
                SubscriberRequests.require(store, list, email).value().address();
        subscriptions.leave(list.name(), address, origin);
        return SubscriptionBody.of(
                SubscriberRequests.require(store, list, email).value(), listFields.of(list), null);
    }

    /** Suppresses a person, who gets no email from this list until released. */
    @PostMapping("/{email}/suppress")
    SubscriptionBody suppress(
            @PathVariable String email,
            @RequestBody(required = false) @Nullable ReasonBody why,
            Origin origin,
            MailingList list) {
        EmailAddress address =
                SubscriberRequests.require(store, list, email).value().address();
        return saved(list, subscriptions.suppress(list.name(), address, because(origin, why)));
    }

    /** Releases a suppressed person, who then counts as unsubscribed. */
    @PostMapping("/{email}/release")
    SubscriptionBody release(
            @PathVariable String email,
            @RequestBody(required = false) @Nullable ReasonBody why,
            Origin origin,
            MailingList list) {
        Subscriber person = SubscriberRequests.require(store, list, email).value();
        if (person.state() != SubscriberState.SUPPRESSED) {
            throw new RefusedCall(ProblemCode.STATE_FORBIDS, "This list does not suppress " + email + ".");
        }
        return saved(list, subscriptions.release(list.name(), person.address(), because(origin, why)));
    }

    private static Origin because(Origin origin, @Nullable ReasonBody body) {
        String why = RequestFields.why(body == null ? null : body.why(), Subscriptions.MAX_REASON_LENGTH);
        return origin.withReason(Reason.ofText(why));
    }

    private SubscriptionBody saved(MailingList list, EditResult result) {
        if (result instanceof EditResult.Saved saved) {
            return SubscriptionBody.of(saved.subscriber().value(), listFields.of(list), null);
        }
        throw SubscriberRequests.refusal(list, result);
    }

    @PostMapping("/{email}/confirm-again")
    ResponseEntity<Joined> confirmAgain(@PathVariable String email, Origin origin, MailingList list) {
        EmailAddress address =
                SubscriberRequests.require(store, list, email).value().address();
        SubscribeResult result = subscriptions.resendConfirmation(list.name(), address, origin);
        if (result instanceof SubscribeResult.ConfirmationQueued) {
            return ResponseEntity.accepted()
                    .body(new Joined(
                            list.name().value(), address.value(), SubscriptionBody.word(SubscriberState.UNCONFIRMED)));
        }
        throw result instanceof SubscribeResult.ConfirmationCapped
                ? new RefusedCall(
                        ProblemCode.NOT_NOW,
                        "This address has already received today’s limit of confirmation emails. Try again tomorrow.")
                : new RefusedCall(ProblemCode.STATE_FORBIDS, "There is nothing to confirm.");
    }

    @DeleteMapping("/{email}")
    ResponseEntity<Void> erase(@PathVariable String email, ApiKey key, MailingList list) {
        EmailAddress address =
                SubscriberRequests.require(store, list, email).value().address();
        HttpStatus status =
                switch (subscriptions.erase(list.name(), address, Origin.api(key.label(), null))) {
                    case ERASED -> HttpStatus.NO_CONTENT;
                    case SCHEDULED -> HttpStatus.ACCEPTED;
                    case MISSING -> throw SubscriberRequests.notSubscribed(list, email);
                };
        return ResponseEntity.status(status).build();
    }
}
