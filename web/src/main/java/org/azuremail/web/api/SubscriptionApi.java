package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Declaration;
import org.azuremail.subscription.Origin;
import org.azuremail.subscription.Profile;
import org.azuremail.subscription.SubscribeResult;
import org.azuremail.subscription.Subscriber;
import org.azuremail.subscription.SubscriberFilter;
import org.azuremail.subscription.SubscriberPages;
import org.azuremail.subscription.SubscriberState;
import org.azuremail.subscription.SubscriptionStore;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** People on a list. */
@RestController
@RequestMapping("/api/v1/lists/{list}/subscriptions")
class SubscriptionApi {

    private final ListStore lists;
    private final SubscriptionStore store;
    private final SubscriberPages pages;
    private final Subscriptions subscriptions;

    SubscriptionApi(ListStore lists, SubscriptionStore store, SubscriberPages pages, Subscriptions subscriptions) {
        this.lists = lists;
        this.store = store;
        this.pages = pages;
        this.subscriptions = subscriptions;
    }

    /** Somebody who asks to join. */
    record NewSubscription(
            @Nullable String email,
            @Nullable String name,
            @Nullable Map<String, String> attributes) {}

    /** What a partner is told: nothing that it did not say itself, but the state. */
    record Joined(String list, String email, String state) {}

    /** A subscriber. */
    record SubscriptionBody(
            String list,
            String email,
            String name,
            String state,
            boolean verified,
            Map<String, String> attributes,
            Instant createdAt,
            @Nullable List<Declaration> consent) {}

    @PostMapping
    ResponseEntity<Joined> subscribe(
            @PathVariable String list,
            @RequestBody NewSubscription wanted,
            @AuthenticationPrincipal ApiKey key,
            HttpServletRequest request) {
        MailingList there = Lists.require(lists, list);
        Fields fields = new Fields();
        Optional<EmailAddress> address = fields.requiredAddress("email", wanted.email());
        Profile profile = profile(there, wanted, fields);
        fields.check();
        EmailAddress email = address.orElseThrow();
        return answer(
                there,
                email,
                subscriptions.subscribe(there, email, profile, Origin.api(key.label(), request.getRemoteAddr())));
    }

    /** Who is suppressed, or had enough confirmation mails for today, looks like anybody who has not confirmed. */
    private static ResponseEntity<Joined> answer(MailingList list, EmailAddress email, SubscribeResult result) {
        if (result instanceof SubscribeResult.NoSuchList) {
            throw Lists.unknown(list.name());
        }
        if (result instanceof SubscribeResult.AlreadySubscribed) {
            throw RefusedCall.conflict(email + " is subscribed to " + list.name() + " already.");
        }
        boolean atOnce = result instanceof SubscribeResult.Subscribed;
        SubscriberState state = atOnce ? SubscriberState.SUBSCRIBED : SubscriberState.UNCONFIRMED;
        return ResponseEntity.status(atOnce ? HttpStatus.CREATED : HttpStatus.ACCEPTED)
                .body(new Joined(list.name().value(), email.value(), word(state)));
    }

    @GetMapping
    Items<SubscriptionBody> all(
            @PathVariable String list,
            @RequestParam(defaultValue = "") String prefix,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "100") int limit) {
        MailingList there = Lists.require(lists, list);
        Fields fields = new Fields();
        Optional<SubscriberState> only = fields.optional(
                "state", state, SubscriptionApi::state, "Say unconfirmed, subscribed, unsubscribed or suppressed.");
        if (limit < 1 || limit > SubscriberPages.MAX_PAGE) {
            fields.refuse("limit", "Say 1 to " + SubscriberPages.MAX_PAGE + ".");
        }
        fields.check();
        SubscriberFilter filter = new SubscriberFilter(prefix, only.map(Set::of).orElse(Set.of()));
        try {
            SubscriberPages.Page page = pages.page(there, filter, cursor, limit);
            return new Items<>(
                    page.subscribers().stream()
                            .map(subscriber -> body(subscriber, null))
                            .toList(),
                    page.cursor());
        } catch (IllegalArgumentException notOurs) {
            fields.refuse("cursor", "This is no cursor of ours.");
            throw fields.refusal();
        }
    }

    @GetMapping("/{email}")
    SubscriptionBody one(@PathVariable String list, @PathVariable String email) {
        MailingList there = Lists.require(lists, list);
        Subscriber subscriber = EmailAddress.parse(email)
                .flatMap(address -> store.find(there, address))
                .map(Versioned::value)
                .orElseThrow(() -> nobody(there, email));
        return body(subscriber, subscriber.consent().declarations());
    }

    @DeleteMapping("/{email}")
    ResponseEntity<Void> erase(
            @PathVariable String list, @PathVariable String email, @AuthenticationPrincipal ApiKey key) {
        MailingList there = Lists.require(lists, list);
        EmailAddress address = EmailAddress.parse(email).orElseThrow(() -> nobody(there, email));
        HttpStatus status =
                switch (subscriptions.erase(there.name(), address, Origin.api(key.label(), null))) {
                    case ERASED -> HttpStatus.NO_CONTENT;
                    case SCHEDULED -> HttpStatus.ACCEPTED;
                    case MISSING -> throw nobody(there, email);
                };
        return ResponseEntity.status(status).build();
    }

    private static Profile profile(MailingList list, NewSubscription wanted, Fields fields) {
        String name = fields.line("name", wanted.name());
        Map<String, String> attributes = wanted.attributes() == null ? Map.of() : wanted.attributes();
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

    private static RefusedCall nobody(MailingList list, String email) {
        return RefusedCall.notFound("Nobody is on the list " + list.name() + " with the address " + email + ".");
    }

    private static Optional<SubscriberState> state(String word) {
        try {
            return Optional.of(SubscriberState.of(word));
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    private static SubscriptionBody body(Subscriber subscriber, @Nullable List<Declaration> consent) {
        return new SubscriptionBody(
                subscriber.list().value(),
                subscriber.address().value(),
                subscriber.profile().name(),
                word(subscriber.state()),
                subscriber.verified(),
                subscriber.profile().attributes(),
                subscriber.createdAt(),
                consent);
    }

    private static String word(SubscriberState state) {
        return state.stored().toLowerCase(Locale.ROOT);
    }
}
