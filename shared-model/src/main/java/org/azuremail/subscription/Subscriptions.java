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
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Membership.ResolvedMembership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;

/**
 * Joining, confirming, leaving and everything else that changes a subscriber. Every call may be repeated after a failure
 * of which nobody knows how far it came: it goes on from what is stored. Safe for use from many threads and processes.
 */
public record Subscriptions(
        ListStore lists,
        SignUpPriority signUps,
        Joining joining,
        Leaving leaving,
        AdminEdits edits,
        Moves moves,
        Erasures erasures) {

    /** A person asks to join. Values that are no attribute of the list are left out. */
    public SubscribeResult subscribe(ListName list, EmailAddress address, Profile profile, Origin origin) {
        return lists.findActive(list)
                .map(there -> subscribe(there, address, profile, origin))
                .orElseGet(() -> new SubscribeResult.NoSuchList(list));
    }

    /** As {@link #subscribe(ListName, EmailAddress, Profile, Origin)}, where the caller has just read the list. */
    public SubscribeResult subscribe(MailingList list, EmailAddress address, Profile profile, Origin origin) {
        return list.deleting()
                ? new SubscribeResult.NoSuchList(list.name())
                : signUps.during(() -> joining.subscribe(list, address, profile, origin));
    }

    /** Mails the confirmation once more, within the limit. */
    public SubscribeResult resendConfirmation(ListName list, EmailAddress address, Origin origin) {
        return joining.resend(list, address, origin);
    }

    /**
     * Lets somebody who has not confirmed wait for another confirmation, within the limit of {@link #resendConfirmation} and
     * unless it was asked for since. The caller mails it. Repeating it changes nothing.
     */
    public void askAgain(ListName list, SubscriberGuid guid, Instant since, Origin origin) {
        joining.askAgain(list, guid, since, origin);
    }

    /** The subscriber who can confirm, or has confirmed, by this link; empty when it is dead. Changes nothing. */
    public Optional<Subscriber> behind(ListName list, ConfirmationLink link) {
        return joining.behind(list, link);
    }

    /** The click on the page behind a confirmation's link. Repeating it changes nothing. */
    public ConfirmResult confirm(ListName list, ConfirmationLink link, Origin origin) {
        return joining.confirm(list, link, origin);
    }

    /**
     * The click on the page behind a dead link: mails a new confirmation to the address that belongs to the link today, within
     * the limit of {@link #resendConfirmation}. Nothing of the result may be shown: the caller may be anybody who holds an old
     * mail.
     */
    public SubscribeResult newLink(ListName list, SubscriberGuid guid, Origin origin) {
        return joining.newLink(list, guid, origin);
    }

    /** Leaving, by link or one-click request. When this returns {@code Left} nobody hands the person over any more. */
    public LeaveResult leave(ListName list, SubscriberGuid guid, Origin origin) {
        return leaving.leave(list, guid, origin);
    }

    /** The proof that the page <em>you are unsubscribed</em> sends with the click that takes it back. */
    public String proofToComeBack(LeaveResult.Left left) {
        return joining.proof(left.subscriber());
    }

    /**
     * The click that takes leaving back, within {@link Joining#WINDOW}. Repeating it changes nothing.
     *
     * @param proof of {@link #proofToComeBack}
     * @return the subscriber; empty when nothing was changed because the proof is another, or too old
     */
    public Optional<Subscriber> comeBack(ListName list, SubscriberGuid guid, String proof, Origin origin) {
        return joining.comeBack(list, guid, proof, origin);
    }

    /** As {@link #leave(ListName, SubscriberGuid, Origin)}, by address. */
    public LeaveResult leave(ListName list, EmailAddress address, Origin origin) {
        return leaving.leave(list, address, origin);
    }

    /** An admin adds a person; mails nobody. */
    public EditResult adminAdd(ListName list, EmailAddress address, Profile profile, boolean verified, Origin origin) {
        return onList(list, there -> edits.add(there, address, profile, verified, origin));
    }

    /**
     * An admin changes what is known about a person, or sets or takes Verified away.
     *
     * @param etag of the version that the admin saw
     */
    public EditResult adminEdit(
            ListName list, EmailAddress address, String etag, Profile profile, boolean verified, Origin origin) {
        return onList(list, there -> edits.edit(there, address, etag, profile, verified, origin));
    }

    /**
     * The same person on another list, under another address, or both. A person who moves leaves the one place before
     * becoming active at the other: at no time would both be mailed. State, attributes and proof of consent go along, links
     * already sent keep working, and somebody who has not confirmed is asked again. A crash on the way costs nothing: the
     * scheduler finishes it, or the next change of one of the two places.
     *
     * @param etag of the version that the admin saw
     * @return {@code Saved} with the new row; {@code AlreadyThere} when somebody is or was at the new place; {@code
     *     NoSuchList} for the list that is missing
     */
    public EditResult move(Membership from, String etag, Membership to, Origin origin) {
        return onList(
                from.list(), there -> moves.move(new ResolvedMembership(there, from.address()), etag, to, origin));
    }

    /** Returns the reason why {@link #move} would refuse, as far as that can be seen before; changes nothing. */
    public Optional<EditResult> refusalOfMove(Membership from, Membership to) {
        return lists.findActive(from.list())
                .map(there -> from.same(to)
                        ? Optional.<EditResult>empty()
                        : moves.refusal(new ResolvedMembership(there, from.address()), to))
                .orElseGet(() -> Optional.of(new EditResult.NoSuchList(from.list())));
    }

    /** So long may a reason be that is recorded with a suppression or a release, in characters. */
    public static final int LONGEST_WHY = 200;

    /** An admin's decision: no email from this list until somebody releases the person (A72). */
    public EditResult suppress(ListName list, EmailAddress address, Origin origin) {
        return onList(list, there -> edits.suppress(there, address, origin));
    }

    /** Takes a suppression back; the person counts as unsubscribed then. */
    public EditResult release(ListName list, EmailAddress address, Origin origin) {
        return onList(list, there -> edits.release(there, address, origin));
    }

    /** Removes a person: leaving first, then every row. Also what deleting a subscriber means. */
    public EraseResult erase(ListName list, EmailAddress address, Origin origin) {
        Optional<MailingList> there = lists.find(list).map(Versioned::value);
        there.ifPresent(found -> moves.settle(new Membership(list, address)));
        return there.map(found -> erasures.erase(found, address, origin)).orElse(EraseResult.MISSING);
    }

    private EditResult onList(ListName name, Function<MailingList, EditResult> action) {
        return lists.findActive(name).map(action).orElseGet(() -> new EditResult.NoSuchList(name));
    }

    /** The result of a person's wish to join. Public forms answer alike for everybody, whatever the result is. */
    public sealed interface SubscribeResult {

        /** There is no such list, or it is being deleted. */
        record NoSuchList(ListName list) implements SubscribeResult {}

        record ConfirmationQueued(Subscriber subscriber) implements SubscribeResult {}

        /** Still unconfirmed, and this address had its share of confirmation mails for now. */
        record ConfirmationCapped(Subscriber subscriber) implements SubscribeResult {}

        /** Joined at once: the list takes single opt-in. */
        record Subscribed(Subscriber subscriber) implements SubscribeResult {}

        record AlreadySubscribed(Subscriber subscriber) implements SubscribeResult {}

        /** Must not be mailed; callers answer as for {@link ConfirmationQueued}. */
        record Suppressed(Subscriber subscriber) implements SubscribeResult {}

        /** There is nobody at this address who could confirm. */
        record NothingToConfirm() implements SubscribeResult {}
    }

    /** The result of a click on the confirmation page. */
    public sealed interface ConfirmResult {

        record Confirmed(Subscriber subscriber) implements ConfirmResult {}

        /** The link confirms nobody (any more); why is nobody's business but the subscriber's. A new email can be asked for. */
        record Dead() implements ConfirmResult {}
    }

    /** The result of a click on the unsubscribe page, or of a one-click request. */
    public sealed interface LeaveResult {

        /**
         * Gets no list mail any more; a hand-over that had begun may still arrive.
         *
         * @param wasSubscribed whether they got it before
         */
        record Left(Subscriber subscriber, boolean wasSubscribed) implements LeaveResult {}

        record AlreadyLeft(Subscriber subscriber) implements LeaveResult {}

        /** Nobody has this GUID on this list: already unsubscribed, as far as the person is concerned. */
        record Unknown() implements LeaveResult {}
    }

    public enum EraseResult {
        /** Every row is gone. */
        ERASED,
        /** The person has left; the rows go as soon as no message of the list needs them. */
        SCHEDULED,
        MISSING
    }

    /** The result of an admin's change of a subscriber. */
    public sealed interface EditResult {

        /** The change is saved; this is the row now. */
        record Saved(Versioned<Subscriber> subscriber) implements EditResult {}

        /** Somebody else saved first; nothing changed. */
        record Conflict(Versioned<Subscriber> current) implements EditResult {}

        /** The address is on the list already, in some state; nothing changed. */
        record AlreadyThere(Versioned<Subscriber> current) implements EditResult {}

        /** The state does not allow it; nothing changed. */
        record NotPossible(Versioned<Subscriber> current, Reason reason) implements EditResult {}

        record Missing() implements EditResult {}

        /** There is no such list, or it is being deleted. */
        record NoSuchList(ListName list) implements EditResult {}
    }
}
