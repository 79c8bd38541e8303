package org.azuremail.subscription;

import java.util.Optional;
import java.util.function.Function;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * Changes subscribers that are not in the middle of a change of address: finishes that first, then decides on what is
 * stored then.
 */
final class SettledWriter {

    private static final int MAX_ATTEMPTS = 20;

    private final SubscriptionStore store;
    private final ShardWriter writer;
    private final AddressChange moves;

    SettledWriter(SubscriptionStore store, ShardWriter writer, AddressChange moves) {
        this.store = store;
        this.writer = writer;
        this.moves = moves;
    }

    /** Decides about whoever has the address. */
    <R> R change(MailingList list, EmailAddress address, ShardWriter.Decision<R> decision) {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            Optional<R> result = writer.change(
                    list.name(),
                    list.shardOf(address),
                    address,
                    current -> moving(current)
                            ? Change.nothing(Optional.empty())
                            : decision.on(current).map(Optional::of));
            if (result.isPresent()) {
                return result.get();
            }
            moves.settle(list, address);
        }
        throw keepsMoving(list);
    }

    /**
     * Decides about whoever the GUID stands for.
     *
     * @return empty when it stands for nobody
     */
    <R> Optional<R> change(MailingList list, SubscriberGuid guid, Function<Versioned<Subscriber>, Change<R>> decision) {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            Optional<Subscriber> found = store.find(list.name(), guid).map(Versioned::value);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            SubscriberGuid own = found.get().guid();
            EmailAddress address = found.get().address();
            Optional<R> result = writer.change(
                    list.name(),
                    own.shard(),
                    address,
                    current -> current == null
                                    || moving(current)
                                    || !current.value().guid().equals(own)
                            ? Change.nothing(Optional.empty())
                            : decision.apply(current).map(Optional::of));
            if (result.isPresent()) {
                return result;
            }
            moves.settle(list, address);
        }
        throw keepsMoving(list);
    }

    private static boolean moving(@Nullable Versioned<Subscriber> current) {
        return current != null && current.value().marks().moving();
    }

    private static StorageException keepsMoving(MailingList list) {
        return new StorageException(
                StorageException.Reason.THROTTLED, "a subscriber of " + list.name() + " keeps changing address", null);
    }
}
