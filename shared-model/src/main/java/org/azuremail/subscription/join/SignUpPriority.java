package org.azuremail.subscription.join;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * People who ask to join in this process at this moment. While more of them wait for their answer than the machine has
 * processors, confirmation mails of the same process give way, all but {@link #ALWAYS_AT_WORK}: an answer needs the
 * request on the disk, the mail may leave a little later. For at most {@link #LONGEST}, and then not again for as long. Safe for
 * use from many threads.
 */
public final class SignUpPriority {

    /** The number of confirmations that are handed over at the same time, however many people arrive. */
    public static final int ALWAYS_AT_WORK = 1;

    /** Well before the minute after which the scheduler takes a confirmation for forgotten. */
    public static final Duration LONGEST = Duration.ofSeconds(20);

    /** For so long after it was last seen a crowd is still there. */
    static final Duration CALM = Duration.ofMillis(100);

    private final int processors;
    private final Time time;
    private final AtomicInteger arriving = new AtomicInteger();
    private final Semaphore places = new Semaphore(ALWAYS_AT_WORK);
    private volatile @Nullable Duration crowdSeen;
    private @Nullable Duration gaveWayFrom;
    private Duration gaveWayLast = Duration.ZERO;

    public SignUpPriority(int processors, Time time) {
        this.processors = processors;
        this.time = time;
    }

    /** Counts somebody as arriving until there is an answer. */
    public <R> R during(Supplier<R> answer) {
        if (arriving.incrementAndGet() > processors) {
            crowdSeen = time.elapsed();
        }
        try {
            return answer.get();
        } finally {
            arriving.decrementAndGet();
        }
    }

    /**
     * Does what has to give way, as soon as it may: at once where nobody arrives in crowds.
     *
     * @throws InterruptedException when the thread was interrupted before that
     */
    public <R> R givingWay(Supplier<R> work) throws InterruptedException {
        boolean placed = awaitPlaceOrCalm();
        try {
            return work.get();
        } finally {
            if (placed) {
                places.release();
            }
        }
    }

    /** @return whether one of the places that nobody may take away was free */
    private boolean awaitPlaceOrCalm() throws InterruptedException {
        boolean placed = places.tryAcquire();
        while (!placed && givesWay()) {
            placed = places.tryAcquire(CALM.toNanos(), TimeUnit.NANOSECONDS);
        }
        return placed;
    }

    synchronized boolean givesWay() {
        Duration now = time.elapsed();
        Duration seen = crowdSeen;
        if (seen == null || now.minus(seen).compareTo(CALM) >= 0) {
            return false;
        }
        if (gaveWayFrom == null || now.minus(gaveWayLast).compareTo(LONGEST) >= 0) {
            gaveWayFrom = now;
        }
        if (now.minus(gaveWayFrom).compareTo(LONGEST) >= 0) {
            return false;
        }
        gaveWayLast = now;
        return true;
    }
}
