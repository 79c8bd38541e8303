package org.azuremail.subscription;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * People who ask to join in this process at this moment. While more of them wait for their answer than the machine has
 * processors, confirmation mails of the same process give way: an answer needs the request on the disk, the mail may leave a
 * little later. One is handed over at a time in the first {@link #STEP}, with a rest after each that is as long as it took, then two for twice
 * as long, then four. Safe for use from many threads.
 */
public final class SignUpPriority {

    static final Duration STEP = Duration.ofSeconds(20);

    /** For so long after it was last seen a crowd is still there. */
    static final Duration CALM = Duration.ofMillis(100);

    private static final int MANY = Integer.MAX_VALUE;

    private final int processors;
    private final Time time;
    private final AtomicInteger arriving = new AtomicInteger();
    private int atWork;
    private Duration restUntil = Duration.ZERO;
    private @Nullable Crowd crowd;

    private record Crowd(Duration came, Duration seen) {}

    public SignUpPriority(int processors, Time time) {
        this.processors = processors;
        this.time = time;
    }

    /** Counts somebody as arriving until there is an answer. */
    public <R> R during(Supplier<R> answer) {
        if (arriving.incrementAndGet() > processors) {
            seeCrowd();
        }
        try {
            return answer.get();
        } finally {
            arriving.decrementAndGet();
        }
    }

    private synchronized void seeCrowd() {
        Duration now = time.elapsed();
        Crowd there = crowdAt(now);
        crowd = new Crowd(there == null ? now : there.came(), now);
    }

    private @Nullable Crowd crowdAt(Duration now) {
        return crowd == null || now.minus(crowd.seen()).compareTo(CALM) >= 0 ? null : crowd;
    }

    /**
     * Does what has to give way, as soon as it may: at once where nobody arrives in crowds.
     *
     * @throws InterruptedException when the thread was interrupted before that
     */
    public <R> R givingWay(Supplier<R> work) throws InterruptedException {
        awaitPlaceOrCalm();
        Duration began = time.elapsed();
        try {
            return work.get();
        } finally {
            leavePlace(began);
        }
    }

    private synchronized void awaitPlaceOrCalm() throws InterruptedException {
        while (atWork >= places() || rests()) {
            Duration rest = restUntil.minus(time.elapsed());
            wait(rests() ? Math.max(1, Math.min(rest.toMillis(), CALM.toMillis())) : CALM.toMillis());
        }
        atWork++;
    }

    /** The first of a crowd wait for their answers: half of one processor is enough for emails. */
    private boolean rests() {
        return places() == 1 && time.elapsed().compareTo(restUntil) < 0;
    }

    private synchronized void leavePlace(Duration began) {
        atWork--;
        Duration now = time.elapsed();
        restUntil = now.plus(now.minus(began));
        notify();
    }

    /** Returns how many confirmations may be handed over at the same time. */
    synchronized int places() {
        Duration now = time.elapsed();
        Crowd there = crowdAt(now);
        if (there == null) {
            return MANY;
        }
        return (int)
                Math.min(MANY, Long.highestOneBit(1 + now.minus(there.came()).dividedBy(STEP)));
    }
}
