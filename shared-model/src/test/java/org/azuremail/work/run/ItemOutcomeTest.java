package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.simulated.Call;
import org.azuremail.work.InlineWork;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks what becomes of an item by the way in which its handler ends. */
class ItemOutcomeTest {

    private final Workshop shop = new Workshop();

    @Test
    @DisplayName("K2: a normal return deletes the item")
    void k2_doneDeletes() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);

        assertThat(InlineWork.runner(shop.runtime, service).runOnce()).isEqualTo(1);

        assertThat(service.begun).containsExactly("a");
        assertThat(shop.itemsLeft()).isZero();
    }

    @Test
    @DisplayName("K2: a discarded item is deleted, and is no dead letter")
    void k2_discardDeletes() {
        shop.queues.put(new Sheet("a"));

        InlineWork.runner(shop.runtime, SheetService.thatAnswers(new WorkResult.Discard("pointless")))
                .runOnce();

        assertThat(shop.itemsLeft()).isZero();
        assertThat(shop.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("K2, A56: retry-after shows the item after the delay, a hundred times, and counts nothing")
    void k2_retryAfterIsNobodysFault() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatAnswers(new WorkResult.RetryAfter(Duration.ofMinutes(5)));
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);

        for (int i = 0; i < 100; i++) {
            assertThat(runner.runOnce()).isEqualTo(1);
            shop.time.advance(Duration.ofSeconds(299));
            assertThat(runner.runOnce()).isZero();
            shop.time.advance(Duration.ofSeconds(1));
        }

        assertThat(service.begun).hasSize(100);
        assertThat(shop.triesRows()).isZero();
        assertThat(shop.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("K2, L-2: a throw keeps the item; it comes again after 1, 4, 16 and 60 seconds")
    void l2_aThrowKeepsTheItem() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatThrows(new IllegalStateException("broken"));
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);

        runner.runOnce();
        for (long rest : List.of(1, 4, 16, 60)) {
            shop.time.advance(Duration.ofSeconds(rest).minusMillis(1));
            assertThat(runner.runOnce()).isZero();
            shop.time.advance(Duration.ofMillis(1));
            assertThat(runner.runOnce()).isEqualTo(1);
        }

        assertThat(service.begun).hasSize(5);
    }

    @Test
    @DisplayName("A56: nothing is written for work that goes well, and a mended item's failures are forgotten")
    void failuresAreWrittenOnAThrowOnly() {
        shop.queues.put(new Sheet("a"));
        List<String> begun = new ArrayList<>();
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, new SheetService((sheet, delivery) -> {
            begun.add(sheet.text());
            if (begun.size() == 1) {
                throw new IllegalStateException("once");
            }
            return WorkResult.DONE;
        }));

        runner.runOnce();
        assertThat(shop.triesRows()).isEqualTo(1);
        shop.time.advance(Duration.ofSeconds(1));
        runner.runOnce();

        assertThat(shop.itemsLeft()).isZero();
        assertThat(shop.triesRows()).isZero();

        shop.storage.resetCounters();
        shop.queues.put(new Sheet("b"));
        runner.runOnce();
        assertThat(shop.storage.calls(Call.Kind.WRITE)).isZero();
        assertThat(shop.storage.calls(Call.Kind.GET)).isZero();
    }

    @Test
    void aHandlerThatReturnsNothingHasFailed() {
        shop.queues.put(new Sheet("a"));

        InlineWork.runner(shop.runtime, SheetService.thatAnswers(nothing())).runOnce();

        assertThat(shop.itemsLeft()).isEqualTo(1);
        assertThat(shop.triesRows()).isEqualTo(1);
    }

    @SuppressWarnings("NullAway")
    private static WorkResult nothing() {
        return null;
    }
}
