package org.azuremail.subscription;

import java.util.Optional;
import java.util.function.Function;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.Change;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.jspecify.annotations.Nullable;

/**
 * Changes subscribers who are not in the middle of a move: if one is, it finishes the move first, and decides by the result.
 */
record SettledWriter(SubscriptionStore store, ShardWriter writer, Moves moves) {

    public <R> R change(MailingList list, EmailAddress address, ShardWriter.Decision<R> decision) {
        return ConditionalWrites.until(
                oneOf(list.name()),
                () -> settled(
                        new Membership(list.name(), address),
                        list.shardOf(address),
                        current -> moving(current)
                                ? Change.nothing(Optional.empty())
                                : decision.on(current).map(Optional::of)));
    }

    /** Changes the subscriber with this GUID, on whichever list they are now. */
    public <R> Optional<R> change(
            ListName list, SubscriberGuid guid, Function<Versioned<Subscriber>, Change<R>> decision) {
        return ConditionalWrites.until(oneOf(list), () -> {
            Optional<Subscriber> found = store.find(list, guid).map(Versioned::value);
            if (found.isEmpty()) {
                return Optional.of(Optional.empty());
            }
            SubscriberGuid own = found.get().guid();
            Optional<R> result = settled(
                    found.get().membership(),
                    own.shard(),
                    current -> current == null
                                    || moving(current)
                                    || !current.value().guid().equals(own)
                            ? Change.nothing(Optional.empty())
                            : decision.apply(current).map(Optional::of));
            return result.isEmpty() ? Optional.empty() : Optional.of(result);
        });
    }

    /** Changes a subscriber, or finishes the move if the decision is empty. */
    private <R> Optional<R> settled(Membership place, int shard, ShardWriter.Decision<Optional<R>> decision) {
        Optional<R> result = writer.change(place.list(), shard, place.address(), decision);
        if (result.isEmpty()) {
            moves.settle(place);
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
