package org.azuremail.web.api;

import java.util.Locale;

/** What programs tell problems apart by: a code never changes its meaning, whatever the sentences beside it say. */
enum ProblemCode {
    /** Some fields or parameters cannot be taken; {@code errors} says which and why. */
    FIELDS_REFUSED,
    /** The body cannot be read. */
    BODY_UNREADABLE,
    /** The body is of another media type. */
    MEDIA_TYPE_REFUSED,
    /** The body is too large. */
    TOO_LARGE,
    /** This key may not say that. */
    FORBIDDEN,
    /** What the address names is not there. */
    NOT_FOUND,
    /** The address takes no such method. */
    METHOD_NOT_ALLOWED,
    /** A list has this name. */
    NAME_TAKEN,
    /** The list is gone, or is being deleted. */
    LIST_GONE,
    /** The person is subscribed. */
    ALREADY_SUBSCRIBED,
    /** Somebody is or was there under this address. */
    ALREADY_THERE,
    /** The person left; {@code again} says that you have their word. */
    HAS_LEFT,
    /** The subscriber's state does not allow it. */
    STATE_FORBIDS,
    /** The message is in a state that does not allow it. */
    MESSAGE_STATE_FORBIDS,
    /** Nobody has that outcome, or not any more. */
    NOBODY_CONCERNED,
    /** The recipient has got it, waits for it, or was deliberately not mailed. */
    RECIPIENT_SETTLED,
    /** Another change is under way: repeat the call. */
    NOT_NOW,
    /** It is not as it was read: {@code If-Match} names another version. */
    VERSION_CHANGED,
    /** The {@code Idempotency-Key} is none. */
    IDEMPOTENCY_KEY_MALFORMED,
    /** The call with this {@code Idempotency-Key} is under way. */
    IDEMPOTENCY_KEY_IN_USE,
    /** The {@code Idempotency-Key} stands for another call. */
    IDEMPOTENCY_KEY_REUSED,
    /** The call was made, and its answer held a secret, which is kept nowhere. */
    SECRET_SHOWN_ONCE,
    /** The storage did not answer as it should. */
    STORAGE_AWAY;

    /** As it stands in a problem. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
