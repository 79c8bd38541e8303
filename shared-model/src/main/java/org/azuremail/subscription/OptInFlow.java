package org.azuremail.subscription;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.subscription.subscriber.SubscriptionProperties;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The ways to join a list: asking to join, confirming by a click on the page of a confirmation's link, and coming back
 * by a click on the page <em>you are unsubscribed</em>.
 */
record OptInFlow(
        ListStore lists,
        SubscriptionStore store,
        MoveAwareWriter writer,
        ConfirmationQueue queue,
        ConfirmationSeals seals,
        IdSource ids,
        Time time,
        SubscriptionProperties properties) {

    private static final Set<Declaration.Kind> REQUESTS =
            Set.of(Declaration.Kind.ASKED_TO_JOIN, Declaration.Kind.CONFIRMATION_REQUESTED);

    /** The time after unsubscribing within which a person may come back. */
    public static final Duration UNDO_WINDOW = Duration.ofMinutes(30);

    public SubscribeResult subscribe(MailingList list, EmailAddress address, Profile profile, Origin origin) {
        Profile known = withoutUnknownAttributes(list, profile);
        return queueEmail(writer.change(
                list,
                address,
                current -> current == null
                        ? subscribeNew(list, address, known, origin)
                        : resubscribe(list, current.value(), known, origin)));
    }

    public SubscribeResult resend(ListName name, EmailAddress address, Origin origin) {
        Optional<MailingList> list = lists.findActive(name);
        if (list.isEmpty()) {
            return new SubscribeResult.NoSuchList(name);
        }
        return queueEmail(writer.change(list.get(), address, current -> resend(current, origin)));
    }

    public void requestConfirmation(ListName name, SubscriberGuid guid, Instant since, Origin origin) {
        writer.change(name, guid, current -> {
            Subscriber subscriber = current.value();
            return subscriber.state() == SubscriberState.UNCONFIRMED
                            && subscriber.requestedAt().isBefore(since)
                    ? resend(current, origin)
                    : SubscriberChange.nothing(new SubscribeResult.NothingToConfirm());
        });
    }

    private SubscriberChange<SubscribeResult> subscribeNew(
            MailingList list, EmailAddress address, Profile profile, Origin origin) {
        SubscriberGuid guid = SubscriberGuid.next(list.shardOf(address), ids);
        if (list.optIn() == OptIn.SINGLE) {
            Declaration joined = Declaration.of(Declaration.Kind.JOINED, time.instant(), origin);
            return subscribed(
                    list, Subscriber.first(list.name(), address, guid, SubscriberEvent.JOINED, profile, joined));
        }
        return awaitingConfirmation(
                Subscriber.first(list.name(), address, guid, SubscriberEvent.ASKED, profile, asked(origin)));
    }

    private SubscriberChange<SubscribeResult> resubscribe(
            MailingList list, Subscriber current, Profile profile, Origin origin) {
        return switch (current.state()) {
            case SUBSCRIBED -> SubscriberChange.nothing(new SubscribeResult.AlreadySubscribed(current));
            case SUPPRESSED -> SubscriberChange.nothing(new SubscribeResult.Suppressed(current));
            case UNCONFIRMED, UNSUBSCRIBED ->
                joinsWithoutConfirmation(list, current)
                        ? subscribed(
                                list,
                                current.withProfile(merged(current.profile(), profile))
                                        .after(
                                                SubscriberEvent.JOINED,
                                                Declaration.of(Declaration.Kind.JOINED, time.instant(), origin)))
                        : requestConfirmation(current, profile, origin);
        };
    }

    /**
     * Returns whether a person joins without a confirmation. People who have left must confirm by email on every list,
     * which proves that the request is theirs.
     */
    private static boolean joinsWithoutConfirmation(MailingList list, Subscriber current) {
        return list.optIn() == OptIn.SINGLE
                && current.state() == SubscriberState.UNCONFIRMED
                && current.bookkeeping().leftAt() == null;
    }

    private SubscriberChange<SubscribeResult> requestConfirmation(Subscriber current, Profile profile, Origin origin) {
        if (capped(current)) {
            return SubscriberChange.nothing(new SubscribeResult.ConfirmationCapped(current));
        }
        if (current.bookkeeping().chore() == Bookkeeping.Chore.ERASURE) {
            return awaitingConfirmation(rejoined(current, profile, origin));
        }
        return awaitingConfirmation(current.withNewGuidIfMovedAway(ids)
                .withProfile(merged(current.profile(), profile))
                .after(SubscriberEvent.ASKED, asked(origin)));
    }

    /**
     * Returns the subscriber for a person who comes back before the rows are erased. Only the fact that the person left
     * is kept.
     */
    private Subscriber rejoined(Subscriber current, Profile profile, Origin origin) {
        return new Subscriber(
                current.list(),
                current.address(),
                current.withNewGuidIfMovedAway(ids).guid(),
                SubscriberEvent.ASKED.requireAfter(current.state()),
                profile,
                time.instant(),
                Consent.of(asked(origin)),
                Bookkeeping.NONE
                        .withLeftAt(current.bookkeeping().leftAt())
                        .withChore(current.bookkeeping().chore())
                        .withEpisode(current.bookkeeping().episode()));
    }

    private SubscriberChange<SubscribeResult> resend(@Nullable Versioned<Subscriber> current, Origin origin) {
        if (current == null) {
            return SubscriberChange.nothing(new SubscribeResult.NothingToConfirm());
        }
        Subscriber subscriber = current.value();
        return switch (subscriber.state()) {
            case SUBSCRIBED -> SubscriberChange.nothing(new SubscribeResult.AlreadySubscribed(subscriber));
            case UNSUBSCRIBED, SUPPRESSED -> SubscriberChange.nothing(new SubscribeResult.NothingToConfirm());
            case UNCONFIRMED ->
                capped(subscriber)
                        ? SubscriberChange.nothing(new SubscribeResult.ConfirmationCapped(subscriber))
                        : awaitingConfirmation(subscriber.withDeclaration(
                                Declaration.of(Declaration.Kind.CONFIRMATION_REQUESTED, time.instant(), origin)));
        };
    }

    private static SubscriberChange<SubscribeResult> subscribed(MailingList list, Subscriber subscriber) {
        return SubscriberChange.store(
                subscriber.withWelcomeChore(list), stored -> new SubscribeResult.Subscribed(stored.value()));
    }

    private static SubscriberChange<SubscribeResult> awaitingConfirmation(Subscriber subscriber) {
        return SubscriberChange.store(
                subscriber.withChore(Bookkeeping.Chore.CONFIRMATION),
                stored -> new SubscribeResult.ConfirmationQueued(stored.value()));
    }

    private SubscribeResult queueEmail(SubscribeResult result) {
        if (result instanceof SubscribeResult.ConfirmationQueued waiting) {
            queue.send(waiting.subscriber().list(), waiting.subscriber().guid());
        } else if (result instanceof SubscribeResult.Subscribed joined) {
            welcome(joined.subscriber());
        }
        return result;
    }

    private void welcome(Subscriber subscriber) {
        if (subscriber.bookkeeping().chore() == Bookkeeping.Chore.WELCOME) {
            queue.send(subscriber.list(), subscriber.guid());
        }
    }

    private boolean capped(Subscriber subscriber) {
        long requests = subscriber.consent().countSince(REQUESTS, time.instant(), properties.confirmationWindow());
        return requests >= properties.confirmations();
    }

    private Declaration asked(Origin origin) {
        return Declaration.of(Declaration.Kind.ASKED_TO_JOIN, time.instant(), origin);
    }

    /**
     * Returns the earlier values with the new ones, or only the earlier ones if both together are too much. A refusal
     * would reveal that the address is known.
     */
    private static Profile merged(Profile earlier, Profile newer) {
        try {
            return earlier.mergedWith(newer);
        } catch (Profile.InvalidProfileException tooMuch) {
            return earlier;
        }
    }

    private static Profile withoutUnknownAttributes(MailingList list, Profile profile) {
        if (list.attributes().containsAll(profile.attributes().keySet())) {
            return profile;
        }
        Map<String, String> known = new TreeMap<>(profile.attributes());
        known.keySet().retainAll(list.attributes());
        return new Profile(profile.name(), known);
    }

    public Optional<Subscriber> findByConfirmationLink(ListName name, ConfirmationLink link) {
        return store.find(name, link.guid())
                .map(Versioned::value)
                .filter(found -> lists.findActive(found.list()).isPresent())
                .filter(found -> works(link, found));
    }

    public ConfirmResult confirm(ListName name, ConfirmationLink link, Origin origin) {
        Optional<MailingList> list = lists.findActive(name);
        if (list.isEmpty()) {
            return new ConfirmResult.Dead();
        }
        Declaration confirmed = Declaration.of(Declaration.Kind.CONFIRMED, time.instant(), origin);
        ConfirmResult result = writer.<ConfirmResult>change(
                        name, link.guid(), current -> confirm(list.get(), link, current.value(), confirmed))
                .orElseGet(ConfirmResult.Dead::new);
        if (result instanceof ConfirmResult.Confirmed done) {
            welcome(done.subscriber());
        }
        return result;
    }

    public SubscribeResult newLink(ListName name, SubscriberGuid guid, Origin origin) {
        if (lists.findActive(name).isEmpty()) {
            return new SubscribeResult.NoSuchList(name);
        }
        return queueEmail(writer.change(name, guid, current -> newLink(current, origin))
                .orElseGet(SubscribeResult.NothingToConfirm::new));
    }

    /**
     * Asks for a new link because the old one no longer works. It is emailed to the subscriber and confirms nobody by
     * itself. A person who asked to be erased gets no email.
     */
    private SubscriberChange<SubscribeResult> newLink(Versioned<Subscriber> current, Origin origin) {
        Subscriber subscriber = current.value();
        if (lists.findActive(subscriber.list()).isEmpty()) {
            return SubscriberChange.nothing(new SubscribeResult.NoSuchList(subscriber.list()));
        }
        boolean left = subscriber.state() == SubscriberState.UNSUBSCRIBED
                && subscriber.bookkeeping().chore() != Bookkeeping.Chore.ERASURE;
        return left ? requestConfirmation(subscriber, Profile.NONE, origin) : resend(current, origin);
    }

    private SubscriberChange<ConfirmResult> confirm(
            MailingList list, ConfirmationLink link, Subscriber current, Declaration confirmed) {
        if (!works(link, current)) {
            return SubscriberChange.nothing(new ConfirmResult.Dead());
        }
        return current.verified()
                ? SubscriberChange.nothing(new ConfirmResult.Confirmed(current))
                : SubscriberChange.store(
                        welcomed(current.after(SubscriberEvent.CONFIRMED, confirmed), list),
                        stored -> new ConfirmResult.Confirmed(stored.value()));
    }

    /** Adds the welcome email of the list on which the person is, which differs from the link's list after a move. */
    private Subscriber welcomed(Subscriber subscriber, MailingList ofLink) {
        return subscriber.list().equals(ofLink.name())
                ? subscriber.withWelcomeChore(ofLink)
                : lists.findActive(subscriber.list())
                        .map(subscriber::withWelcomeChore)
                        .orElse(subscriber);
    }

    /**
     * Returns whether the link works. After confirming, a subscriber can open it again in the same episode, without any
     * effect.
     */
    private boolean works(ConfirmationLink link, Subscriber subscriber) {
        return switch (subscriber.state()) {
            case SUBSCRIBED -> seals.fits(link, subscriber);
            case UNCONFIRMED -> seals.fits(link, subscriber) && !seals.expired(subscriber, time.instant());
            case UNSUBSCRIBED, SUPPRESSED -> false;
        };
    }

    public Optional<Subscriber> undoUnsubscribe(ListName name, SubscriberGuid guid, String proof, Origin origin) {
        Instant now = time.instant();
        Origin again = origin.withReason(Reason.of(ReasonCode.CAME_BACK));
        Declaration joined = Declaration.of(Declaration.Kind.JOINED, now, again);
        return writer.<Optional<Subscriber>>change(name, guid, read -> {
                    Subscriber current = read.value();
                    if (lists.findActive(current.list()).isEmpty() || !seals.isReturnProof(proof, current)) {
                        return SubscriberChange.nothing(Optional.empty());
                    }
                    if (current.verified()) {
                        return SubscriberChange.nothing(Optional.of(current));
                    }
                    return mayUndoUnsubscribe(current, now)
                            ? SubscriberChange.store(
                                    current.after(SubscriberEvent.RETURNED, joined),
                                    stored -> Optional.of(stored.value()))
                            : SubscriberChange.nothing(Optional.empty());
                })
                .flatMap(back -> back);
    }

    private static boolean mayUndoUnsubscribe(Subscriber left, Instant now) {
        Instant leftAt = left.bookkeeping().leftAt();
        return left.state() == SubscriberState.UNSUBSCRIBED
                && left.movedTo().isEmpty()
                && left.bookkeeping().chore() == null
                && leftAt != null
                && now.isBefore(leftAt.plus(UNDO_WINDOW));
    }
}
