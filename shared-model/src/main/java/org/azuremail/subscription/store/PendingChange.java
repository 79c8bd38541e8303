package org.azuremail.subscription.store;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.azuremail.field.IndexMark;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.ShardChoreIndex.ShardRef;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * A pending change of one subscriber: the row as read, the decision, and the result. It belongs to the thread that
 * created it until that thread waits, and then to the thread with the turn at the shard.
 */
final class PendingChange<R> {

    private final TableStore tables;
    private final ShardRef shard;
    private final @Nullable MailingList targetList;
    private final EmailAddress address;
    private final ShardWriter.Decision<R> decision;
    private @Nullable Versioned<Subscriber> found;
    private SubscriberChange<R> decided;
    private @Nullable Subscriber attempted;
    private boolean triedToAdd;
    private boolean settled;
    private boolean alone;

    /**
     * @param targetList the list as it was read; {@code null} if the change adds no subscriber
     * @param found the subscriber as read. If that is outdated, the write is refused and the row is read again
     */
    PendingChange(
            TableStore tables,
            ShardRef shard,
            @Nullable MailingList targetList,
            EmailAddress address,
            @Nullable Versioned<Subscriber> found,
            ShardWriter.Decision<R> decision) {
        this.tables = tables;
        this.shard = shard;
        this.targetList = targetList;
        this.address = address;
        this.decision = decision;
        this.found = found;
        this.decided = decision.decide(found);
        this.settled = decided.kind() == SubscriberChange.Kind.NOTHING;
    }

    ShardRef shard() {
        return shard;
    }

    EmailAddress address() {
        return address;
    }

    /** Returns whether nothing is left to write. */
    boolean settled() {
        return settled;
    }

    /** Returns the caller's result, once the change is settled. */
    R result() {
        return decided.result().apply(found);
    }

    /** Returns whether the subscriber was added, possibly by an earlier attempt whose answer was lost. */
    boolean added() {
        return triedToAdd && found != null;
    }

    boolean removes() {
        return decided.kind() == SubscriberChange.Kind.REMOVE;
    }

    /** Returns whether this change may share a batch with changes of other subscribers. */
    boolean mayShare() {
        return !settled
                && !alone
                && decided.kind() == SubscriberChange.Kind.STORE
                && decided.extraWrites().isEmpty();
    }

    /** Requires a batch of its own, after a shared batch failed or its answer was lost. */
    void requireOwnBatch() {
        alone = !settled;
    }

    /** Returns whether the shard's counts change, by the version that was read. */
    boolean changesCounts() {
        return !settled && new SubscriberBatch(found, decided.after(), Instant.EPOCH).changesCounts();
    }

    boolean adds() {
        return !settled && found == null;
    }

    /** Returns the list to which the change adds a subscriber, as the caller read it. */
    MailingList requireTargetList() {
        return Objects.requireNonNull(targetList, "a change that adds nobody");
    }

    /**
     * Returns whether the change adds nobody, or adds to the same list as the other changes of a batch. A list of the
     * same name may have been deleted meanwhile.
     *
     * @param joined when that list was created; empty until one of the changes adds to it
     */
    boolean addsToSameList(Set<Instant> joined) {
        return !adds()
                || (joined.isEmpty() && joined.add(requireTargetList().createdAt()))
                || joined.contains(requireTargetList().createdAt());
    }

    /**
     * Returns the rows to change. From this call on, the stored row may be this change's own.
     *
     * @param index the fields that are indexed for a new subscriber
     */
    SubscriberBatch batch(Instant now, IndexMark index) {
        SubscriberBatch batch = new SubscriberBatch(found, decided.after(), now).withIndexMark(index);
        attempted = batch.after();
        triedToAdd |= found == null && attempted != null;
        return batch;
    }

    List<Write> extraWrites() {
        return decided.extraWrites();
    }

    /** @param etag the ETag of the subscriber, if one was stored */
    void written(String etag) {
        found = attempted == null ? null : new Versioned<>(attempted, etag);
        settled = true;
    }

    /**
     * Reads the row again after a refusal: either another process was faster, or an earlier write of this change
     * succeeded and its answer was lost.
     */
    void readAgain() {
        Row row = tables.get(SubscriptionStore.TABLE, shard.partition(), SubscriberKeys.email(address.folded()))
                .orElse(null);
        found = row == null ? null : SubscriberRow.subscriber(shard.list(), row);
        if (row != null && attempted != null && SubscriberRow.values(attempted).equals(row.values())) {
            settled = true;
            return;
        }
        decided = decision.decide(found);
        settled = decided.kind() == SubscriberChange.Kind.NOTHING;
    }
}
