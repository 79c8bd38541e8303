package org.azuremail.subscription.subscriber;

import java.time.Instant;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a subscriber's proof of consent.
 *
 * @param detail the wording of the consent, the version of the confirmation email, or a reason, for example of leaving
 */
public record Declaration(
        Kind kind,
        Instant at,
        Origin.Channel how,
        String by,
        @Nullable String ip,
        @Nullable String detail) {

    public enum Kind {
        ASKED_TO_JOIN,
        /** The person asked for another confirmation email. */
        CONFIRMATION_REQUESTED,
        CONFIRMATION_SENT,
        CONFIRMATION_FAILED,
        CONFIRMED,
        JOINED,
        WELCOME_SENT,
        WELCOME_FAILED,
        ADDED,
        VERIFIED_BY_ADMIN,
        UNVERIFIED_BY_ADMIN,
        IMPORTED_VERIFIED,
        IMPORTED_UNVERIFIED,
        ADDRESS_CHANGED,
        LIST_CHANGED,
        LEFT,
        ERASURE_ASKED,
        SUPPRESSED,
        RELEASED;

        /**
         * Returns whether this kind of declaration may cause a confirmation email to a person who has not confirmed.
         */
        boolean asksToConfirm() {
            return switch (this) {
                case ASKED_TO_JOIN, CONFIRMATION_REQUESTED, ADDRESS_CHANGED, LIST_CHANGED -> true;
                default -> false;
            };
        }
    }

    private static final int MAX_TEXT = 500;

    public Declaration {
        by = shortened(by);
        detail = detail == null ? null : shortened(detail);
    }

    public static Declaration of(Kind kind, Instant at, Origin origin) {
        return new Declaration(kind, at, origin.how(), origin.by(), origin.ip(), origin.wording());
    }

    /** Returns whether the person gave or withdrew consent by it, rather than an admin, an import or the service. */
    public boolean ofThePerson() {
        return switch (kind) {
            case ASKED_TO_JOIN, CONFIRMED, JOINED, LEFT -> how != Origin.Channel.ADMIN && how != Origin.Channel.IMPORT;
            default -> false;
        };
    }

    public Declaration withDetail(@Nullable String text) {
        return new Declaration(kind, at, how, by, ip, text);
    }

    /** Returns the reason in the detail; none if the detail is a wording or the version of an email. */
    public Reason reason() {
        return switch (kind) {
            case CONFIRMATION_FAILED,
                    WELCOME_FAILED,
                    IMPORTED_VERIFIED,
                    IMPORTED_UNVERIFIED,
                    VERIFIED_BY_ADMIN,
                    ADDRESS_CHANGED,
                    LIST_CHANGED,
                    LEFT,
                    SUPPRESSED,
                    RELEASED -> Reason.read(detail);
            case JOINED -> cameBack();
            default -> Reason.NONE;
        };
    }

    /** Returns the reason if the person came back. The wording of a form is never a reason, whatever it says. */
    private Reason cameBack() {
        Reason read = Reason.read(detail);
        return read.is(ReasonCode.CAME_BACK) ? read : Reason.NONE;
    }

    /** Returns the detail in words for people. */
    public @Nullable String detailText() {
        return reason().none() ? detail : reason().words();
    }

    private static String shortened(String text) {
        return Reason.truncate(text, MAX_TEXT);
    }
}
