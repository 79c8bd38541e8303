package org.azuremail.subscription.subscriber;

import java.time.Instant;
import org.azuremail.field.IndexMark;
import org.jspecify.annotations.Nullable;

/**
 * The bookkeeping beside a subscriber. It tells which satellite rows stand in the same partition, so that a batch knows
 * what to delete.
 *
 * @param leftAt since when a {@code left:} row stands: until the next time Verified is set
 * @param chore which {@code wait:} row stands
 * @param claim the hand-over of the confirmation or welcome email, while it is under way or in doubt
 * @param move the move that this row is part of
 * @param episode how often the person has left, was erased, was suppressed or changed address: links of confirmations end
 *     with it. 0 in rows of earlier versions. It never decreases while the row lives
 * @param index which {@code ix:} rows stand
 */
public record Bookkeeping(
        @Nullable Instant leftAt,
        @Nullable Chore chore,
        @Nullable Claim claim,
        @Nullable Move move,
        int episode,
        IndexMark index) {

    public static final Bookkeeping NONE = new Bookkeeping(null, null, null, null, 0, IndexMark.NONE);

    /** The chores that a {@code wait:} row waits for. */
    public enum Chore {
        /** The confirmation is to be mailed. */
        CONFIRMATION,
        /** The welcome email is to be sent. */
        WELCOME,
        /** The move to another address or list is to be finished. */
        MOVE,
        /** The rows are to be removed as soon as no message needs them. */
        ERASURE
    }

    /**
     * A hand-over of the confirmation or welcome email.
     *
     * @param until until when its maker may still be at it; {@code null} when nobody is
     * @param doubts how many hand-overs of this email ended without an answer
     */
    public record Claim(@Nullable Instant until, int doubts) {}

    /**
     * A change of address, of list, or of both.
     *
     * @param to where this row's subscriber goes or went
     * @param from where this row's subscriber came from
     * @param arrivesAs what this row becomes at the end; {@code null} when it is active, or old
     * @param arrivedAt when this row became active; {@code null} when it did not, or was moved by an older version
     */
    public record Move(
            @Nullable Membership to,
            @Nullable Membership from,
            @Nullable SubscriberState arrivesAs,
            @Nullable Instant arrivedAt) {}

    public Bookkeeping withLeftAt(@Nullable Instant instant) {
        return new Bookkeeping(instant, chore, claim, move, episode, index);
    }

    /** Another chore begins with a clean slate: no claim, no doubts. */
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

    /** No link of a confirmation that was mailed before confirms anybody from now on. */
    public Bookkeeping inNextEpisode() {
        return withEpisode(episode + 1);
    }

    /** Returns whether this is the old or the new row of a move that is not finished. */
    public boolean moving() {
        return chore == Chore.MOVE || arrivesAs() != null;
    }

    /** A move that begins here. When this row became active is kept: it still is, and stays so if that comes to nothing. */
    public Move leavingFor(Membership to) {
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
    public SubscriberState arrivesAs() {
        return move == null ? null : move.arrivesAs();
    }
}
