package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.reason.Reason;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.work.HastyQueues;
import org.azuremail.work.InlineWork;
import org.azuremail.work.WorkContract;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of items whose handler succeeds, fails or dies. */
public interface HandlingContract extends WorkContract {

    /** Returns a bench whose items are hidden for a second at most. */
    private WorkBench hasty() {
        return new WorkBench(HastyQueues.of(storage()), time());
    }

    private long triesRows(WorkBench bench) {
        storage().tables().createTable("work");
        return Rows.all(storage().tables(), "work", KeyRange.partition("tries." + bench.queue))
                .size();
    }

    @Test
    @DisplayName("K2: a normal return deletes the item, and a discarded one is no dead letter")
    default void k2_anItemThatIsDoneIsDeleted() {
        WorkBench bench = bench();
        bench.queues.put(new Sheet("done"));
        bench.queues.put(new Sheet("pointless"));
        List<String> handled = new ArrayList<>();
        QueueRunner<Sheet> runner = bench.runner((sheet, delivery) -> {
            handled.add(sheet.text());
            return sheet.text().equals("done") ? WorkResult.DONE : new WorkResult.Discard("no use");
        });

        runner.runOnce();
        runner.runOnce();

        assertThat(handled).containsExactlyInAnyOrder("done", "pointless");
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("L-1: a worker dies in its handler: another one handles the item later, and nobody is charged")
    default void l1_aWorkerThatDiesInItsHandlerLosesNothing() {
        WorkBench bench = hasty();
        bench.queues.put(new Sheet("a"));
        List<String> handled = new ArrayList<>();
        QueueRunner<Sheet> survivor = bench.process(bench.storage).runner((sheet, delivery) -> {
            handled.add(sheet.text());
            return WorkResult.DONE;
        });

        assertThatExceptionOfType(ProcessDied.class).isThrownBy(() -> bench.runner((sheet, delivery) -> {
                    throw new ProcessDied();
                })
                .runOnce());
        assertThat(survivor.runOnce()).isZero();
        letPass(HastyQueues.LONGEST);
        assertThat(survivor.runOnce()).isEqualTo(1);

        assertThat(handled).containsExactly("a");
        assertThat(bench.itemsLeft()).isZero();
        assertThat(triesRows(bench)).isZero();
    }

    @Test
    @DisplayName("L-2: a throw keeps the item; mended, its failures are forgotten")
    default void l2_aThrowKeepsTheItem() {
        WorkBench bench = hasty();
        bench.queues.put(new Sheet("a"));
        List<Long> failures = new ArrayList<>();
        QueueRunner<Sheet> runner = bench.runner((sheet, delivery) -> {
            failures.add(triesRows(bench));
            if (failures.size() == 1) {
                throw new IllegalStateException("once");
            }
            return WorkResult.DONE;
        });

        assertThat(runner.runOnce()).isEqualTo(1);
        assertThat(runner.runOnce()).isZero();
        letPass(HastyQueues.LONGEST);
        assertThat(runner.runOnce()).isEqualTo(1);

        assertThat(failures).containsExactly(0L, 1L);
        assertThat(bench.itemsLeft()).isZero();
        assertThat(triesRows(bench)).isZero();
    }

    @Test
    @DisplayName("K12, L-2: after five failures an item is a dead letter with its reason; restored, it is handled")
    default void l2_k12_fiveFailuresMakeADeadLetterThatCanBeRestored() {
        WorkBench bench = hasty();
        bench.queues.put(new Sheet("poison"));
        List<String> handled = new ArrayList<>();
        QueueRunner<Sheet> runner = bench.runner((sheet, delivery) -> {
            handled.add(sheet.text());
            if (handled.size() <= RetryPolicy.MAX_FAILURES) {
                throw new IllegalStateException("cannot read sheet");
            }
            return WorkResult.DONE;
        });
        for (int i = 0; i < RetryPolicy.MAX_FAILURES; i++) {
            assertThat(runner.runOnce()).isEqualTo(1);
            letPass(HastyQueues.LONGEST);
        }

        assertThat(runner.runOnce()).isZero();
        assertThat(bench.itemsLeft()).isZero();
        assertThat(triesRows(bench)).isZero();
        DeadLetter letter = bench.deadLetterPage().get(0);
        assertThat(letter.reason()).returns("ITEM_FAILED", Reason::code);
        assertThat(letter.reason().text(0)).contains("cannot read sheet");
        assertThat(letter.tries()).isEqualTo(RetryPolicy.MAX_FAILURES);

        assertThat(bench.deadLetters.restore(letter.id(), queue -> queue)).isTrue();
        assertThat(runner.runOnce()).isEqualTo(1);

        assertThat(handled).hasSize(RetryPolicy.MAX_FAILURES + 1);
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("K23: an item that cannot be read is a dead letter at once, and the item behind it is handled")
    default void k23_unreadableItemsAreDeadLettersAtOnce() {
        WorkBench bench = bench();
        List<String> handled = new ArrayList<>();
        QueueRunner<Sheet> runner = InlineWork.runner(
                bench.runtime,
                new SheetService(
                        (sheet, delivery) -> {
                            handled.add(sheet.text());
                            return WorkResult.DONE;
                        },
                        bench.type),
                QueueStore.MAX_RECEIVE,
                () -> {});
        runner.runOnce();
        storage().queues().send(bench.queue, "{no sheet");
        bench.queues.put(new Sheet("behind it"));

        while (runner.runOnce() > 0) {
            assertThat(handled).hasSizeLessThan(2);
        }

        assertThat(handled).containsExactly("behind it");
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).singleElement().satisfies(letter -> {
            assertThat(letter.text()).isEqualTo("{no sheet");
            assertThat(letter.reason()).returns("ITEM_UNREADABLE", Reason::code);
        });
    }

    @Test
    @DisplayName("K12: the largest item of a queue fits into a dead letter")
    default void k12_theLargestItemFitsIntoADeadLetter() {
        WorkBench bench = bench();
        String text = "x".repeat(QueueStore.MAX_TEXT_BYTES);
        DeadLetter letter = DeadLetter.of(
                bench.queue, "i1", text, Reason.ofText("broken"), time().instant(), RetryPolicy.MAX_FAILURES);

        bench.deadLetters.add(letter);
        bench.deadLetters.add(letter);

        assertThat(bench.deadLetterPage()).singleElement().isEqualTo(letter);
        assertThat(bench.deadLetters.delete(letter.id())).isTrue();
        assertThat(bench.deadLetters.delete(letter.id())).isFalse();
    }
}
