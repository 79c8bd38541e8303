package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.work.InlineWork;
import org.azuremail.work.WorkContract;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of many items that travel together. */
public interface BatchContract extends WorkContract {

    /** A duration that is short enough to wait for if time cannot be driven. */
    Duration SHORT = Duration.ofSeconds(2);

    static List<Sheet> sheets(int count) {
        return IntStream.range(0, count).mapToObj(i -> new Sheet("sheet " + i)).toList();
    }

    static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "sheet " + i).toList();
    }

    @Test
    @DisplayName("Q16: a thousand items travel with one item of the queue, each is handled once, and the blob goes")
    default void q16_aThousandItemsTravelWithOne() {
        WorkBench bench = bench();
        bench.queues.putAll(sheets(1000));
        assertThat(bench.itemsLeft()).isEqualTo(1);
        assertThat(bench.payloadBlobs()).hasSize(1);
        SheetService service = new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type);

        assertThat(InlineWork.runner(bench.runtime, service).runOnce()).isEqualTo(1);

        assertThat(service.begun).isEqualTo(texts(0, 1000));
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.payloadBlobs()).isEmpty();
    }

    @Test
    @DisplayName("Q16: nothing is put for nothing, and one item needs no blob")
    default void q16_fewItemsNeedNoBatch() {
        WorkBench bench = bench();
        bench.queues.putAll(List.of());
        assertThat(bench.itemsLeft()).isZero();

        bench.queues.putAll(sheets(1));

        assertThat(bench.textsInQueue()).containsExactly(bench.type.write(new Sheet("sheet 0")));
        assertThat(bench.payloadBlobs()).isEmpty();
    }

    @Test
    @DisplayName("Q16: an item that fails or wants to come later goes on alone and holds no other up")
    default void q16_anItemThatFailsGoesOnAlone() {
        WorkBench bench = bench();
        bench.queues.putAll(sheets(20));
        SheetService service = new SheetService(
                (sheet, delivery) -> switch (sheet.text()) {
                    case "sheet 3" -> throw new IllegalStateException("broken");
                    case "sheet 5" -> new WorkResult.RetryAfter(Duration.ZERO);
                    case "sheet 7" -> new WorkResult.Discard("pointless");
                    default -> WorkResult.DONE;
                },
                bench.type);

        InlineWork.runner(bench.runtime, service).runOnce();

        assertThat(service.begun).isEqualTo(texts(0, 20));
        assertThat(bench.payloadBlobs()).isEmpty();
        assertThat(bench.itemsLeft()).as("the third and the fifth").isEqualTo(2);
        assertThat(bench.textsInQueue()).containsExactly(bench.type.write(new Sheet("sheet 5")));
    }

    @Test
    @DisplayName("Q16, K23: an item that cannot be read is a dead letter of its own, and the others are handled")
    default void q16_anItemThatCannotBeReadIsADeadLetterOfItsOwn() {
        WorkBench bench = bench();
        bench.queues.putAll(sheets(5));
        ItemType<Sheet> picky = new ItemType<>(bench.queue, Sheet.class, bench.type.writer(), text -> {
            if (text.contains("sheet 2")) {
                throw new IllegalArgumentException("not this one");
            }
            return bench.type.read(text);
        });
        SheetService service = new SheetService((sheet, delivery) -> WorkResult.DONE, picky);

        InlineWork.runner(bench.runtime, service).runOnce();

        assertThat(service.begun).containsExactly("sheet 0", "sheet 1", "sheet 3", "sheet 4");
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).singleElement().satisfies(letter -> {
            assertThat(bench.type.read(letter.text())).isEqualTo(new Sheet("sheet 2"));
            assertThat(letter.reason()).returns("ITEM_UNREADABLE", Reason::code);
            assertThat(letter.reason().text(0)).contains("not this one");
            assertThat(bench.deadLetters.restore(letter.id(), queue -> queue)).isTrue();
        });
        assertThat(bench.itemsLeft()).isEqualTo(1);
    }

    @Test
    @DisplayName("K23: a batch whose payload is damaged is a dead letter")
    default void k23_aDamagedBatchIsADeadLetter() {
        WorkBench bench = bench();
        bench.queues.putAll(sheets(5));
        storage().blobs().put(Payloads.CONTAINER, bench.payloadBlobs().get(0), new byte[] {1, 2}, BlobStore.ALWAYS);

        bench.runner((sheet, delivery) -> WorkResult.DONE).runOnce();

        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).singleElement().satisfies(letter -> assertThat(letter.reason())
                .returns("PAYLOAD_DAMAGED", Reason::code));
    }

    @Test
    @DisplayName("Q-9, L-3: a stop in the middle hands the rest back at once, and nothing is repeated")
    default void q9_aStopInTheMiddleRepeatsNothing() {
        WorkBench bench = bench();
        bench.queues.putAll(sheets(30));
        WorkBench stopping = bench.process(bench.storage);
        SheetService first = new SheetService(
                (sheet, delivery) -> {
                    if (sheet.text().equals("sheet 9")) {
                        stopping.stopFlag.request();
                        assertThat(delivery.stopping()).isTrue();
                    }
                    return WorkResult.DONE;
                },
                bench.type);
        SheetService second = new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type);

        InlineWork.runner(stopping.runtime, first).runOnce();
        InlineWork.runner(bench.runtime, second).runOnce();

        assertThat(first.begun).isEqualTo(texts(0, 10));
        assertThat(second.begun).isEqualTo(texts(10, 30));
        assertThat(bench.payloadBlobs()).isEmpty();
    }

    @Test
    @DisplayName("Q-9: after a crash in the middle the rest is handled, and what was noted as done is not repeated")
    default void q9_afterACrashTheRestIsHandled() {
        WorkBench bench = bench();
        bench.queues.putAll(sheets(200));
        SheetService dying = new SheetService(
                        (sheet, delivery) -> {
                            if (sheet.text().equals("sheet 130")) {
                                throw new ProcessDied();
                            }
                            return WorkResult.DONE;
                        },
                        bench.type)
                .hiddenFor(SHORT);
        QueueRunner<Sheet> runner = InlineWork.runner(bench.process(bench.storage).runtime, dying);
        assertThatThrownBy(runner::runOnce).isInstanceOf(ProcessDied.class);
        letPass(SHORT.plusSeconds(1));
        SheetService living = new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type);

        InlineWork.runner(bench.runtime, living).runOnce();

        int repeatedFrom = 130 / BatchHandling.SAVE_AFTER_ITEMS * BatchHandling.SAVE_AFTER_ITEMS;
        assertThat(living.begun.get(living.begun.size() - 1)).isEqualTo("sheet 199");
        assertThat(living.begun).containsAll(texts(130, 200)).doesNotContainAnyElementsOf(texts(0, repeatedFrom));
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.payloadBlobs()).isEmpty();
    }

    @Test
    @DisplayName("I4: a worker that lost its batch to another stops, and changes nothing of what that one noted")
    default void q9_aWorkerThatLostItsBatchStops() {
        WorkBench bench = bench();
        bench.queues.putAll(sheets(300));
        SheetService successor = new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type);
        List<String> begun = new ArrayList<>();
        SheetService frozen = new SheetService(
                        (sheet, delivery) -> {
                            begun.add(sheet.text());
                            if (begun.size() == 70) {
                                letPass(SHORT.plusSeconds(1));
                                InlineWork.runner(bench.runtime, successor).runOnce();
                            }
                            return WorkResult.DONE;
                        },
                        bench.type)
                .hiddenFor(SHORT);

        InlineWork.runner(bench.process(bench.storage).runtime, frozen).runOnce();

        assertThat(successor.begun).isEqualTo(texts(50, 300));
        assertThat(begun).as("until the next note").startsWith("sheet 0").hasSizeBetween(70, 100);
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).isEmpty();
    }
}
