package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.azuremail.app.Features;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.SheetService;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.WorkResult;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

/**
 * Checks two separate processes on one data file. Their loops rest for hours, so any prompt action was triggered by an
 * HTTP signal.
 */
@ExtendWith(OutputCaptureExtension.class)
class ProcessesTest {

    @TempDir
    Path data;

    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final AtomicInteger runs = new AtomicInteger();

    private final class Chime implements ScheduledService {

        private final String name;

        Chime(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Duration interval() {
            return Duration.ofHours(1);
        }

        @Override
        public void run() {
            runs.incrementAndGet();
        }
    }

    private ApplicationContextRunner process(String role) {
        return new ApplicationContextRunner()
                .withUserConfiguration(OnWholeProcesses.Surroundings.class)
                .withUserConfiguration(Features.of("storage.embedded", "storage", "storage.version", "work"))
                .withPropertyValues(
                        "azuremail.data-dir=" + data,
                        "azuremail.roles=" + role,
                        "azuremail.work.max-idle=8h",
                        "azuremail.work.safety-poll=never")
                .withBean(Time.class, Time::system)
                .withBean(IdSource.class, IdSource::secure)
                .withBean(ItemType.class, () -> Sheet.TYPE)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }

    private ApplicationContextRunner consumer(SheetService.Script script) {
        return process("sender")
                .withBean(OnWholeProcesses.Sheets.class, () -> new OnWholeProcesses.Sheets(script))
                .withBean(ScheduledService.class, () -> new Chime("chime"));
    }

    private WorkResult finish(Sheet sheet) {
        done.add(sheet.text());
        return WorkResult.DONE;
    }

    private static void awaitBoth(ApplicationContext process) {
        await().atMost(OnWholeProcesses.SOON)
                .until(() -> process.getBean(Instances.class).known().size() == 2);
    }

    private static double reached(ApplicationContext process, String kind) {
        return process.getBean(MeterRegistry.class)
                .counter("azuremail.work.signals", "kind", kind, "reached", "true")
                .count();
    }

    @Test
    @DisplayName("Q-2, Q9: an item of one process wakes the other after it is stored")
    void q2_q9_anItemWakesAnotherProcess() {
        consumer((sheet, delivery) -> finish(sheet))
                .run(consumer -> process("web").run(web -> {
                    awaitBoth(web);

                    web.getBean(WorkQueues.class).put(new Sheet("from afar"));

                    await().atMost(OnWholeProcesses.SOON)
                            .untilAsserted(() -> assertThat(done).containsExactly("from afar"));
                    await().atMost(OnWholeProcesses.SOON).until(() -> reached(web, "work") == 1);
                }));
    }

    @Test
    void aServiceOfAnotherProcessRunsSoon() {
        consumer((sheet, delivery) -> finish(sheet))
                .run(consumer -> process("web").run(web -> {
                    awaitBoth(web);
                    await().atMost(OnWholeProcesses.SOON).until(() -> runs.get() == 1);

                    web.getBean(Signals.class).runSoon("chime");

                    await().atMost(OnWholeProcesses.SOON).until(() -> runs.get() == 2);
                }));
    }

    @Test
    void aKilledProcessIsToldOfByTheNextOneAndNotAliveForAnybody(CapturedOutput output) {
        process("web").run(before -> {
            Storage storage = before.getBean(Storage.class);
            Holders holders = before.getBean(Holders.class);
            String[] names = {"killed.then", holders.next()};
            for (String name : names) {
                Instances process = new Instances(storage, Time.system(), () -> name, Stream::of);
                process.register(new Registration("mill", Set.of("sender"), Set.of(), Set.of(), ""));
                process.heartbeat();
            }

            process("sender").run(next -> {
                await().atMost(OnWholeProcesses.SOON)
                        .until(() -> output.toString().contains("ended without being stopped"));
                assertThat(next.getBean(Instances.class).live())
                        .extracting(Instance::id)
                        .contains(names[1])
                        .doesNotContain(names[0]);
            });
        });

        assertThat(output.toString().lines().filter(line -> line.contains("ended without being stopped")))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("WARN", "mill", "sender"));
    }

    @ParameterizedTest
    @FieldSource("org.azuremail.work.signal.Signals#RUN_AFTER_DEATH")
    void afterADeathTheServicesThatRepairRunWithoutWaitingForTheirInterval(String service) {
        process("web")
                .withBean(ScheduledService.class, () -> new Chime(service))
                .run(before -> {
                    await().atMost(OnWholeProcesses.SOON).until(() -> runs.get() == 1);
                    Storage storage = before.getBean(Storage.class);
                    Instances killed = new Instances(storage, Time.system(), () -> "killed.then", Stream::of);
                    killed.register(new Registration("mill", Set.of("sender"), Set.of(), Set.of(), ""));
                    killed.heartbeat();

                    process("sender")
                            .run(next -> await().atMost(OnWholeProcesses.SOON).until(() -> runs.get() == 2));
                });
    }

    @Test
    @DisplayName("L-13: a stop in one process reaches the other, whose run under way ends")
    void l13_aStopReachesTheOtherProcess() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        consumer((sheet, delivery) -> {
                    begun.countDown();
                    release.await();
                    return finish(sheet);
                })
                .run(consumer -> process("web").run(web -> {
                    awaitBoth(web);
                    WorkQueues queues = web.getBean(WorkQueues.class);
                    queues.put(new Sheet("under way"));
                    assertThat(begun.await(OnWholeProcesses.SOON.toSeconds(), TimeUnit.SECONDS))
                            .isTrue();
                    Switches switches = web.getBean(Switches.class);
                    Switches theirs = consumer.getBean(Switches.class);

                    switches.stop("sheets", "ann");
                    await().atMost(OnWholeProcesses.SOON).until(() -> theirs.stopped("sheets"));
                    release.countDown();
                    await().atMost(OnWholeProcesses.SOON)
                            .untilAsserted(() -> assertThat(done).containsExactly("under way"));
                    queues.put(new Sheet("waits"));
                    await().atMost(OnWholeProcesses.SOON).until(() -> reached(web, "work") == 2);
                    assertThat(done).containsExactly("under way");

                    switches.start("sheets");
                    await().atMost(OnWholeProcesses.SOON)
                            .untilAsserted(() -> assertThat(done).contains("waits"));
                }));
    }

    @Test
    @DisplayName("Q-10: a second process shares the queue without reconfiguration, and goes again")
    void q10_aProcessMoreAndAProcessLess() {
        consumer((sheet, delivery) -> finish(sheet)).run(first -> {
            consumer((sheet, delivery) -> finish(sheet)).run(second -> awaitBoth(first));

            first.getBean(WorkQueues.class).put(new Sheet("after it went"));

            await().atMost(OnWholeProcesses.SOON)
                    .untilAsserted(() -> assertThat(done).containsExactly("after it went"));
            assertThat(first.getBean(Instances.class).known()).hasSize(1);
        });
    }
}
