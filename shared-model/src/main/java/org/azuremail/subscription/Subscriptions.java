package org.azuremail.subscription;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Membership.ResolvedMembership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.Time;

/**
 * Joining, confirming, leaving and every other change of a subscriber. After a failure whose extent is unknown, the
 * same call can be repeated; it continues from the stored state. Safe for use from many threads and processes.
 */
public record Subscriptions(
        ListStore lists,
        SignUpPriority signUps,
        OptInFlow optIn,
        MoveAwareWriter writer,
        DepartureListener departures,
        AdminEdits edits,
        Moves moves,
        Erasures erasures,
        Time time) {

    /** Records that a person asks to join. Values that are not attributes of the list are ignored. */
    public SubscribeResult subscribe(ListName list, EmailAddress address, Profile profile, Origin origin) {
        return lists.findActive(list)
                .map(existing -> subscribe(existing, address, profile, origin))
                .orElseGet(() -> new SubscribeResult.NoSuchList(list));
    }

    /**
     * Does the same as {@link #subscribe(ListName, EmailAddress, Profile, Origin)} for a list that the caller has just
     * read.
     */
    public SubscribeResult subscribe(MailingList list, EmailAddress address, Profile profile, Origin origin) {
        if (list.deleting()) {
            return new SubscribeResult.NoSuchList(list.name());
        }
        try {
            return signUps.runSignUp(() -> optIn.subscribe(list, address, profile, origin));
        } catch (ShardCounts.ListDeletedException deleted) {
            return new SubscribeResult.NoSuchList(list.name());
        }
    }

    /** Sends the confirmation email again, within the limit. */
    public SubscribeResult resendConfirmation(ListName list, EmailAddress address, Origin origin) {
        return optIn.resend(list, address, origin);
    }

    /**
     * Lets a person who has not confirmed wait for another confirmation email, within the limit of
     * {@link #resendConfirmation} and unless one was requested since the given time. The caller sends the email.
     * Repeating this changes nothing.
     */
    public void requestConfirmation(ListName list, SubscriberGuid guid, Instant since, Origin origin) {
        optIn.requestConfirmation(list, guid, since, origin);
    }

    /**
     * Returns the subscriber who can confirm, or has confirmed, by this link; empty if the link is dead. Changes
     * nothing.
     */
    public Optional<Subscriber> findByConfirmationLink(ListName list, ConfirmationLink link) {
        return optIn.findByConfirmationLink(list, link);
    }

    /** Confirms after a click on the page of a confirmation's link. Repeating this changes nothing. */
    public ConfirmResult confirm(ListName list, ConfirmationLink link, Origin origin) {
        return optIn.confirm(list, link, origin);
    }

    /**
     * Sends a new confirmation after a click on the page of a dead link. It goes to the present address of the link's
     * owner, within the limit of {@link #resendConfirmation}. The page must not show the result, because anyone may
     * have the link of an old email.
     */
    public SubscribeResult newLink(ListName list, SubscriberGuid guid, Origin origin) {
        return optIn.newLink(list, guid, origin);
    }

    /**
     * Unsubscribes a person by a link or a one-click request. Once this returns {@code Left}, no process hands over
     * another email.
     */
    public LeaveResult leave(ListName list, SubscriberGuid guid, Origin origin) {
        if (lists.find(list).isEmpty()) {
            return new LeaveResult.Unknown();
        }
        Declaration left = Declaration.of(Declaration.Kind.LEFT, time.instant(), origin);
        return notifyListeners(writer.<LeaveResult>change(list, guid, current -> leave(current.value(), left))
                .orElseGet(LeaveResult.Unknown::new));
    }

    /** Returns the proof that the page <em>you are unsubscribed</em> sends when the person clicks to come back. */
    public String returnProof(LeaveResult.Left left) {
        return optIn.seals().returnProof(left.subscriber());
    }

    /**
     * Undoes unsubscribing after a click, within {@link OptInFlow#UNDO_WINDOW}. Repeating this changes nothing.
     *
     * @param proof the proof from {@link #returnProof}
     * @return the subscriber; empty if nothing was changed because the proof is wrong or too old
     */
    public Optional<Subscriber> undoUnsubscribe(ListName list, SubscriberGuid guid, String proof, Origin origin) {
        return optIn.undoUnsubscribe(list, guid, proof, origin);
    }

    /** Does the same as {@link #leave(ListName, SubscriberGuid, Origin)}, by address. */
    public LeaveResult leave(ListName list, EmailAddress address, Origin origin) {
        Declaration left = Declaration.of(Declaration.Kind.LEFT, time.instant(), origin);
        return lists.findValue(list)
                .map(existing -> notifyListeners(writer.<LeaveResult>change(
                        existing,
                        address,
                        current -> current == null
                                ? SubscriberChange.nothing(new LeaveResult.Unknown())
                                : leave(current.value(), left))))
                .orElseGet(LeaveResult.Unknown::new);
    }

    private static SubscriberChange<LeaveResult> leave(Subscriber current, Declaration left) {
        return switch (current.state()) {
            case UNSUBSCRIBED, SUPPRESSED -> SubscriberChange.nothing(new LeaveResult.AlreadyLeft(current));
            case UNCONFIRMED, SUBSCRIBED ->
                SubscriberChange.store(
                        current.withDeparture(left.at()).after(SubscriberEvent.LEFT, left),
                        stored -> new LeaveResult.Left(stored.value(), current.verified()));
        };
    }

    /**
     * Calls the listeners that may have read the person from the list; also for a departure that is already recorded,
     * because a crash may have prevented the first call.
     */
    private LeaveResult notifyListeners(LeaveResult result) {
        if (result instanceof LeaveResult.Left left) {
            departures.notifyDeparture(left.subscriber());
        } else if (result instanceof LeaveResult.AlreadyLeft already) {
            departures.notifyDeparture(already.subscriber());
        }
        return result;
    }

    /** Adds a person on behalf of an admin, without sending an email. */
    public EditResult adminAdd(ListName list, EmailAddress address, Profile profile, boolean verified, Origin origin) {
        try {
            return onList(list, existing -> edits.add(existing, address, profile, verified, origin));
        } catch (ShardCounts.ListDeletedException deleted) {
            return new EditResult.NoSuchList(list);
        }
    }

    /**
     * Changes a person's data on behalf of an admin, and sets or removes Verified.
     *
     * @param etag the ETag of the version that the admin saw
     */
    public EditResult adminEdit(
            ListName list, EmailAddress address, String etag, Profile profile, boolean verified, Origin origin) {
        return onList(list, existing -> edits.edit(existing, address, etag, profile, verified, origin));
    }

    /**
     * Moves a person to another list, another address, or both. The person leaves the old place before becoming active
     * at the new one, so no message is sent to both. State, attributes and proof of consent move too, and links that
     * were already sent keep working. A person who has not confirmed is asked again. After a crash, the scheduler or
     * the next change of one of the two places finishes the move.
     *
     * @param etag the ETag of the version that the admin saw
     * @return {@code Saved} with the new row; {@code AlreadyThere} if a subscriber is or was at the new place;
     *     {@code NoSuchList} with the name of the missing list
     */
    public EditResult move(Membership from, String etag, Membership to, Origin origin) {
        return onList(
                from.list(),
                existing -> moves.move(new ResolvedMembership(existing, from.address()), etag, to, origin));
    }

    /**
     * Returns the reason why {@link #move} would refuse, as far as it is known before the move begins. Changes nothing.
     */
    public Optional<EditResult> refusalOfMove(Membership from, Membership to) {
        return lists.findActive(from.list())
                .map(existing -> from.isSameSubscriber(to)
                        ? Optional.<EditResult>empty()
                        : moves.refusal(new ResolvedMembership(existing, from.address()), to))
                .orElseGet(() -> Optional.of(new EditResult.NoSuchList(from.list())));
    }

    /** The longest reason recorded with a suppression or a release, in characters. */
    public static final int MAX_REASON_LENGTH = 200;

    /**
     * Suppresses a person on behalf of an admin: the list sends the person no email until an admin releases the person
     * (A72).
     */
    public EditResult suppress(ListName list, EmailAddress address, Origin origin) {
        return onList(list, existing -> edits.suppress(existing, address, origin));
    }

    /** Undoes a suppression. The person then counts as unsubscribed. */
    public EditResult release(ListName list, EmailAddress address, Origin origin) {
        return onList(list, existing -> edits.release(existing, address, origin));
    }

    /** Erases a person: unsubscribes the person first, then removes every row. Deleting a subscriber means the same. */
    public EraseResult erase(ListName list, EmailAddress address, Origin origin) {
        Optional<MailingList> existing = lists.findValue(list);
        existing.ifPresent(found -> moves.finishPendingMove(new Membership(list, address)));
        return existing.map(found -> erasures.erase(found, address, origin)).orElse(EraseResult.MISSING);
    }

    private EditResult onList(ListName name, Function<MailingList, EditResult> action) {
        return lists.findActive(name).map(action).orElseGet(() -> new EditResult.NoSuchList(name));
    }

    /** The result of a request to join. Public forms give the same answer for every result. */
    public sealed interface SubscribeResult {

        /** The list does not exist, or is being deleted. */
        record NoSuchList(ListName list) implements SubscribeResult {}

        record ConfirmationQueued(Subscriber subscriber) implements SubscribeResult {}

        /** The person is still unconfirmed, and the limit of confirmation emails to this address is reached. */
        record ConfirmationCapped(Subscriber subscriber) implements SubscribeResult {}

        /** The person joined at once, because the list uses single opt-in. */
        record Subscribed(Subscriber subscriber) implements SubscribeResult {}

        record AlreadySubscribed(Subscriber subscriber) implements SubscribeResult {}

        /** The person must get no email. Callers answer as for {@link ConfirmationQueued}. */
        record Suppressed(Subscriber subscriber) implements SubscribeResult {}

        /** No subscriber with this address could confirm. */
        record NothingToConfirm() implements SubscribeResult {}
    }

    /** The result of a click on the confirmation page. */
    public sealed interface ConfirmResult {

        record Confirmed(Subscriber subscriber) implements ConfirmResult {}

        /** The link confirms nobody. Only the subscriber may learn the reason. A new email can be requested. */
        record Dead() implements ConfirmResult {}
    }

    /** The result of a click on the unsubscribe page, or of a one-click request. */
    public sealed interface LeaveResult {

        /**
         * The person gets no more emails of the list, except for one whose hand-over has already begun.
         *
         * @param wasSubscribed whether the person got emails before
         */
        record Left(Subscriber subscriber, boolean wasSubscribed) implements LeaveResult {}

        record AlreadyLeft(Subscriber subscriber) implements LeaveResult {}

        /** No subscriber of this list has this GUID. The page tells the person that they are already unsubscribed. */
        record Unknown() implements LeaveResult {}
    }

    public enum EraseResult {
        /** Every row is deleted. */
        ERASED,
        /** The person has left. The rows are deleted as soon as no message of the list needs them. */
        SCHEDULED,
        MISSING
    }

    /** The result of an admin's change of a subscriber. */
    public sealed interface EditResult {

        /** The change is saved in this row. */
        record Saved(Versioned<Subscriber> subscriber) implements EditResult {}

        /** Another caller saved first; nothing changed. */
        record Conflict(Versioned<Subscriber> current) implements EditResult {}

        /** The address is already on the list, in some state; nothing changed. */
        record AlreadyThere(Versioned<Subscriber> current) implements EditResult {}

        /** The subscriber's state does not allow the change; nothing changed. */
        record NotPossible(Versioned<Subscriber> current, Reason reason) implements EditResult {}

        record Missing() implements EditResult {}

        /** The list does not exist, or is being deleted. */
        record NoSuchList(ListName list) implements EditResult {}
    }
}
