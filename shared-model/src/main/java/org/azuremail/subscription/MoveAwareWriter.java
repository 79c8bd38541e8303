package org.azuremail.subscription;

import java.util.Optional;
import java.util.function.Function;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.jspecify.annotations.Nullable;

/**
 * Changes subscribers who are not being moved. If a subscriber is, the move is finished first, and the change applies
 * to the result.
 */
record MoveAwareWriter(SubscriptionStore store, ShardWriter writer, Moves moves) {

    public <R> R change(MailingList list, EmailAddress address, ShardWriter.Decision<R> decision) {
        return ConditionalWrites.retry(
                oneOf(list.name()),
                () -> finishBlockingMove(
                        new Membership(list.name(), address),
                        writer.change(
                                list,
                                list.shardOf(address),
                                address,
                                current -> moving(current)
                                        ? SubscriberChange.nothing(Optional.empty())
                                        : decision.decide(current).map(Optional::of))));
    }

    /** Changes the subscriber with this GUID, on the list to which the subscriber belongs at present. */
    public <R> Optional<R> change(
            ListName list, SubscriberGuid guid, Function<Versioned<Subscriber>, SubscriberChange<R>> decision) {
        return ConditionalWrites.retry(oneOf(list), () -> {
            Optional<Subscriber> found = store.find(list, guid).map(Versioned::value);
            if (found.isEmpty()) {
                return Optional.of(Optional.empty());
            }
            SubscriberGuid own = found.get().guid();
            Membership place = found.get().membership();
            Optional<R> result = finishBlockingMove(
                    place,
                    writer.change(
                            place.list(),
                            own.shard(),
                            place.address(),
                            current -> current == null
                                            || moving(current)
                                            || !current.value().guid().equals(own)
                                    ? SubscriberChange.nothing(Optional.empty())
                                    : decision.apply(current).map(Optional::of)));
            return result.isEmpty() ? Optional.empty() : Optional.of(result);
        });
    }

    /** Finishes the move if it prevented a decision. */
    private <R> Optional<R> finishBlockingMove(Membership place, Optional<R> result) {
        if (result.isEmpty()) {
            moves.finishPendingMove(place);
        }
        return result;
    }

    private static boolean moving(@Nullable Versioned<Subscriber> current) {
        return current != null && current.value().bookkeeping().moving();
    }

    private static String oneOf(ListName list) {
        return "a subscriber of " + list;
    }
}
