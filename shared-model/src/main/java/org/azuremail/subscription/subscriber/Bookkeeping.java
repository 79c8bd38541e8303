package org.azuremail.subscription.subscriber;

import java.time.Instant;
import org.azuremail.field.IndexMark;
import org.jspecify.annotations.Nullable;

/**
 * The bookkeeping of a subscriber. It records which satellite rows the same partition contains, so that a batch knows
 * which ones to delete.
 *
 * @param leftAt the time of the {@code left:} row, which exists until Verified is set again
 * @param chore the chore of the {@code wait:} row
 * @param claim the hand-over of the confirmation or welcome email, while it is under way or in doubt
 * @param move the move to which this row belongs
 * @param episode how often the person has unsubscribed, was erased, was suppressed or changed address; confirmation
 *     links of an earlier episode are dead. 0 in rows of older versions. It never decreases while the row exists
 * @param index the fields with {@code ix:} rows
 */
public record Bookkeeping(
        @Nullable Instant leftAt,
        @Nullable Chore chore,
        @Nullable Claim claim,
        @Nullable Move move,
        int episode,
        IndexMark index) {

    public static final Bookkeeping NONE = new Bookkeeping(null, null, null, null, 0, IndexMark.NONE);

    public enum Chore {
        CONFIRMATION,
        WELCOME,
        /** Finish the move to another address or list. */
        MOVE,
        /** Delete the rows as soon as no message needs them. */
        ERASURE
    }

    /**
     * A hand-over of the confirmation or welcome email.
     *
     * @param until the time until which it may still be under way; {@code null} if it is not under way
     * @param doubts how many hand-overs of this email ended without an answer
     */
    public record Claim(@Nullable Instant until, int doubts) {}

    /**
     * A change of address, of list, or of both.
     *
     * @param to the target of the subscriber's move
     * @param from the place from which the subscriber moved here
     * @param targetState the state of this row after the move; {@code null} if the row is active, or the old one
     * @param arrivedAt when this row became active; {@code null} if it has not, or an older version moved it
     */
    public record Move(
            @Nullable Membership to,
            @Nullable Membership from,
            @Nullable SubscriberState targetState,
            @Nullable Instant arrivedAt) {}

    public Bookkeeping withLeftAt(@Nullable Instant instant) {
        return new Bookkeeping(instant, chore, claim, move, episode, index);
    }

    /** Returns a copy with this chore and without a claim or doubts. */
    public Bookkeeping withChore(@Nullable Chore next) {
        return new Bookkeeping(leftAt, next, null, move, episode, index);
    }

    public Bookkeeping withClaim(@Nullable Claim next) {
        return new Bookkeeping(leftAt, chore, next, move, episode, index);
    }

    public Bookkeeping withMove(@Nullable Move next) {
        return new Bookkeeping(leftAt, chore, claim, next, episode, index);
    }

    public Bookkeeping withEpisode(int next) {
        return new Bookkeeping(leftAt, chore, claim, move, next, index);
    }

    public Bookkeeping withIndex(IndexMark next) {
        return new Bookkeeping(leftAt, chore, claim, move, episode, next);
    }

    /** Returns a copy in the next episode, in which earlier confirmation links are dead. */
    public Bookkeeping inNextEpisode() {
        return withEpisode(episode + 1);
    }

    /** Returns whether this is the old or the new row of an unfinished move. */
    public boolean moving() {
        return chore == Chore.MOVE || targetState() != null;
    }

    /** Returns a move from here. It keeps the time when this row became active, in case the move is undone. */
    public Move startMove(Membership to) {
        return new Move(to, movedFrom(), null, arrivedAt());
    }

    @Nullable
    public Membership movedTo() {
        return move == null ? null : move.to();
    }

    @Nullable
    public Membership movedFrom() {
        return move == null ? null : move.from();
    }

    @Nullable
    public Instant arrivedAt() {
        return move == null ? null : move.arrivedAt();
    }

    @Nullable
    public SubscriberState targetState() {
        return move == null ? null : move.targetState();
    }
}
