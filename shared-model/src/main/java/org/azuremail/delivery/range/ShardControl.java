package org.azuremail.delivery.range;

import java.time.Instant;
import org.azuremail.storage.Values;

/**
 * The control row S of a shard. It is part of every fan-out batch, so that rows, checkpoint, count and fence change
 * together or not at all.
 *
 * @param checkpoint row key of the last subscriber that was read, or empty
 * @param walked whether all subscribers were read
 * @param recipients N: recipients counted so far
 * @param reopened generation of the last reopening that has finished this shard, to which no more recipients are added
 */
public record ShardControl(
        Holder holder, String checkpoint, OpenRange open, boolean walked, long recipients, int reopened) {

    public static final String ROW = "!shard";

    /**
     * The attempt that walks the shard.
     *
     * @param epoch raised by each take-over; an attempt with an older ETag can no longer write anything
     * @param nonce names the attempt
     * @param leaseEnd until when other attempts leave the shard to its holder
     */
    public record Holder(long epoch, String nonce, Instant leaseEnd) {

        Holder until(Instant end) {
            return new Holder(epoch, nonce, end);
        }
    }

    /**
     * The range that is being filled.
     *
     * @param from row key of its first recipient, or empty
     * @param to row key of its last recipient so far, or empty
     * @param count its recipients so far
     */
    public record OpenRange(int number, String from, String to, int count) {

        static OpenRange empty(int number) {
            return new OpenRange(number, "", "", 0);
        }

        OpenRange filled(String first, String last, int more) {
            return new OpenRange(number, from.isEmpty() ? first : from, last, count + more);
        }
    }

    /** Returns the control row of a shard that has not been walked yet. */
    public static ShardControl first(String nonce, Instant leaseEnd) {
        return new ShardControl(new Holder(1, nonce, leaseEnd), "", OpenRange.empty(1), false, 0, 0);
    }

    public ShardControl takenOver(String by, Instant until) {
        Holder next = new Holder(holder.epoch() + 1, by, until);
        return new ShardControl(next, checkpoint, open, walked, recipients, reopened);
    }

    public ShardControl filled(String from, String to, int count) {
        return new ShardControl(holder, checkpoint, open.filled(from, to, count), walked, recipients + count, reopened);
    }

    public ShardControl closed() {
        return new ShardControl(holder, checkpoint, OpenRange.empty(open.number() + 1), walked, recipients, reopened);
    }

    public ShardControl at(String lastRead, Instant until) {
        return new ShardControl(holder.until(until), lastRead, open, walked, recipients, reopened);
    }

    public ShardControl asWalked() {
        return new ShardControl(holder, checkpoint, open, true, recipients, reopened);
    }

    public ShardControl reopenedIn(int generation) {
        return new ShardControl(holder, checkpoint, open, walked, recipients, generation);
    }

    static ShardControl from(Values v) {
        return new ShardControl(
                new Holder(v.number("Epoch", 0), v.string("Nonce", ""), v.requireInstant("LeaseEnd")),
                v.string("Checkpoint", ""),
                new OpenRange(
                        v.integer("NextRange", 1),
                        v.string("OpenFrom", ""),
                        v.string("OpenTo", ""),
                        v.integer("OpenCount", 0)),
                v.bool("Walked", false),
                v.number("Recipients", 0),
                v.integer("Reopened", 0));
    }

    public Values toValues() {
        return Values.builder()
                .put("Epoch", holder.epoch())
                .put("Nonce", holder.nonce())
                .put("LeaseEnd", holder.leaseEnd())
                .put("Checkpoint", checkpoint)
                .put("OpenFrom", open.from())
                .put("OpenTo", open.to())
                .put("OpenCount", open.count())
                .put("NextRange", open.number())
                .put("Walked", walked)
                .put("Recipients", recipients)
                .put("Reopened", reopened)
                .build();
    }
}
