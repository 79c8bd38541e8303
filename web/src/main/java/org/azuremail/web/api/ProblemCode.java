package org.azuremail.web.api;

import org.azuremail.id.AsciiWord;
import org.springframework.http.HttpStatus;

/**
 * The codes by which programs distinguish problems, each with its HTTP status. The meaning of a code never changes; the
 * text of a problem may.
 */
public enum ProblemCode {
    /** Some fields or parameters are invalid; {@code errors} names them and gives the reasons. */
    FIELDS_REFUSED(HttpStatus.BAD_REQUEST),
    BODY_UNREADABLE(HttpStatus.BAD_REQUEST),
    MEDIA_TYPE_REFUSED(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
    FORBIDDEN(HttpStatus.FORBIDDEN),
    NOT_FOUND(HttpStatus.NOT_FOUND),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
    NAME_TAKEN,
    /** The list no longer exists, or is being deleted. */
    LIST_GONE,
    ALREADY_SUBSCRIBED,
    /** The list has or had a subscriber with this address. */
    ALREADY_THERE,
    /** The person unsubscribed; {@code again} states that the person asked to come back. */
    HAS_LEFT,
    STATE_FORBIDS,
    MESSAGE_STATE_FORBIDS,
    /** Stored values would not fit the changed field; {@code unfit=keep} keeps them. */
    VALUES_UNFIT,
    NOBODY_CONCERNED,
    /** The recipient has got the email, is waiting for it, or was deliberately skipped. */
    RECIPIENT_SETTLED,
    /** The transport is defined in configuration files, is the last one in the order, or is chosen by lists. */
    TRANSPORT_IN_USE,
    /** No process has a free slot for a watcher. */
    NO_SLOT,
    /** No process has picked up the watcher yet; the caller can withdraw it instead. */
    NOT_ACTIVATED,
    ALREADY_REQUESTED,
    DELETED,
    /** The service is stopped; the caller must start it first. */
    STOPPED,
    /** Another change is in progress; the caller can repeat the call. */
    NOT_NOW,
    VERSION_CHANGED(HttpStatus.PRECONDITION_FAILED),
    IDEMPOTENCY_KEY_MALFORMED(HttpStatus.BAD_REQUEST),
    IDEMPOTENCY_KEY_IN_USE,
    IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT),
    /** The call already succeeded, and its answer contained a secret that the service does not store. */
    SECRET_SHOWN_ONCE,
    STORAGE_AWAY(HttpStatus.SERVICE_UNAVAILABLE);

    private final HttpStatus status;

    ProblemCode() {
        this(HttpStatus.CONFLICT);
    }

    ProblemCode(HttpStatus status) {
        this.status = status;
    }

    HttpStatus status() {
        return status;
    }

    String word() {
        return AsciiWord.of(this);
    }
}
