package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.azuremail.id.IdSource;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.WorkContract;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemText;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of items that are too large for a queue. */
public interface OverflowContract extends WorkContract {

    /** A megabyte of UTF-8, with characters outside ASCII. */
    String MEGABYTE = "0123456789abcdéüñ€".repeat(48_000).substring(0, 800_000);

    @Test
    @DisplayName("K4: an item of a megabyte arrives as it was put, and its blob goes with it")
    default void k4_aMegabyteRoundTrips() {
        WorkBench bench = bench();
        bench.queues.put(new Sheet(MEGABYTE));
        assertThat(MEGABYTE.getBytes(StandardCharsets.UTF_8).length).isGreaterThan(1_000_000);
        assertThat(bench.textsInQueue()).singleElement().satisfies(text -> assertThat(text)
                .hasSizeLessThan(100));
        assertThat(bench.payloadBlobs()).hasSize(1);
        AtomicReference<Sheet> handled = new AtomicReference<>();

        bench.runner((sheet, delivery) -> {
                    handled.set(sheet);
                    return WorkResult.DONE;
                })
                .runOnce();

        assertThat(handled.get()).isEqualTo(new Sheet(MEGABYTE));
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.payloadBlobs()).isEmpty();
    }

    @Test
    @DisplayName("K4, A18: up to the limit items stand in the queue, one byte more travels by blob")
    default void k4_theLimitIsASetting() {
        WorkBench bench = bench();
        Payloads payloads = new Payloads(storage(), IdSource.secure(), 100);
        assertThat(payloads.pack(bench.queue, "x".repeat(100))).isEqualTo("x".repeat(100));
        assertThat(payloads.pack(bench.queue, "é".repeat(50))).isEqualTo("é".repeat(50));
        assertThat(bench.payloadBlobs()).isEmpty();

        assertThat(payloads.pack(bench.queue, "x".repeat(101))).startsWith("!overflow:");
        assertThat(payloads.pack(bench.queue, "é".repeat(51))).startsWith("!overflow:");
        assertThat(bench.payloadBlobs()).hasSize(2);
    }

    @Test
    @DisplayName("K4: no item can be mistaken for a pointer")
    default void k4_anItemThatLooksLikeAPointerIsAnItem() {
        WorkBench bench = bench();
        String stolen =
                bench.payloads.store(bench.queue, ItemText.Kind.OVERFLOW, "a secret".getBytes(StandardCharsets.UTF_8));
        List<String> texts = List.of(stolen, "!overflow:", "!batch:" + stolen.substring(10), "!", "!!", "!!" + stolen);
        texts.forEach(text -> bench.queues.putText(bench.queue, text, Duration.ZERO));
        List<String> handled = new ArrayList<>();

        InlineWork.runner(bench.runtime, new TextService(bench.queue, text -> {
                    handled.add(text);
                    return WorkResult.DONE;
                }))
                .runOnce();
        InlineWork.runner(bench.runtime, new TextService(bench.queue, text -> {
                    handled.add(text);
                    return WorkResult.DONE;
                }))
                .runOnce();

        assertThat(handled).containsExactlyInAnyOrderElementsOf(texts);
        assertThat(bench.payloadBlobs()).as("nobody's payload was touched").hasSize(1);
    }

    @Test
    @DisplayName("K23: an item that begins like a pointer and is none is a dead letter")
    default void k23_aBrokenPointerIsADeadLetter() {
        WorkBench bench = bench();
        storage().queues().createQueue(bench.queue);
        storage().queues().send(bench.queue, "!elsewhere:abc");

        bench.runner((sheet, delivery) -> WorkResult.DONE).runOnce();

        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).singleElement().satisfies(letter -> {
            assertThat(letter.text()).isEqualTo("!elsewhere:abc");
            assertThat(letter.reason()).returns("NO_POINTER", Reason::code);
        });
    }

    @Test
    @DisplayName("L-4: an item whose blob is gone is a dead letter with the reason, at once and once")
    default void l4_anItemWhoseBlobIsGoneIsADeadLetter() {
        WorkBench bench = bench();
        bench.queues.put(new Sheet(MEGABYTE));
        storage().blobs().delete(Payloads.CONTAINER, bench.payloadBlobs().get(0), BlobStore.ALWAYS);
        List<Sheet> begun = new ArrayList<>();
        QueueRunner<Sheet> runner = bench.runner((sheet, delivery) -> {
            begun.add(sheet);
            return WorkResult.DONE;
        });

        assertThat(runner.runOnce()).isEqualTo(1);
        assertThat(runner.runOnce()).isZero();

        assertThat(begun).isEmpty();
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).singleElement().satisfies(letter -> assertThat(letter.reason())
                .returns("PAYLOAD_MISSING", Reason::code));
    }

    @Test
    @DisplayName("L-4, I6: an item that was sent twice under one blob is done, and makes no dead letter")
    default void l4_aSecondItemOfADonePayloadIsNoDeadLetter() {
        WorkBench bench = bench();
        bench.queues.put(new Sheet(MEGABYTE));
        storage().queues().send(bench.queue, bench.textsInQueue().get(0));
        QueueRunner<Sheet> runner = InlineWork.runner(
                bench.runtime, new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type), 1, () -> {});

        runner.runOnce();
        runner.runOnce();

        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("L-4, K5: orphans go after seven days, younger ones stay, and each is counted")
    default void l4_k5_orphansGoAfterSevenDays() {
        WorkBench bench = bench();
        bench.queues.put(new Sheet("so that the queue is not empty"));
        bench.payloads.store(bench.queue, ItemText.Kind.OVERFLOW, new byte[] {1});
        String done = bench.payloads.store(bench.queue, ItemText.Kind.OVERFLOW, new byte[] {2});
        bench.payloads.markDone(bench.queue, Payloads.tokenOf(done).orElseThrow(), time().instant());
        SimpleMeterRegistry counts = new SimpleMeterRegistry();

        sweep(bench, Duration.ofDays(7).minusHours(1), counts);
        assertThat(bench.payloadBlobs()).hasSize(2);
        assertThat(bench.payloads.state(bench.queue, Payloads.tokenOf(done).orElseThrow()))
                .isPresent();

        sweep(bench, Duration.ofDays(7).plusHours(1), counts);
        assertThat(bench.payloadBlobs()).isEmpty();
        assertThat(bench.payloads.state(bench.queue, Payloads.tokenOf(done).orElseThrow()))
                .isEmpty();
        assertThat(counts.counter("azuremail.work.orphans", "container", Payloads.CONTAINER)
                        .count())
                .isGreaterThanOrEqualTo(2);
    }

    @Test
    @DisplayName("L-4: a payload that was noted as waiting beside an empty queue is an orphan as well")
    default void l4_anEmptyQueueWaitsForNothing() {
        WorkBench bench = bench();
        bench.queues.put(new Sheet(MEGABYTE));
        storage().queues().receive(bench.queue, 1, Duration.ofMinutes(1)).forEach(item -> storage()
                .queues()
                .delete(bench.queue, item));

        sweep(bench, Duration.ofDays(8), new SimpleMeterRegistry());

        assertThat(bench.payloadBlobs()).isEmpty();
    }

    @Test
    @DisplayName("A12: the payload of an item that waits for weeks stays as long as the item")
    default void a12_payloadsLiveAsLongAsTheirItems() {
        WorkBench bench = bench();
        bench.queues.put(new Sheet(MEGABYTE));
        QueueRunner<Sheet> runner = bench.runner(
                (sheet, delivery) -> sheet.text().equals(MEGABYTE) ? WorkResult.DONE : new WorkResult.Discard("?"));

        sweep(bench, Duration.ofDays(70), new SimpleMeterRegistry());

        assertThat(runner.runOnce()).isEqualTo(1);
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("K12, K4: the dead letter of a large item keeps all of it, and restoring brings it back and cleans up")
    default void k4_k12_aLargeDeadLetterIsRestoredWhole() {
        WorkBench bench = bench();
        DeadLetter letter = deadLetterOfAMegabyte(bench);
        assertThat(letter.text()).startsWith("{\"text\":\"0123").hasSizeLessThan(2000);
        assertThat(bench.deadLetters.text(letter.id())).contains(bench.type.write(new Sheet(MEGABYTE)));
        assertThat(bench.payloadBlobs()).as("the item's").isEmpty();
        sweep(bench, Duration.ofDays(70), new SimpleMeterRegistry());

        assertThat(bench.deadLetters.restore(letter.id(), queue -> queue)).isTrue();

        assertThat(bench.deadPayloadBlobs()).isEmpty();
        AtomicReference<Sheet> handled = new AtomicReference<>();
        bench.runner((sheet, delivery) -> {
                    handled.set(sheet);
                    return WorkResult.DONE;
                })
                .runOnce();
        assertThat(handled.get()).isEqualTo(new Sheet(MEGABYTE));
        assertThat(bench.payloadBlobs()).isEmpty();
    }

    @Test
    @DisplayName("K12, K4: deleting the dead letter of a large item removes its payload")
    default void k4_k12_aLargeDeadLetterIsDeletedWhole() {
        WorkBench bench = bench();
        DeadLetter letter = deadLetterOfAMegabyte(bench);

        assertThat(bench.deadLetters.delete(letter.id())).isTrue();
        assertThat(bench.deadLetters.delete(letter.id())).isFalse();

        assertThat(bench.deadPayloadBlobs()).isEmpty();
    }

    @Test
    @DisplayName("L-4: a payload whose dead letter is deleted, or was never written, goes after seven days")
    default void l4_aPayloadWithoutADeadLetterGoes() {
        WorkBench bench = bench();
        String kept = deadLetterOfAMegabyte(bench).id();
        String orphan = kept + "0";
        storage().blobs().put(DeadLetters.PAYLOADS, orphan, new byte[] {1}, BlobStore.ALWAYS);

        sweep(bench, Duration.ofDays(7).minusHours(1), new SimpleMeterRegistry());
        assertThat(bench.deadPayloadBlobs()).containsExactlyInAnyOrder(kept, orphan);

        sweep(bench, Duration.ofDays(7).plusHours(1), new SimpleMeterRegistry());
        assertThat(bench.deadPayloadBlobs()).containsExactly(kept);
    }

    private static DeadLetter deadLetterOfAMegabyte(WorkBench bench) {
        ItemType<Sheet> unreadable = new ItemType<>(bench.queue, Sheet.class, bench.type.writer(), text -> {
            throw new IllegalArgumentException("not today");
        });
        bench.queues.put(new Sheet(MEGABYTE));
        InlineWork.runner(bench.runtime, new SheetService((sheet, delivery) -> WorkResult.DONE, unreadable))
                .runOnce();
        assertThat(bench.itemsLeft()).isZero();
        return bench.deadLetterPage().get(0);
    }

    /** Runs the sweep as if this time had passed. */
    private static void sweep(WorkBench bench, Duration later, SimpleMeterRegistry counts) {
        ManualTime then = ManualTime.at(bench.time.instant().plus(later));
        new PayloadSweep(bench.storage, bench.deadLetters, then, new WorkMetrics(counts)).run();
    }
}
