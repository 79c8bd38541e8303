package org.azuremail.subscription;

/** What became of a press on the confirmation page. */
public sealed interface ConfirmResult {

    /** Subscribed now, or was already. */
    record Confirmed(Subscriber subscriber) implements ConfirmResult {}

    /** Has left since the mail was sent: has to ask to join again. */
    record Left(Subscriber subscriber) implements ConfirmResult {}

    /** Nobody has this GUID on this list, or must not be mailed. */
    record Unknown() implements ConfirmResult {}
}
