package org.azuremail.bench;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how many emails each reader ({@code u0000001@bench.test}) got, and records when each newcomer
 * ({@code c0000001@bench.test}) got theirs. Safe for use from many threads.
 */
final class MailCounter {

    private static final int DIGITS = 7;

    /** The number of different readers; the last reader has the number 0. */
    static final int MAX = 10_000_000;

    private static final int MAX_NEWCOMERS = 1_000_001;
    private static final String DOMAIN = "@bench.test";

    private final AtomicIntegerArray times = new AtomicIntegerArray(MAX);
    private final AtomicLongArray newcomers = new AtomicLongArray(MAX_NEWCOMERS);
    private final LongAdder confirmationCount = new LongAdder();
    private final LongAdder strangers = new LongAdder();
    private final AtomicLong first = new AtomicLong();
    private final AtomicLong last = new AtomicLong();

    static String recipientAddress(int number) {
        return String.format("u%0" + DIGITS + "d" + DOMAIN, number % MAX);
    }

    static String newSubscriberAddress(int number) {
        return String.format("c%0" + DIGITS + "d" + DOMAIN, number);
    }

    /** Counts an accepted email to the address that begins at this offset. */
    void record(byte[] bytes, int at) {
        int number = number(bytes, at + 1);
        if (number < 0) {
            strangers.increment();
        } else if (bytes[at] == 'u') {
            times.incrementAndGet(number);
        } else if (bytes[at] == 'c' && number < MAX_NEWCOMERS) {
            newcomers.compareAndSet(number, 0, System.nanoTime());
            confirmationCount.increment();
        } else {
            strangers.increment();
        }
    }

    /** Records the time of an answer, for {@link #seconds}. */
    void stamp() {
        long now = System.nanoTime();
        first.compareAndSet(0, now);
        last.set(now);
    }

    private static int number(byte[] bytes, int at) {
        int number = 0;
        for (int i = at; i < at + DIGITS; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    void reset() {
        for (int i = 0; i < MAX; i++) {
            times.set(i, 0);
        }
        strangers.reset();
        first.set(0);
        last.set(0);
    }

    void resetConfirmations() {
        for (int i = 0; i < MAX_NEWCOMERS; i++) {
            newcomers.set(i, 0);
        }
        confirmationCount.reset();
    }

    long confirmationCount() {
        return confirmationCount.sum();
    }

    void awaitConfirmations(long mails) {
        Lab.await(
                Duration.ofMinutes(5),
                20,
                () -> confirmationCount() >= mails,
                () -> "only " + confirmationCount() + " confirmations of " + mails);
    }

    /** Returns the time of the first email to this newcomer, as {@link System#nanoTime()}; 0 before. */
    long confirmationNanos(int number) {
        return newcomers.get(number);
    }

    /** Returns the seconds from the first to the last answer. */
    double seconds() {
        return (last.get() - first.get()) / 1e9;
    }

    /**
     * Checks that the expected readers got exactly one email each, and that no other address got any.
     *
     * @param step 1 for the first readers, 10 for every tenth
     * @throws IllegalStateException if the check fails, so the run does not count
     */
    void requireOneEach(int readers, int step) {
        int none = 0;
        int several = 0;
        for (int i = 1; i <= MAX; i++) {
            int expected = i % step == 0 && i / step <= readers ? 1 : 0;
            int got = times.get(i % MAX);
            none += got < expected ? 1 : 0;
            several += got > expected ? 1 : 0;
        }
        if (none + several + strangers.sum() > 0) {
            throw new IllegalStateException("the sink counted " + none + " without a mail, " + several
                    + " with too many, and " + strangers.sum() + " mails to strangers");
        }
    }
}
