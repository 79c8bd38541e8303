package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks the threads for handlers on versions of Java without virtual threads. */
class HandlerThreadsTest {

    private final ThreadPoolExecutor handlers = WorkConfiguration.reusedHandlers();
    private final Set<String> threads = ConcurrentHashMap.newKeySet();

    @AfterEach
    void end() {
        handlers.shutdownNow();
    }

    @Test
    void itemsOneAfterAnotherShareAThread() throws InterruptedException {
        for (int item = 0; item < 100; item++) {
            handleOne();
        }

        assertThat(threads).hasSizeLessThan(10).allMatch(name -> name.startsWith("handler-"));
    }

    private void handleOne() throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(1);
        handlers.execute(() -> {
            threads.add(Thread.currentThread().getName());
            handled.countDown();
        });
        assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void itemsAtTheSameTimeWaitForNoThread() throws InterruptedException {
        CountDownLatch allAtWork = new CountDownLatch(40);
        for (int item = 0; item < 40; item++) {
            handlers.execute(() -> {
                allAtWork.countDown();
                try {
                    allAtWork.await(30, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        assertThat(allAtWork.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aRestingThreadEndsAfterAWhile() {
        assertThat(handlers.getCorePoolSize()).isZero();
        assertThat(handlers.getKeepAliveTime(TimeUnit.SECONDS)).isBetween(1L, 10L);
    }
}
