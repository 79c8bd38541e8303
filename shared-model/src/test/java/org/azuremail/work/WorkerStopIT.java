package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.time.Time;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Checks whole processes that stop under load, or pause. */
class WorkerStopIT extends OnWholeProcesses {

    @Test
    @DisplayName("E-21: a stop under load ends in time, loses nothing and leaves no item half done")
    void e21_aStopUnderLoadLosesNothing() {
        Set<String> begun = ConcurrentHashMap.newKeySet();
        Set<String> ended = ConcurrentHashMap.newKeySet();
        worker((sheet, delivery) -> {
                    begun.add(sheet.text());
                    while (!delivery.stopping() && !sheet.text().endsWith("0")) {
                        Thread.onSpinWait();
                    }
                    ended.add(sheet.text());
                    return sheet.text().endsWith("0") ? finish(sheet) : new WorkResult.RetryAfter(Duration.ZERO);
                })
                .run(context -> {
                    putSheets(context.getSourceApplicationContext(), 100);
                    await().atMost(SOON).until(() -> begun.size() >= 4);
                });

        assertThat(ended).containsExactlyInAnyOrderElementsOf(begun);
        assertThat(storage.queues().approximateCount("sheets")).isEqualTo(100 - done.size());
        assertThat(storage.queues().receive("sheets", 32, Duration.ofMinutes(1)))
                .as("what was not done is visible at once")
                .hasSize(32);
    }

    @Test
    @DisplayName("E-21: a handler that does not look at the stop is interrupted, and its item is not charged")
    void e21_aDeafHandlerIsInterrupted() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        worker((sheet, delivery) -> {
                    begun.countDown();
                    never.await();
                    return finish(sheet);
                })
                .withPropertyValues("azuremail.work.stop-within=5s")
                .run(context -> {
                    putSheets(context.getSourceApplicationContext(), 1);
                    begun.await();
                });

        assertThat(storage.queues().receive("sheets", 1, Duration.ofMinutes(1)))
                .singleElement()
                .satisfies(item -> assertThat(item.dequeueCount()).isEqualTo(2));
        assertThat(Rows.all(storage.tables(), "work", KeyRange.partition("tries.sheets")))
                .isEmpty();
    }

    @Test
    @DisplayName("E-21: a handler that nothing ends does not hold the process up for longer than the settings say")
    void e21_theStopIsBounded() {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Duration[] closing = new Duration[1];
        worker((sheet, delivery) -> {
                    begun.countDown();
                    awaitDeaf(release);
                    return finish(sheet);
                })
                .withPropertyValues("azuremail.work.stop-within=6s")
                .run(context -> {
                    putSheets(context.getSourceApplicationContext(), 1);
                    begun.await();
                    Duration before = Time.system().elapsed();
                    context.close();
                    closing[0] = Time.system().elapsed().minus(before);
                });

        assertThat(closing[0]).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(20));
        assertThat(storage.queues().receive("sheets", 1, Duration.ofMinutes(1)))
                .as("still hidden: its handler may live")
                .isEmpty();
        release.countDown();
        await().atMost(SOON).untilAsserted(() -> assertThat(done).hasSize(1));
    }

    @Test
    void aPausedProcessWorksAgain() {
        worker((sheet, delivery) -> finish(sheet)).run(context -> {
            ConfigurableApplicationContext process = context.getSourceApplicationContext();
            process.stop();
            putSheets(process, 1);
            assertThat(done).isEmpty();

            process.start();

            await().atMost(SOON).untilAsserted(() -> assertThat(done).hasSize(1));
        });
    }

    private static void awaitDeaf(CountDownLatch latch) {
        boolean over = false;
        while (!over) {
            try {
                latch.await();
                over = true;
            } catch (InterruptedException deaf) {
                over = false;
            }
        }
    }
}
