package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks how a process runs its services, from its start on. */
class WorkerLoopsTest extends OnWholeProcesses {

    @Test
    @DisplayName("K3: a service bean needs no wiring, and the first run on an empty storage makes what it needs")
    void k3_aServiceBeanIsAllItTakes() {
        worker((sheet, delivery) -> finish(sheet)).run(context -> {
            context.getBean(WorkQueues.class).put(new Sheet("a"));

            await().atMost(SOON).untilAsserted(() -> assertThat(done).containsExactly("a"));
            assertThat(context.getBean(MeterRegistry.class)
                            .find("azuremail.work.items")
                            .tag("queue", "sheets")
                            .timer())
                    .isNotNull();
        });
    }

    @Test
    @DisplayName("K1: a process without the service puts an item, another one handles it")
    void k1_producerAndConsumerInDifferentProcesses() {
        process().withBean(ItemType.class, () -> Sheet.TYPE).run(producer -> {
            producer.getBean(WorkQueues.class).put(new Sheet("from afar"));
            assertThat(done).isEmpty();
        });

        worker((sheet, delivery) -> finish(sheet)).run(consumer -> await().atMost(SOON)
                .untilAsserted(() -> assertThat(done).containsExactly("from afar")));
    }

    @Test
    @DisplayName("K3, K13: a scheduled service bean runs by itself, and soon after a signal")
    void k3_aScheduledServiceRuns() {
        AtomicInteger runs = new AtomicInteger();
        process().withBean(ScheduledService.class, () -> counting(runs)).run(context -> {
            await().atMost(SOON).untilAsserted(() -> assertThat(runs).hasValue(1));

            context.getBean(Signals.class).runSoon("counting");

            await().atMost(SOON).untilAsserted(() -> assertThat(runs).hasValue(2));
        });
    }

    @Test
    void twoServicesOfOneQueueAreRefused() {
        worker((sheet, delivery) -> finish(sheet))
                .withBean("second", Sheets.class, () -> new Sheets((sheet, delivery) -> finish(sheet)))
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void concurrencyIsASetting() {
        CountDownLatch allAtOnce = new CountDownLatch(20);
        worker((sheet, delivery) -> {
                    allAtOnce.countDown();
                    allAtOnce.await();
                    return finish(sheet);
                })
                .withPropertyValues("azuremail.work.concurrency.sheets=20")
                .run(context -> {
                    putSheets(context.getSourceApplicationContext(), 20);
                    await().atMost(SOON).untilAsserted(() -> assertThat(done).hasSize(20));
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "azuremail.work.concurrency.sheets=0",
                "azuremail.work.max-idle=0s",
                "azuremail.work.foreign-lease-grace=-1s",
                "azuremail.work.stop-within=1h"
            })
    void senselessSettingsAreRefusedAtTheStart(String setting) {
        process().withPropertyValues(setting).run(context -> assertThat(context).hasFailed());
    }

    @Test
    void aProcessIsSeenByTheOthersUntilItStops() {
        process().withBean(ItemType.class, () -> Sheet.TYPE).run(other -> {
            Instances instances = other.getBean(Instances.class);
            worker((sheet, delivery) -> finish(sheet))
                    .withPropertyValues("azuremail.roles=sender")
                    .withBean(InstanceFacts.class, () -> () -> Map.of("done", String.valueOf(done.size())))
                    .run(process -> await().atMost(SOON).untilAsserted(() -> assertThat(instances.known())
                            .filteredOn(instance -> instance.queues().contains("sheets"))
                            .singleElement()
                            .satisfies(instance -> {
                                assertThat(instance.roles()).containsExactly("sender");
                                assertThat(instance.facts()).containsEntry("done", "0");
                            })));

            assertThat(instances.known())
                    .noneMatch(instance -> instance.queues().contains("sheets"));
        });
    }

    private static ScheduledService counting(AtomicInteger runs) {
        return new ScheduledService() {
            @Override
            public String name() {
                return "counting";
            }

            @Override
            public Duration interval() {
                return Duration.ofHours(1);
            }

            @Override
            public void run() {
                runs.incrementAndGet();
            }
        };
    }
}
