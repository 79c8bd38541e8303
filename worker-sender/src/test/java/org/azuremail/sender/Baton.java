package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.time.ManualTime;
import org.jspecify.annotations.Nullable;

/**
 * Lets exactly one of many threads run at a time. At every point, the seed decides whether another thread continues,
 * and how much time passes. When all threads sleep, the clock jumps to the time at which the first one wakes. The same
 * seed gives the same run.
 */
final class Baton {

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(job -> {
        Thread thread = new Thread(job, "interleaved");
        thread.setDaemon(true);
        return thread;
    });
    private static final int MOST_STEPS = 200_000;
    private static final int MOST_PACE_MILLIS = 250;

    private final Random random;
    private final ManualTime time;
    private final Duration bound;
    private final List<Task> tasks = new ArrayList<>();
    private final ThreadLocal<Task> current = new ThreadLocal<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final BatonTrace trace = new BatonTrace(MOST_STEPS);
    private final int switchesOneIn;
    private final int paceMillis;
    private final FreezePoint favourite;
    private Duration stirredAt;
    private Duration longest = Duration.ZERO;
    private int freezesLeft;
    private int freezes;
    private int frozen;
    private long steps;
    private boolean still;
    private volatile @Nullable Throwable failure;

    Baton(Random random, ManualTime time, Duration bound) {
        this(random, time, bound, Duration.ofMillis(MOST_PACE_MILLIS));
    }

    /** @param maxPace the most time that passes at a point */
    Baton(Random random, ManualTime time, Duration bound, Duration maxPace) {
        this.random = random;
        this.time = time;
        this.bound = bound;
        this.stirredAt = time.elapsed();
        switchesOneIn = List.of(2, 4, 12).get(random.nextInt(3));
        paceMillis = Math.min(List.of(5, 40, MOST_PACE_MILLIS).get(random.nextInt(3)), (int) maxPace.toMillis());
        freezesLeft = random.nextInt(6);
        favourite = FreezePoint.values()[random.nextInt(FreezePoint.values().length)];
    }

    interface Body {
        void run() throws Exception;
    }

    /** The points before or after which a task may be frozen. Each seed favours one of them. */
    enum FreezePoint {
        HAND_OVER,
        FAN_OUT,
        REOPENING,
        MESSAGE,
        CONTROL,
        CLEAR,
        RECORD,
        OTHER
    }

    /**
     * The control row of a range that a task wrote last.
     *
     * @param until the end of its lease, counted from the reading of the clock before the write
     */
    record Wrote(long step, int generation, String range, String nonce, Duration until) {
        static final Wrote NOTHING = new Wrote(0, 0, "", "", Duration.ZERO);
    }

    /** A task's last reading of its wall clock, with the true time. */
    record Look(long step, Duration at) {}

    private static final class Task {
        private final String name;
        private final Body body;
        private final Semaphore turn = new Semaphore(0);
        private Duration wakesAt = Duration.ZERO;
        private BooleanSupplier wakesWhen = () -> false;
        private boolean over;
        private Wrote wrote = Wrote.NOTHING;
        private Look look = new Look(0, Duration.ZERO);
        private Duration frozen = Duration.ZERO;

        Task(String name, Body body) {
            this.name = name;
            this.body = body;
        }
    }

    void add(String name, Body body) {
        tasks.add(new Task(name, body));
    }

    /** Runs all tasks to their ends, or throws what the first of them threw. */
    void run() throws Exception {
        tasks.forEach(task -> THREADS.execute(() -> live(task)));
        next().turn.release();
        boolean all = ended.await(60, TimeUnit.SECONDS);
        Throwable thrown = failure;
        if (thrown != null || !all) {
            throw new AssertionError((all ? "" : "stuck; ") + "after " + steps + " steps", thrown);
        }
    }

    private void live(Task task) {
        task.turn.acquireUninterruptibly();
        current.set(task);
        try {
            if (failure == null) {
                task.body.run();
            }
        } catch (ProcessDied died) {
            note("is stopped");
        } catch (Throwable e) {
            failure = failure == null ? e : failure;
        } finally {
            current.remove();
            task.over = true;
            passOnForGood();
        }
    }

    private void passOnForGood() {
        if (tasks.stream().allMatch(task -> task.over)) {
            ended.countDown();
        } else {
            next().turn.release();
        }
    }

    /** Lets another task continue here, if the seed says so. */
    void point(Supplier<String> what) {
        Task task = current.get();
        if (task == null || still) {
            return;
        }
        note(what);
        steps++;
        time.advance(Duration.ofMillis(random.nextInt(paceMillis)));
        if (steps > MOST_STEPS || time.elapsed().minus(stirredAt).compareTo(bound) > 0) {
            throw new AssertionError("not final after " + steps + " steps, at " + time.instant());
        }
        if (random.nextInt(switchesOneIn) == 0) {
            handOn(task);
        }
    }

    /** May freeze the task here for longer than any lease. */
    void mayFreeze(FreezePoint point) {
        if (current.get() == null || still || freezesLeft == 0) {
            return;
        }
        int oneIn = point == favourite ? 4 : point == FreezePoint.HAND_OVER ? 15 : 60;
        if (random.nextInt(oneIn) == 0) {
            freezesLeft--;
            freezes++;
            note("freezes");
            frozen++;
            Duration length = Duration.ofSeconds(15 + random.nextInt(180));
            sleep(length);
            Task task = current.get();
            task.frozen = task.frozen.plus(length);
            frozen--;
            stirred();
            note("thaws");
        }
    }

    /** Records an event that takes time. Within the bound after it, everything has to come to rest. */
    void stirred() {
        Duration since = time.elapsed().minus(stirredAt);
        longest = longest.compareTo(since) < 0 ? since : longest;
        stirredAt = time.elapsed();
    }

    /** Sleeps until the condition holds, but not for longer than the given time. */
    void await(BooleanSupplier condition, Duration atMost) {
        Task task = current.get();
        if (task != null) {
            task.wakesWhen = condition;
            sleep(atMost);
            task.wakesWhen = () -> false;
        }
    }

    void sleep(Duration duration) {
        Task task = current.get();
        if (task != null && !still) {
            task.wakesAt = time.elapsed().plus(duration);
            handOn(task);
        }
    }

    /** Runs the action while no other task runs and no time passes. */
    <T> T atOnce(Supplier<T> action) {
        boolean before = still;
        still = true;
        try {
            return action.get();
        } finally {
            still = before;
        }
    }

    /** Returns whether {@link #atOnce} is running. */
    boolean still() {
        return still;
    }

    private void handOn(Task task) {
        Task next = next();
        if (next != task) {
            next.turn.release();
            task.turn.acquireUninterruptibly();
        }
        if (failure != null) {
            throw new ProcessDied();
        }
    }

    private Task next() {
        List<Task> ready = tasks.stream().filter(this::ready).toList();
        while (ready.isEmpty()) {
            Duration first = tasks.stream()
                    .filter(task -> !task.over)
                    .map(task -> task.wakesAt)
                    .min(Duration::compareTo)
                    .orElseThrow();
            time.advance(first.minus(time.elapsed()));
            ready = tasks.stream().filter(this::ready).toList();
        }
        return ready.get(random.nextInt(ready.size()));
    }

    private boolean ready(Task task) {
        return !task.over && (task.wakesAt.compareTo(time.elapsed()) <= 0 || task.wakesWhen.getAsBoolean());
    }

    void note(String what) {
        note(() -> what);
    }

    private void note(Supplier<String> what) {
        Task task = current.get();
        trace.add(time.elapsed(), task == null ? "" : task.name, what);
    }

    /** Returns the latest steps, one in each line. */
    String trace() {
        return trace.text();
    }

    /**
     * Records that this task writes a range's control row. A renewed lease counts from the last reading of the clock.
     */
    void wrote(String range, String nonce, int generation, boolean renews, Duration lease) {
        Task task = current.get();
        if (task != null) {
            Duration until = renews ? task.look.at().plus(lease) : task.wrote.until();
            task.wrote = new Wrote(++steps, generation, range, nonce, until);
        }
    }

    /** Returns the control row of a range that this task wrote last. */
    Wrote wrote() {
        Task task = current.get();
        return task == null ? Wrote.NOTHING : task.wrote;
    }

    /** Records that this task reads its wall clock. */
    void looks() {
        Task task = current.get();
        if (task != null && !still) {
            task.look = new Look(++steps, time.elapsed());
        }
    }

    Look look() {
        Task task = current.get();
        return task == null ? new Look(0, Duration.ZERO) : task.look;
    }

    /** Returns how long this task has been frozen so far. */
    Duration timeFrozen() {
        Task task = current.get();
        return task == null ? Duration.ZERO : task.frozen;
    }

    /** Returns whether a task has failed. Then no task may begin anything. */
    boolean failed() {
        return failure != null;
    }

    /** Returns the number of tasks that are frozen now. */
    int frozen() {
        return frozen;
    }

    /** Returns the longest time between two events recorded by {@link #stirred}. */
    Duration longest() {
        return longest;
    }

    long steps() {
        return steps;
    }

    int freezes() {
        return freezes;
    }
}
