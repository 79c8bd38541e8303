package org.azuremail.subscription.leave;

import org.azuremail.subscription.subscriber.Subscriber;

/** The result of a click on the unsubscribe page, or of a one-click request. */
public sealed interface LeaveResult {

    /**
     * Gets no list mail any more; a hand-over that had begun may still arrive.
     *
     * @param wasSubscribed whether they got it before
     */
    record Left(Subscriber subscriber, boolean wasSubscribed) implements LeaveResult {}

    /** Had left before. */
    record AlreadyLeft(Subscriber subscriber) implements LeaveResult {}

    /** Nobody has this GUID on this list: already unsubscribed, as far as the person is concerned. */
    record Unknown() implements LeaveResult {}
}
