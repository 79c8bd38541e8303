package org.azuremail.subscription.join;

import org.azuremail.subscription.subscriber.Subscriber;

/** The result of a click on the confirmation page. */
public sealed interface ConfirmResult {

    /** Subscribed now, or was already. */
    record Confirmed(Subscriber subscriber) implements ConfirmResult {}

    /** The link confirms nobody (any more); why is nobody's business but the subscriber's. A new email can be asked for. */
    record Dead() implements ConfirmResult {}
}
