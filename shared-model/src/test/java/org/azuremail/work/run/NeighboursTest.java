package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.Features;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** Checks several services of one process, with real threads and a driven clock. */
@ExtendWith(OutputCaptureExtension.class)
class NeighboursTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final CountDownLatch release = new CountDownLatch(1);

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AzureMailProperties.class)
    static class Surroundings {}

    /** An urgent item. */
    record Note(String text) {

        static final ItemType<Note> TYPE = ItemType.json("notes", Note.class);
    }

    private final class Slow implements QueueService<Sheet> {

        @Override
        public ItemType<Sheet> itemType() {
            return Sheet.TYPE;
        }

        @Override
        public WorkResult handle(Sheet sheet, Delivery delivery) throws Exception {
            release.await();
            return WorkResult.DONE;
        }
    }

    private final class Quick implements QueueService<Note> {

        @Override
        public ItemType<Note> itemType() {
            return Note.TYPE;
        }

        @Override
        public WorkResult handle(Note note, Delivery delivery) {
            done.add(note.text());
            return WorkResult.DONE;
        }
    }

    private ApplicationContextRunner process() {
        return new ApplicationContextRunner()
                .withUserConfiguration(Surroundings.class)
                .withUserConfiguration(Features.of("storage.version", "work"))
                .withBean(Storage.class, storage::storage)
                .withBean(Time.class, () -> time)
                .withBean(IdSource.class, IdSource::secure)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(Quick.class, Quick::new);
    }

    @Test
    @DisplayName("P-6: however much waits in one queue, and however slow it is, an item of another is handled at once")
    void p6_aFloodInOneQueueDelaysNoOther() {
        process().withBean(Slow.class, Slow::new).run(context -> {
            WorkQueues queues = context.getBean(WorkQueues.class);
            for (int i = 0; i < 500; i++) {
                queues.put(new Sheet("slow " + i));
            }

            queues.put(new Note("urgent"));

            await().atMost(SOON).untilAsserted(() -> assertThat(done).containsExactly("urgent"));
            assertThat(storage.queues().approximateCount("sheets")).isEqualTo(500);
            release.countDown();
        });
    }

    @Test
    @DisplayName(
            "E-22: storage is out of reach for two minutes; loops go on by themselves, one error a minute is logged")
    void e22_loopsSurviveTwoMinutesWithoutStorage(CapturedOutput output) {
        AtomicInteger refused = new AtomicInteger();
        process().run(context -> {
            storage.hook(new CallHook() {
                @Override
                public void before(Call call) {
                    refused.incrementAndGet();
                    throw new StorageException(Reason.UNAVAILABLE, "out of reach", null);
                }
            });
            for (int part = 0; part < 4; part++) {
                int before = refused.get();
                await().atMost(SOON).until(() -> refused.get() > before);
                time.advance(Duration.ofSeconds(30));
            }
            storage.hook(CallHook.NONE);
            storage.queues().createQueue("notes");
            storage.queues().send("notes", Note.TYPE.write(new Note("after")));

            await().atMost(SOON).untilAsserted(() -> assertThat(done).containsExactly("after"));
        });

        assertThat(output.getAll().lines().filter(line -> line.contains(" ERROR ")))
                .as("errors logged in two minutes, of all loops together")
                .hasSizeBetween(1, 3);
        assertThat(output.getAll().lines().filter(line -> line.contains("notes failed and goes on")))
                .as("what the log says of one loop")
                .hasSizeBetween(1, 3);
    }
}
