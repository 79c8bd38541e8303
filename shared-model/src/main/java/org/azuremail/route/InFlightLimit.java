package org.azuremail.route;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many emails a transport carries at a time. All of them are in doubt when the process dies, so there are
 * no more than increase the rate. They are sent in lots of one storage batch, as many lots at a time as make sense, and
 * only then in lots of two batches or more, because a few emails beyond a whole batch would cost as many storage calls
 * as another batch. The rate is measured over one or two rounds of lots. At first the number doubles as long as that
 * pays; later a larger and a smaller number are tried in turn, from time to time. Safe for use from many threads.
 */
final class InFlightLimit {

    /** The number of rows that one batch records or clears beside R: larger lots save no storage calls. */
    private static final int SMALL = 99;

    private static final int LOTS_AT_FIRST = 4;

    /** The part of the ideal gain in rate that more emails in flight must bring. */
    private static final double WORTH = 0.2;

    /** The same part for lots that fill a batch only partly, which cost more storage calls for each email. */
    private static final double WORTH_OF_PARTS = 0.6;

    /** A try adds or removes one part in this many of the emails in flight, and at least one lot. */
    private static final int STEPS = 5;

    private static final int FEWEST_LOTS = 8;

    /** The number of measurements between two tries, because a try may be slower. */
    private static final int PROBE_INTERVAL = 6;

    private final int maxLots;
    private final int maxInALot;
    private final boolean fixed;
    private int mails;
    private int lots;

    /** When a place was last taken or given back, by the monotonic clock. */
    private @Nullable Duration movedElapsed;

    private boolean climbing = true;
    private boolean upNext;
    private int rested;

    /** The number before the one that is being tried; zero when nothing is being tried. */
    private int mailsBefore;

    private double rateBefore;

    private Duration since = Duration.ZERO;

    /** Lots recorded since the measurement began; below zero while lots are ignored. */
    private int lotsSince = -1;

    private int mailsSince;
    private int fullSince;

    /**
     * @param maxLots the largest number of lots at a time
     * @param maxInALot the largest number of emails in one call
     * @param fixed whether the largest number is used from the beginning
     */
    InFlightLimit(int maxLots, int maxInALot, boolean fixed) {
        this.maxLots = maxLots;
        this.maxInALot = maxInALot;
        this.fixed = fixed;
        this.mails = whole(fixed ? most() : LOTS_AT_FIRST * small());
    }

    private int small() {
        return Math.min(SMALL, maxInALot);
    }

    private int most() {
        return maxLots * maxInALot;
    }

    /** Returns the size of a lot: enough whole batches, or the most that one call takes. */
    synchronized int lot() {
        return lot(mails);
    }

    private int lot(int ofMails) {
        int oneBatchEach = maxLots * small();
        int batches = (ofMails + oneBatchEach - small()) / oneBatchEach;
        return Math.min(maxInALot, batches * small());
    }

    synchronized int places() {
        return mails / lot();
    }

    /** Returns about this many emails, in whole lots within the bounds. */
    private int whole(int about) {
        int some = Math.max(small(), Math.min(most(), about));
        int lot = lot(some);
        return lot * Math.max(1, Math.min(maxLots, Math.round((float) some / lot)));
    }

    /**
     * Takes a place for a lot at this moment of the monotonic clock. Returns false when all are taken.
     *
     * @param max the largest number of lots, even if more would pay
     */
    synchronized boolean tryAcquire(int max, Duration now) {
        boolean free = lots < Math.min(places(), max);
        if (lots == 0 && places() > 1) {
            // Nothing had to be sent for a while.
            lotsSince = -1;
        }
        if (free) {
            lots++;
            movedElapsed = now;
        }
        return free;
    }

    /** Gives the place of a lot back at this moment of the monotonic clock. */
    synchronized void release(Duration now) {
        lots--;
        movedElapsed = now;
    }

    synchronized boolean movedSince(Duration moment) {
        return movedElapsed != null && movedElapsed.compareTo(moment) >= 0;
    }

    /**
     * Records that the answers of a lot were saved at this moment of the monotonic clock; the lot still has its place.
     */
    synchronized void recorded(int lotMails, Duration now) {
        if (fixed) {
            return;
        }
        lotsSince++;
        if (lotsSince <= 0) {
            begin(now);
            return;
        }
        mailsSince += lotMails;
        fullSince += lots * 4 >= places() * 3 ? 1 : 0;
        if (lotsSince >= Math.max(FEWEST_LOTS, climbing ? places() : 2 * places())) {
            boolean asManyAsAllowed = fullSince * 4 >= lotsSince * 3;
            double seconds = now.minus(since).toNanos() / 1e9;
            int before = mails;
            if (asManyAsAllowed && seconds > 0) {
                decide(mailsSince / seconds);
            }
            // Lots that were in flight before a change say nothing about the new number.
            lotsSince = mails == before ? 0 : -places();
            begin(now);
        }
    }

    private void begin(Duration now) {
        since = now;
        mailsSince = 0;
        fullSince = 0;
    }

    private void decide(double rate) {
        if (mailsBefore == 0) {
            rested++;
            if (climbing || rested >= PROBE_INTERVAL) {
                attempt(rate, climbing || upNext);
            }
        } else if (pays(rate)) {
            boolean up = mails > mailsBefore;
            mailsBefore = 0;
            attempt(rate, up);
        } else {
            mails = mailsBefore;
            mailsBefore = 0;
            climbing = false;
            rested = 0;
        }
    }

    /** Returns whether the try is better: more mails that bring enough, or fewer that cost little. */
    private boolean pays(double rate) {
        double more = (double) mails / mailsBefore;
        boolean parts = mails % small() != 0 || mailsBefore % small() != 0;
        return rate > rateBefore * (1 + (parts ? WORTH_OF_PARTS : WORTH) * (more - 1));
    }

    private void attempt(double rate, boolean up) {
        int step = climbing ? mails : Math.max(small(), mails / STEPS);
        int next = whole(up ? mails + step : mails - step);
        upNext = !up;
        climbing &= next != mails;
        rested = 0;
        if (next != mails) {
            mailsBefore = mails;
            rateBefore = rate;
            mails = next;
        }
    }
}
