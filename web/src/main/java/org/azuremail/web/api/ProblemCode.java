package org.azuremail.web.api;

import java.util.Locale;

/** The codes by which programs tell problems apart: a code never changes its meaning, whatever the sentences beside it say. */
public enum ProblemCode {
    /** Some fields or parameters cannot be taken; {@code errors} says which and why. */
    FIELDS_REFUSED,
    /** The body cannot be read. */
    BODY_UNREADABLE,
    MEDIA_TYPE_REFUSED,
    TOO_LARGE,
    /** This key may not say that. */
    FORBIDDEN,
    /** There is nothing at this address. */
    NOT_FOUND,
    /** The address takes no such method. */
    METHOD_NOT_ALLOWED,
    NAME_TAKEN,
    /** The list is gone, or is being deleted. */
    LIST_GONE,
    ALREADY_SUBSCRIBED,
    /** Somebody is or was there under this address. */
    ALREADY_THERE,
    /** The person left; {@code again} says that you have their word. */
    HAS_LEFT,
    /** The subscriber's state does not allow it. */
    STATE_FORBIDS,
    MESSAGE_STATE_FORBIDS,
    /** Values of a field would not fit the changed one; {@code unfit=keep} says that they may stay. */
    VALUES_UNFIT,
    /** Nobody has that outcome, or not any more. */
    NOBODY_CONCERNED,
    /** The recipient has got it, waits for it, or was deliberately not mailed. */
    RECIPIENT_SETTLED,
    /** The transport is set in configuration files, is the last one, or is chosen by lists. */
    TRANSPORT_IN_USE,
    /** No process has a free slot for a watcher. */
    NO_SLOT,
    /** No process has taken up the watcher yet: withdraw it instead. */
    NOT_ACTIVATED,
    /** The watcher is being stopped already. */
    ALREADY_REQUESTED,
    /** The watcher is deleted. */
    DELETED,
    /** Somebody stopped the service: start it first. */
    STOPPED,
    /** Another change is under way: repeat the call. */
    NOT_NOW,
    /** It is not as it was read: {@code If-Match} names another version. */
    VERSION_CHANGED,
    IDEMPOTENCY_KEY_MALFORMED,
    IDEMPOTENCY_KEY_IN_USE,
    IDEMPOTENCY_KEY_REUSED,
    /** The call was made, and its answer held a secret, which is kept nowhere. */
    SECRET_SHOWN_ONCE,
    /** The storage did not answer as it should. */
    STORAGE_AWAY;

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
