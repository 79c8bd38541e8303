package org.azuremail.subscription;

import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;

/**
 * Joining, confirming, leaving and everything else that changes a subscriber. Every call may be repeated after a failure
 * of which nobody knows how far it came: it goes on from what is stored. Safe for use from many threads and processes.
 */
public final class Subscriptions {

    Subscriptions() {}

    /** A person asks to join. What the list does not know as an attribute is left out. */
    public SubscribeResult subscribe(ListName list, EmailAddress address, Profile profile, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /** The press on the page behind a confirmation mail's link. Repeating it changes nothing. */
    public ConfirmResult confirm(ListName list, SubscriberGuid guid, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /** Leaving, by link or one-click request. When this returns {@code Left} nobody hands the person over any more. */
    public LeaveResult leave(ListName list, SubscriberGuid guid, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /** As {@link #leave(ListName, SubscriberGuid, Origin)}, by address. */
    public LeaveResult leave(ListName list, EmailAddress address, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /** An admin adds a person; mails nobody. */
    public EditResult adminAdd(ListName list, EmailAddress address, Profile profile, boolean verified, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /**
     * An admin changes what is known about a person, or sets or takes Verified away.
     *
     * @param etag of the version that the admin saw
     */
    public EditResult adminEdit(
            ListName list, EmailAddress address, String etag, Profile profile, boolean verified, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /**
     * The same person under another address. Links already sent keep working.
     *
     * @param etag of the version that the admin saw
     * @return {@code Saved} with the new row, {@code AlreadyThere} when the new address is taken
     */
    public EditResult changeAddress(ListName list, EmailAddress from, String etag, EmailAddress to, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /** Mails the confirmation once more, within the limit. */
    public SubscribeResult resendConfirmation(ListName list, EmailAddress address, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /** Never to be mailed again: bounces, complaints, an admin's decision. */
    public EditResult suppress(ListName list, EmailAddress address, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /** Takes a suppression back; the person counts as unsubscribed then. */
    public EditResult release(ListName list, EmailAddress address, Origin origin) {
        throw new UnsupportedOperationException();
    }

    /** How far an erasure came. */
    public enum Erasure {
        /** Every row is gone. */
        ERASED,
        /** The person has left; the rows go as soon as no message of the list needs them. */
        SCHEDULED,
        /** There was nobody. */
        MISSING
    }

    /** Removes a person: leaving first, then every row. Also what deleting a subscriber means. */
    public Erasure erase(ListName list, EmailAddress address, Origin origin) {
        throw new UnsupportedOperationException();
    }
}
