package org.azuremail.storage.azure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.azuremail.storage.StorageException;

/** Makes calls at the same time, on a few threads that end when they are idle. */
final class SideBySide {

    /** Two pages over sixteen shards. */
    static final int AT_ONCE = 32;

    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    /** @param name of its threads */
    SideBySide(String name) {
        threads = new ThreadPoolExecutor(
                AT_ONCE, AT_ONCE, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** The answers in the order of the calls, when all have ended; throws what the first failed call threw. */
    <T> List<T> all(List<Supplier<T>> calls) {
        if (calls.size() < 2) {
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
