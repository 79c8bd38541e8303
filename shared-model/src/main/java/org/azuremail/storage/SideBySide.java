package org.azuremail.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.azuremail.app.Daemons;

/** Runs calls in parallel on a few threads that end when they are idle. */
public final class SideBySide {

    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    /**
     * @param name of the threads
     * @param atOnce how many calls run at the same time; with 1, they run on the caller's thread
     */
    public SideBySide(String name, int atOnce) {
        threads = new ThreadPoolExecutor(
                atOnce, atOnce, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named(name));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns the results in the order of the calls once all have ended, or throws what the first failed call threw. */
    public <T> List<T> all(List<Supplier<T>> calls) {
        if (calls.size() < 2 || threads.getCorePoolSize() == 1) {
            return calls.stream().map(Supplier::get).toList();
        }
        try {
            List<Callable<T>> tasks = new ArrayList<>(calls.size());
            calls.forEach(call -> tasks.add(call::get));
            List<T> answers = new ArrayList<>(calls.size());
            for (Future<T> answer : threads.invokeAll(tasks)) {
                answers.add(answer.get());
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(
                    StorageException.Reason.UNAVAILABLE, "interrupted while calls were under way", e);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
    }
}
