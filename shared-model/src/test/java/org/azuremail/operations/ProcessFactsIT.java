package org.azuremail.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Checks that a whole process reads the facts of another one on the same file. */
class ProcessFactsIT {

    private static final Duration SOON = Duration.ofSeconds(20);

    record Note(String text) {}

    static final class Notes implements QueueService<Note> {

        @Override
        public ItemType<Note> itemType() {
            return ItemType.json("notes", Note.class);
        }

        @Override
        public WorkResult handle(Note note, Delivery delivery) {
            return WorkResult.DONE;
        }

        @Override
        public int concurrency() {
            return 7;
        }
    }

    @Test
    void aProcessTellsTheOthersWhatItDidAndWhatItAsked(@TempDir Path data) {
        process(data, "sender").withBean(Notes.class, Notes::new).run(sender -> process(data, "web")
                .run(web -> {
                    sender.getBean(WorkQueues.class).put(new Note("a"));
                    sender.getBean(WorkQueues.class).put(new Note("b"));
                    await().atMost(SOON).untilAsserted(() -> {
                        sender.getBean(Instances.class).heartbeat();
                        ProcessReport report = reportOf(web.getBean(Instances.class), "sender");
                        assertThat(report.places("notes")).isEqualTo(7);
                        assertThat(report.work("notes", ProcessReport.FINISHED).total())
                                .isEqualTo(2);
                        assertThat(report.counts()
                                        .get(ProcessReport.callName("queue", "notes", "send"))
                                        .total())
                                .isEqualTo(2);
                        assertThat(report.counts()
                                        .get(ProcessReport.callName("queue", "notes", "delete"))
                                        .total())
                                .isEqualTo(2);
                    });
                    assertThat(web.getBean(Operations.class).overview().queues())
                            .filteredOn(queue -> queue.name().equals("notes"))
                            .singleElement()
                            .satisfies(notes -> {
                                assertThat(notes.places()).isEqualTo(7);
                                assertThat(notes.finished()).isEqualTo(2);
                                assertThat(notes.waiting()).isZero();
                            });
                }));
    }

    private static ApplicationContextRunner process(Path data, String role) {
        return new ApplicationContextRunner()
                .withUserConfiguration(CoreConfiguration.class)
                .withPropertyValues("azuremail.data-dir=" + data, "azuremail.roles=" + role);
    }

    private static ProcessReport reportOf(Instances instances, String role) {
        Instance found = instances.known().stream()
                .filter(instance -> instance.roles().contains(role))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody is " + role));
        return ProcessReport.read(found.facts());
    }
}
