package org.azuremail.delivery;

import java.time.Instant;
import org.azuremail.storage.Values;

/**
 * The control row S of a shard. It rides in every fan-out batch, so that rows, checkpoint, count and fence change
 * together or not at all.
 *
 * @param epoch raised by each take-over; whoever holds an older ETag can write nothing any more
 * @param nonce names the attempt that holds it
 * @param leaseEnd until when its holder may be left alone
 * @param checkpoint row key of the last subscriber that was read, or empty
 * @param openFrom row key of the first recipient of the range that is being filled, or empty
 * @param openTo row key of its last recipient so far, or empty
 * @param openCount its recipients so far
 * @param nextRange number of the next range
 * @param walked whether all subscribers were read
 * @param recipients N: recipients counted so far
 * @param reopened generation of the last reopening that is through with this shard: nobody is added in it any more
 */
public record ShardControl(
        long epoch,
        String nonce,
        Instant leaseEnd,
        String checkpoint,
        String openFrom,
        String openTo,
        int openCount,
        int nextRange,
        boolean walked,
        long recipients,
        int reopened) {

    static final String ROW = "!shard";

    /** A shard that nobody has walked yet. */
    public static ShardControl first(String nonce, Instant leaseEnd) {
        return new ShardControl(1, nonce, leaseEnd, "", "", "", 0, 1, false, 0, 0);
    }

    /** Taken over by another attempt. */
    public ShardControl takenOver(String by, Instant until) {
        return new ShardControl(
                epoch + 1, by, until, checkpoint, openFrom, openTo, openCount, nextRange, walked, recipients, reopened);
    }

    /** With so many more recipients in the open range. */
    public ShardControl filled(String from, String to, int count) {
        return new ShardControl(
                epoch,
                nonce,
                leaseEnd,
                checkpoint,
                openFrom.isEmpty() ? from : openFrom,
                to,
                openCount + count,
                nextRange,
                walked,
                recipients + count,
                reopened);
    }

    /** With the open range closed. */
    public ShardControl closed() {
        return new ShardControl(
                epoch, nonce, leaseEnd, checkpoint, "", "", 0, nextRange + 1, walked, recipients, reopened);
    }

    /** Read up to a subscriber. */
    public ShardControl at(String lastRead, Instant until) {
        return new ShardControl(
                epoch, nonce, until, lastRead, openFrom, openTo, openCount, nextRange, walked, recipients, reopened);
    }

    /** All subscribers were read. */
    public ShardControl asWalked() {
        return new ShardControl(
                epoch, nonce, leaseEnd, checkpoint, openFrom, openTo, openCount, nextRange, true, recipients, reopened);
    }

    /** A reopening is through with this shard. */
    public ShardControl reopenedIn(int generation) {
        return new ShardControl(
                epoch,
                nonce,
                leaseEnd,
                checkpoint,
                openFrom,
                openTo,
                openCount,
                nextRange,
                walked,
                recipients,
                generation);
    }

    static ShardControl from(Values v) {
        return new ShardControl(
                v.number("Epoch", 0),
                v.string("Nonce", ""),
                v.requireInstant("LeaseEnd"),
                v.string("Checkpoint", ""),
                v.string("OpenFrom", ""),
                v.string("OpenTo", ""),
                v.integer("OpenCount", 0),
                v.integer("NextRange", 1),
                v.bool("Walked", false),
                v.number("Recipients", 0),
                v.integer("Reopened", 0));
    }

    Values toValues() {
        return Values.builder()
                .put("Epoch", epoch)
                .put("Nonce", nonce)
                .put("LeaseEnd", leaseEnd)
                .put("Checkpoint", checkpoint)
                .put("OpenFrom", openFrom)
                .put("OpenTo", openTo)
                .put("OpenCount", openCount)
                .put("NextRange", nextRange)
                .put("Walked", walked)
                .put("Recipients", recipients)
                .put("Reopened", reopened)
                .build();
    }
}
