package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Stops the product's whole core on the embedded storage under load, and starts it again. */
class StopAndRestartIT {

    private static final int SHEETS = 60;
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path data;

    /** The number of times that each sheet was handled. */
    private final Map<String, Integer> done = new ConcurrentHashMap<>();

    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    private ApplicationContextRunner process(SheetService.Script script) {
        return new ApplicationContextRunner()
                .withUserConfiguration(CoreConfiguration.class)
                .withPropertyValues("azuremail.data-dir=" + data, "azuremail.work.stop-within=10s")
                .withBean(SheetService.class, () -> new SheetService(script));
    }

    private WorkResult finish(Sheet sheet) {
        done.merge(sheet.text(), 1, Integer::sum);
        underWay.remove(sheet.text());
        return WorkResult.DONE;
    }

    @Test
    @DisplayName("E-21, L-3: stopped three times under load and started again, every item is done, and done once")
    void e21_everyItemIsDoneOnceOverThreeStops() {
        for (int stop = 0; stop < 3; stop++) {
            int first = stop == 0 ? SHEETS : 0;
            Duration[] began = new Duration[1];
            process(this::finishSlowly).run(context -> {
                WorkQueues queues = context.getBean(WorkQueues.class);
                IntStream.range(0, first).forEach(i -> queues.put(new Sheet("sheet " + i)));
                int before = done.size();
                await().atMost(SOON).until(() -> done.size() > before + 5);
                began[0] = Time.system().elapsed();
            });

            assertThat(underWay).as("half done").isEmpty();
            assertThat(Time.system().elapsed().minus(began[0])).isLessThan(Duration.ofSeconds(10));
        }

        process((sheet, delivery) -> finish(sheet)).run(context -> {
            await().atMost(SOON).until(() -> done.size() == SHEETS);
            Storage storage = context.getBean(Storage.class);
            await().atMost(SOON).until(() -> storage.queues().approximateCount("sheets") == 0);
            assertThat(context.getBean(DeadLetters.class).page(10, null).items())
                    .isEmpty();
        });
        assertThat(done.values()).containsOnly(1);
    }

    /** Finishes a sheet or hands it back, depending on when the stop comes. */
    private WorkResult finishSlowly(Sheet sheet, Delivery delivery) throws InterruptedException {
        underWay.add(sheet.text());
        CountDownLatch work = new CountDownLatch(1);
        for (int step = 0; step < 10; step++) {
            if (delivery.stopping() && step < 5) {
                underWay.remove(sheet.text());
                return new WorkResult.RetryAfter(Duration.ZERO);
            }
            assertThat(work.await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
        return finish(sheet);
    }
}
