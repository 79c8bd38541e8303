package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.work.InlineWork;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkloadTest {

    private final Workshop shop = new Workshop();

    @Test
    @DisplayName("K21: the results of items are counted by queue, with the time that they took")
    void k21_workIsCountedByQueueWithItsTime() {
        List.of("done", "dull", "later", "broken").forEach(text -> shop.queues.put(new Sheet(text)));
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, new SheetService((sheet, delivery) -> {
            shop.time.advance(Duration.ofSeconds(2));
            return switch (sheet.text()) {
                case "done" -> WorkResult.DONE;
                case "dull" -> new WorkResult.Discard("dull");
                case "later" -> new WorkResult.RetryAfter(Duration.ofHours(1));
                default -> throw new IllegalStateException("broken");
            };
        }));

        runner.runOnce();
        runner.runOnce();

        assertThat(workload())
                .containsExactly(Map.entry(
                        "sheets",
                        new Workload.QueueCounts(
                                4,
                                2,
                                1,
                                2,
                                1,
                                1,
                                0,
                                Duration.ofSeconds(8),
                                4,
                                0,
                                0,
                                Map.of(0, 1L, 30, 1L, 33, 1L, 36, 1L))));
    }

    @Test
    void anItemThatBecomesADeadLetterIsFinished() {
        shop.storage.queues().createQueue("sheets");
        shop.storage.queues().send("sheets", "not a sheet");

        InlineWork.runner(shop.runtime, SheetService.thatAnswers(WorkResult.DONE))
                .runOnce();

        assertThat(workload().get("sheets"))
                .isEqualTo(new Workload.QueueCounts(4, 1, 0, 1, 0, 0, 1, Duration.ZERO, 1, 0, 0, Map.of(0, 1L)));
    }

    @Test
    void aQueueThatHadNoWorkYetHasItsPlaces() {
        InlineWork.runner(shop.runtime, SheetService.thatAnswers(WorkResult.DONE));

        assertThat(workload().get("sheets"))
                .isEqualTo(new Workload.QueueCounts(4, 0, 0, 0, 0, 0, 0, Duration.ZERO, 0, 0, 0, Map.of()));
    }

    @Test
    void placesThatQueuesShareAreOneCapacity() {
        Workload workload = new Workload();

        workload.pool(List.of("letters", "cards"), 8);
        workload.pool(List.of("sheets"), 4);
        workload.pool(List.of("sheets"), 4);

        assertThat(workload.snapshot().get("letters").places()).isEqualTo(8);
        assertThat(workload.snapshot().get("cards").places()).isEqualTo(8);
        assertThat(workload.capacity()).isEqualTo(12);
    }

    private Map<String, Workload.QueueCounts> workload() {
        return shop.runtime.metrics().workload().snapshot();
    }
}
