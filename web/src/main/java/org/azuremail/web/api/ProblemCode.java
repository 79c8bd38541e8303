package org.azuremail.web.api;

import org.azuremail.id.AsciiWord;
import org.springframework.http.HttpStatus;

/** The codes by which programs tell problems apart, each with its status. A code never changes its meaning; sentences may change. */
public enum ProblemCode {
    /** Some fields or parameters are not acceptable; {@code errors} says which and why. */
    FIELDS_REFUSED(HttpStatus.BAD_REQUEST),
    BODY_UNREADABLE(HttpStatus.BAD_REQUEST),
    MEDIA_TYPE_REFUSED(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
    FORBIDDEN(HttpStatus.FORBIDDEN),
    NOT_FOUND(HttpStatus.NOT_FOUND),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
    NAME_TAKEN,
    /** The list is gone, or is being deleted. */
    LIST_GONE,
    ALREADY_SUBSCRIBED,
    /** Somebody is or was on the list under this address. */
    ALREADY_THERE,
    /** The person unsubscribed; {@code again} says that they asked to come back. */
    HAS_LEFT,
    STATE_FORBIDS,
    MESSAGE_STATE_FORBIDS,
    /** Values of a field would not fit the changed one; {@code unfit=keep} says that they may stay. */
    VALUES_UNFIT,
    NOBODY_CONCERNED,
    /** The recipient got the email, waits for it, or was skipped on purpose. */
    RECIPIENT_SETTLED,
    /** The transport is set in configuration files, is the last one, or is chosen by lists. */
    TRANSPORT_IN_USE,
    /** No process has a free slot for a watcher. */
    NO_SLOT,
    /** No process has taken up the watcher yet: withdraw it instead. */
    NOT_ACTIVATED,
    ALREADY_REQUESTED,
    DELETED,
    /** Somebody stopped the service: start it first. */
    STOPPED,
    /** Another change is under way: repeat the call. */
    NOT_NOW,
    VERSION_CHANGED(HttpStatus.PRECONDITION_FAILED),
    IDEMPOTENCY_KEY_MALFORMED(HttpStatus.BAD_REQUEST),
    IDEMPOTENCY_KEY_IN_USE,
    IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT),
    /** The call was already done, and its answer contained a secret, which the service does not keep. */
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
