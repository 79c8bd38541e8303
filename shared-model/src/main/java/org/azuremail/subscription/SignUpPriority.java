package org.azuremail.subscription;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Gives people who ask to join in this process priority over its confirmation emails. The emails give way while more
 * people wait for an answer than the machine has processors: an answer needs its request on disk, whereas an email may
 * leave a little later. During the first {@link #STEP}, one email is handed over at a time, followed by a rest that is
 * as long as the hand-over took. Then two are allowed for twice as long, then four, and so on. Safe for use from many
 * threads.
 */
public final class SignUpPriority {

    static final Duration STEP = Duration.ofSeconds(20);

    /** The time for which a crowd counts as present after it was last seen. */
    static final Duration CALM = Duration.ofMillis(100);

    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final int processors;
    private final Time time;
    private final AtomicInteger arriving = new AtomicInteger();
    private int atWork;
    private Duration restUntil = Duration.ZERO;
    private @Nullable Crowd crowd;

    private record Crowd(Duration since, Duration lastSeen) {}

    public SignUpPriority(int processors, Time time) {
        this.processors = processors;
        this.time = time;
    }

    /** Counts a person as arriving until the answer is ready. */
    public <R> R runSignUp(Supplier<R> answer) {
        if (arriving.incrementAndGet() > processors) {
            noteCrowd();
        }
        try {
            return answer.get();
        } finally {
            arriving.decrementAndGet();
        }
    }

    private synchronized void noteCrowd() {
        Duration now = time.elapsed();
        Crowd existing = crowdAt(now);
        crowd = new Crowd(existing == null ? now : existing.since(), now);
    }

    private @Nullable Crowd crowdAt(Duration now) {
        return crowd == null || now.minus(crowd.lastSeen()).compareTo(CALM) >= 0 ? null : crowd;
    }

    /**
     * Runs work that has to give way, as soon as that is allowed; immediately if there is no crowd.
     *
     * @throws InterruptedException if the thread was interrupted before the work began
     */
    public <R> R runYielding(Supplier<R> work) throws InterruptedException {
        acquirePermit();
        Duration began = time.elapsed();
        try {
            return work.get();
        } finally {
            releasePermit(began);
        }
    }

    private synchronized void acquirePermit() throws InterruptedException {
        while (atWork >= permits() || rests()) {
            Duration rest = restUntil.minus(time.elapsed());
            wait(rests() ? Math.max(1, Math.min(rest.toMillis(), CALM.toMillis())) : CALM.toMillis());
        }
        atWork++;
    }

    /**
     * Returns whether to pause. At the beginning of a crowd, emails may use only half of one processor, because people
     * wait for answers.
     */
    private boolean rests() {
        return permits() == 1 && time.elapsed().compareTo(restUntil) < 0;
    }

    private synchronized void releasePermit(Duration began) {
        atWork--;
        Duration now = time.elapsed();
        restUntil = now.plus(now.minus(began));
        notify();
    }

    /** Returns how many confirmations may be handed over at the same time. */
    synchronized int permits() {
        Duration now = time.elapsed();
        Crowd existing = crowdAt(now);
        if (existing == null) {
            return UNLIMITED;
        }
        return (int) Math.min(
                UNLIMITED, Long.highestOneBit(1 + now.minus(existing.since()).dividedBy(STEP)));
    }
}
