package org.azuremail.subscription.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.azuremail.storage.StorageException;
import org.jspecify.annotations.Nullable;

/** Runs tasks side by side on threads of its own, or one after the other on the caller's. */
final class Parallel implements AutoCloseable {

    private final @Nullable ExecutorService threads;

    /** @param width how many tasks run at the same time; with 1 they run on the caller's thread */
    Parallel(int width) {
        this.threads = width == 1
                ? null
                : Executors.newFixedThreadPool(width, task -> {
                    Thread thread = new Thread(task, "import");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** The results in the order of the tasks; the first failure is thrown when all have ended. */
    <T> List<T> all(List<Supplier<T>> tasks) {
        if (threads == null) {
            return tasks.stream().map(Supplier::get).toList();
        }
        try {
            List<Future<T>> futures = threads.invokeAll(
                    tasks.stream().<Callable<T>>map(task -> task::get).toList());
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(StorageException.Reason.UNAVAILABLE, "interrupted while importing", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
