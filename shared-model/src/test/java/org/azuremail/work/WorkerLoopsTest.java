package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.Time;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Whole processes: a Spring context with real threads. */
class WorkerLoopsTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final SimulatedStorage storage = new SimulatedStorage(Time.system());
    private final Set<String> done = ConcurrentHashMap.newKeySet();

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AzureMailProperties.class)
    static class Surroundings {}

    /** Typed as Spring sees a service bean. */
    private static final class Sheets implements QueueService<Sheet> {

        private final SheetService.Script script;

        Sheets(SheetService.Script script) {
            this.script = script;
        }

        @Override
        public ItemType<Sheet> itemType() {
            return Sheet.TYPE;
        }

        @Override
        public WorkResult handle(Sheet sheet, Delivery delivery) throws Exception {
            return script.handle(sheet, delivery);
        }
    }

    private ApplicationContextRunner process() {
        return new ApplicationContextRunner()
                .withUserConfiguration(Surroundings.class, WorkConfiguration.class)
                .withBean(Storage.class, storage::storage)
                .withBean(Time.class, Time::system)
                .withBean(IdSource.class, IdSource::secure)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }

    private ApplicationContextRunner worker(SheetService.Script script) {
        return process().withBean(Sheets.class, () -> new Sheets(script));
    }

    private WorkResult finish(Sheet sheet) {
        done.add(sheet.text());
        return WorkResult.DONE;
    }

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

    private static void putSheets(ConfigurableApplicationContext process, int count) {
        WorkQueues queues = process.getBean(WorkQueues.class);
        for (int i = 0; i < count; i++) {
            queues.put(new Sheet("sheet " + i));
        }
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
