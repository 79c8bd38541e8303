package org.azuremail.subscription.store;

import java.time.Instant;
import java.util.List;
import org.azuremail.field.IndexMark;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber's change on its way into a shard: what was read, what was decided on it, and what came of it. It belongs
 * to the thread that made it until it waits, then to whoever has the turn at the shard.
 */
final class PendingChange<R> {

    private final TableStore tables;
    private final ListName list;
    private final String partition;
    private final EmailAddress address;
    private final ShardWriter.Decision<R> decision;
    private @Nullable Versioned<Subscriber> found;
    private Change<R> decided;
    private @Nullable Subscriber attempted;
    private boolean triedToAdd;
    private boolean settled;
    private boolean alone;

    private PendingChange(
            TableStore tables,
            ListName list,
            int shard,
            EmailAddress address,
            @Nullable Versioned<Subscriber> found,
            ShardWriter.Decision<R> decision) {
        this.tables = tables;
        this.list = list;
        this.partition = SubscriberKeys.partition(list, shard);
        this.address = address;
        this.decision = decision;
        this.found = found;
        this.decided = decision.on(found);
        this.settled = decided.kind() == Change.Kind.NOTHING;
    }

    /** Reads and decides. */
    static <R> PendingChange<R> ofStored(
            TableStore tables, ListName list, int shard, EmailAddress address, ShardWriter.Decision<R> decision) {
        Row row = row(tables, SubscriberKeys.partition(list, shard), address);
        Versioned<Subscriber> found = row == null ? null : SubscriberRow.subscriber(list, row);
        return new PendingChange<>(tables, list, shard, address, found, decision);
    }

    /** Decides on what the caller has read or written; whoever was faster since then makes it read again. */
    static <R> PendingChange<R> ofKnown(
            TableStore tables, Versioned<Subscriber> known, ShardWriter.Decision<R> decision) {
        Subscriber subscriber = known.value();
        return new PendingChange<>(
                tables, subscriber.list(), subscriber.shard(), subscriber.address(), known, decision);
    }

    private static @Nullable Row row(TableStore tables, String partition, EmailAddress address) {
        return tables.get(SubscriptionStore.TABLE, partition, SubscriberKeys.email(address.folded()))
                .orElse(null);
    }

    String partition() {
        return partition;
    }

    EmailAddress address() {
        return address;
    }

    /** Returns whether there is nothing to write any more. */
    boolean settled() {
        return settled;
    }

    /** The result for the caller, once it is settled. */
    R result() {
        return decided.result().apply(found);
    }

    /**
     * Returns whether somebody is there who was not before, or perhaps was not: the answer of an earlier try may have been
     * lost.
     */
    boolean added() {
        return triedToAdd && found != null;
    }

    boolean removes() {
        return decided.kind() == Change.Kind.REMOVE;
    }

    /** Returns whether it may share a batch with changes of other subscribers. */
    boolean mayShare() {
        return !settled
                && !alone
                && decided.kind() == Change.Kind.STORE
                && decided.further().isEmpty();
    }

    /** After a shared batch that did not happen, or of which nobody knows. */
    void goAlone() {
        alone = !settled;
    }

    /** Returns whether the shard's counts change, as far as is known. */
    boolean changesCounts() {
        return !settled && new SubscriberBatch(found, decided.after(), Instant.EPOCH).changesCounts();
    }

    /** Returns whether somebody is added. */
    boolean adds() {
        return !settled && found == null;
    }

    /**
     * The rows that change; from here on what is found stored may be our own.
     *
     * @param index what is indexed of somebody who is added
     */
    SubscriberBatch batch(Instant now, IndexMark index) {
        SubscriberBatch batch = new SubscriberBatch(found, decided.after(), now).indexingNew(index);
        attempted = batch.after();
        triedToAdd |= found == null && attempted != null;
        return batch;
    }

    List<Write> further() {
        return decided.further();
    }

    /** @param etag of the subscriber, when one was stored */
    void written(String etag) {
        found = attempted == null ? null : new Versioned<>(attempted, etag);
        settled = true;
    }

    /** After a refusal: the answer to a write of our own that happened may have been lost, or somebody else was faster. */
    void lookAgain() {
        Row row = row(tables, partition, address);
        found = row == null ? null : SubscriberRow.subscriber(list, row);
        if (row != null && attempted != null && SubscriberRow.values(attempted).equals(row.values())) {
            settled = true;
            return;
        }
        decided = decision.on(found);
        settled = decided.kind() == Change.Kind.NOTHING;
    }
}
