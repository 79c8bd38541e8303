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
public final class ParallelCalls {

    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    /**
     * @param name the name of the threads
     * @param atOnce the most calls that run at the same time; with 1, calls run on the caller's thread
     */
    public ParallelCalls(String name, int atOnce) {
        threads = new ThreadPoolExecutor(
                atOnce, atOnce, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named(name));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Waits until all calls have ended. Returns their results in the order of the calls, or throws the exception of the
     * first call that failed.
     */
    public <T> List<T> invokeAll(List<Supplier<T>> calls) {
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
