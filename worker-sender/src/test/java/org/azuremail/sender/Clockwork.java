package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time for many threads, of which one runs at a time. A thread that sleeps passes control to the thread that
 * wakes first, and the clock jumps to that time. Computing takes no time. The same tasks give the same run.
 */
final class Clockwork implements Time {

    private static final long MINUTES_OF_REAL_TIME = 20;

    private final PriorityQueue<Task> sleeping = new PriorityQueue<>(
            Comparator.<Task>comparingLong(task -> task.wakesAt).thenComparingLong(task -> task.order));
    private final List<Task> tasks = new ArrayList<>();
    private final ThreadLocal<Task> current = new ThreadLocal<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private long micros;
    private long order;
    private volatile @Nullable Throwable failure;

    interface Body {
        void run() throws Exception;
    }

    private static final class Task implements Runnable {
        private final Clockwork clock;
        private final Body body;
        private final Semaphore turn = new Semaphore(0);
        private long wakesAt;
        private long order;
        private long owed;

        Task(Clockwork clock, Body body) {
            this.clock = clock;
            this.body = body;
        }

        @Override
        public void run() {
            clock.live(this);
        }
    }

    /** Adds a task that begins when {@link #run} is called. */
    void add(Body body) {
        Task task = new Task(this, body);
        tasks.add(task);
        enqueue(task, micros);
    }

    /** Runs all tasks to their ends, or throws what the first of them threw. */
    void run() throws InterruptedException {
        for (Task task : tasks) {
            Thread thread = new Thread(task, "clockwork");
            thread.setDaemon(true);
            thread.start();
        }
        wakeNext();
        boolean all = ended.await(MINUTES_OF_REAL_TIME, TimeUnit.MINUTES);
        if (failure != null || !all) {
            throw new AssertionError((all ? "" : "stuck ") + "at " + instant(), failure);
        }
    }

    private void live(Task task) {
        task.turn.acquireUninterruptibly();
        current.set(task);
        try {
            if (failure == null) {
                task.body.run();
            }
        } catch (ProcessDied stopped) {
            // Another task failed.
        } catch (Throwable e) {
            failure = failure == null ? e : failure;
        } finally {
            wakeNext();
        }
    }

    private void wakeNext() {
        Task next = sleeping.poll();
        if (next == null) {
            ended.countDown();
        } else {
            wake(next);
        }
    }

    private void wake(Task next) {
        micros = Math.max(micros, next.wakesAt);
        next.turn.release();
    }

    private void enqueue(Task task, long at) {
        task.wakesAt = at;
        task.order = order++;
        sleeping.add(task);
    }

    long micros() {
        return micros;
    }

    @Override
    public Instant instant() {
        return ManualTime.START.plusNanos(micros * 1000);
    }

    @Override
    public Duration elapsed() {
        return Duration.ofNanos(micros * 1000);
    }

    @Override
    public void sleep(Duration duration) {
        sleepMicros(duration.toNanos() / 1000);
    }

    /** Sleeps in virtual time. If the caller is not a task, the clock advances at once. */
    void sleepMicros(long duration) {
        Task task = current.get();
        if (task == null) {
            micros += duration;
            return;
        }
        enqueue(task, micros + duration + task.owed);
        task.owed = 0;
        wakeNext();
        task.turn.acquireUninterruptibly();
        if (failure != null) {
            throw new ProcessDied();
        }
    }

    /**
     * Adds to the caller's next sleep. For callers inside a monitor, which must not pass control to another thread
     * there.
     */
    void owe(long duration) {
        Task task = current.get();
        if (task != null) {
            task.owed += duration;
        }
    }
}
