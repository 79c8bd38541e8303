package org.azuremail.subscription.join;

import org.azuremail.list.ListName;
import org.azuremail.subscription.subscriber.Subscriber;

/** The result of a person's wish to join. Public forms answer alike for everybody, whatever the result is. */
public sealed interface SubscribeResult {

    /** There is no such list, or it is being deleted. */
    record NoSuchList(ListName list) implements SubscribeResult {}

    /** A confirmation mail is on its way. */
    record ConfirmationQueued(Subscriber subscriber) implements SubscribeResult {}

    /** Still unconfirmed, and this address had its share of confirmation mails for now. */
    record ConfirmationCapped(Subscriber subscriber) implements SubscribeResult {}

    /** Joined at once: the list takes single opt-in. */
    record Subscribed(Subscriber subscriber) implements SubscribeResult {}

    /** Was subscribed before the call. */
    record AlreadySubscribed(Subscriber subscriber) implements SubscribeResult {}

    /** Must not be mailed; callers answer as for {@link ConfirmationQueued}. */
    record Suppressed(Subscriber subscriber) implements SubscribeResult {}

    /** There is nobody at this address who could confirm. */
    record NothingToConfirm() implements SubscribeResult {}
}
