package org.azuremail.route;

import java.time.Duration;

/**
 * How large a lot is worth while: small where the provider answers quickly, because all of it is in doubt when a process dies in
 * it, and larger the longer an answer takes, so that the same number of calls at a time carries as many mails a second. A lot of
 * one batch of the storage costs no more storage calls a mail than any larger one. Safe for use from many threads.
 */
final class LotSize {

    /** What one batch records and one clears, beside R. */
    private static final int SMALL = 99;

    /** Mails a second of one call at a time: eight of them are more than any storage of ours takes. */
    private static final int RATE = 5_000;

    private static final double WEIGHT = 0.125;

    private double seconds;

    /** @param most what the transport takes */
    synchronized int of(int most) {
        double enough = Math.max(SMALL, seconds * RATE);
        return (int) Math.min(most, enough);
    }

    /** A call of the transport took so long. */
    synchronized void took(Duration call) {
        seconds += (call.toNanos() / 1e9 - seconds) * WEIGHT;
    }
}
