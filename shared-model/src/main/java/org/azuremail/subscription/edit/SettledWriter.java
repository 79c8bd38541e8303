package org.azuremail.subscription.edit;

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
 * Changes subscribers that are not in the middle of a move: finishes that first, then decides on what is
 * stored then.
 */
public record SettledWriter(SubscriptionStore store, ShardWriter writer, Moves moves) {

    /** Decides about whoever has the address. */
    public <R> R change(MailingList list, EmailAddress address, ShardWriter.Decision<R> decision) {
        return ConditionalWrites.until(oneOf(list.name()), () -> {
            Optional<R> result = writer.change(
                    list.name(),
                    list.shardOf(address),
                    address,
                    current -> moving(current)
                            ? Change.nothing(Optional.empty())
                            : decision.on(current).map(Optional::of));
            return settled(result, new Membership(list.name(), address));
        });
    }

    private <R> Optional<R> settled(Optional<R> result, Membership moving) {
        if (result.isEmpty()) {
            moves.settle(moving);
        }
        return result;
    }

    /**
     * Decides about whoever the GUID stands for, on whichever list that is now.
     *
     * @return empty when it stands for nobody
     */
    public <R> Optional<R> change(
            ListName list, SubscriberGuid guid, Function<Versioned<Subscriber>, Change<R>> decision) {
        return ConditionalWrites.until(oneOf(list), () -> {
            Optional<Versioned<Subscriber>> there = store.find(list, guid);
            if (there.isEmpty()) {
                return Optional.of(Optional.empty());
            }
            Subscriber found = there.get().value();
            SubscriberGuid own = found.guid();
            Optional<R> result = writer.change(
                    found.list(),
                    own.shard(),
                    found.address(),
                    current -> current == null
                                    || moving(current)
                                    || !current.value().guid().equals(own)
                            ? Change.nothing(Optional.empty())
                            : decision.apply(current).map(Optional::of));
            Optional<R> settled = settled(result, new Membership(found.list(), found.address()));
            return settled.isEmpty() ? Optional.empty() : Optional.of(settled);
        });
    }

    private static boolean moving(@Nullable Versioned<Subscriber> current) {
        return current != null && current.value().bookkeeping().moving();
    }

    private static String oneOf(ListName list) {
        return "a subscriber of " + list;
    }
}
