package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks items that fail repeatedly. */
class PoisonTest {

    private final Workshop shop = new Workshop();

    @Test
    @DisplayName("K12, E-11: after five failures the item is a dead letter with its reason, and others flow")
    void k12_e11_fiveFailuresMakeADeadLetter() {
        shop.queues.put(new Sheet("poison"));
        SheetService service = new SheetService((sheet, delivery) -> {
            if (sheet.text().equals("poison")) {
                throw new IllegalStateException("cannot read sheet");
            }
            return WorkResult.DONE;
        });
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);
        for (int i = 0; i < 10; i++) {
            shop.queues.put(new Sheet("good " + i));
            runner.runOnce();
            shop.time.advance(Duration.ofMinutes(1));
        }

        assertThat(service.begun.stream().filter("poison"::equals)).hasSize(5);
        assertThat(service.begun.stream().filter(text -> text.startsWith("good")))
                .hasSize(10);
        assertThat(shop.itemsLeft()).isZero();
        assertThat(shop.deadLetterPage()).singleElement().satisfies(letter -> {
            assertThat(letter.queue()).isEqualTo("sheets");
            assertThat(Sheet.TYPE.read(letter.text())).isEqualTo(new Sheet("poison"));
            assertThat(letter.reason()).asString().contains("cannot read sheet");
            assertThat(letter.tries()).isEqualTo(5);
            assertThat(letter.at()).isAfter(ManualTime.START);
        });
        assertThat(shop.triesRows()).isZero();
    }

    @Test
    @DisplayName("K12, E-11: a restored dead letter is handled again with a clean account")
    void k12_restoredItemsAreHandledAgain() {
        shop.queues.put(new Sheet("poison"));
        failFiveTimes();

        assertThat(shop.deadLetters.restore(shop.deadLetterPage().get(0).id(), queue -> queue))
                .isTrue();
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        InlineWork.runner(shop.runtime, service).runOnce();

        assertThat(service.begun).containsExactly("poison");
        assertThat(shop.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("K23: an item that cannot be read is a dead letter at once, with its reason")
    void unreadableItemsAreDeadLettersAtOnce() {
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, SheetService.thatAnswers(WorkResult.DONE));
        runner.runOnce();
        shop.storage.queues().send(Sheet.TYPE.queue(), "{no sheet");

        runner.runOnce();

        assertThat(shop.itemsLeft()).isZero();
        assertThat(shop.deadLetterPage()).singleElement().satisfies(letter -> {
            assertThat(letter.text()).isEqualTo("{no sheet");
            assertThat(letter.reason()).returns("ITEM_UNREADABLE", Reason::code);
            assertThat(letter.tries()).isZero();
        });
    }

    @Test
    void aStackOverflowIsAFailureLikeAnyOther() {
        shop.queues.put(new Sheet("deep"));
        SheetService service = SheetService.thatThrows(new StackOverflowError());

        runFor(service, 10);

        assertThat(service.begun).hasSize(5);
        assertThat(shop.deadLetterPage()).hasSize(1);
        Workload.QueueCounts done = shop.runtime.metrics().workload().snapshot().get(Sheet.TYPE.queue());
        assertThat(done.failed()).isEqualTo(4);
        assertThat(done.dead()).isEqualTo(1);
    }

    @Test
    void aFailureWhoseAnswerIsLostCountsOnce() {
        shop.queues.put(new Sheet("poison"));
        SheetService service = SheetService.thatThrows(new IllegalStateException("broken"));
        int[] writes = {0};
        shop.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE && call.place().equals("work") && writes[0]++ % 2 == 0) {
                    throw new StorageException(StorageException.Reason.TIMED_OUT, "no answer", null);
                }
            }
        });

        runFor(service, 10);

        assertThat(service.begun).hasSize(5);
        assertThat(shop.deadLetterPage()).singleElement().satisfies(letter -> assertThat(letter.tries())
                .isEqualTo(5));
    }

    @Test
    void aFailureWhoseWordsHaveHalfAnEmojiIsCountedLikeAnyOther() {
        shop.queues.put(new Sheet("poison"));
        SheetService service = SheetService.thatThrows(new IllegalStateException("the feed said \uD83D"));

        runFor(service, 10);

        assertThat(service.begun).hasSize(5);
        assertThat(shop.deadLetterPage())
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason().words()).endsWith("the feed said ?"));
    }

    @Test
    void aServiceWithItsOwnAccountNeverLosesAnItemToTheDeadLetters() {
        shop.queues.put(new Sheet("range"));
        SheetService service =
                SheetService.thatThrows(new IllegalStateException("broken")).withoutDeadLetters();

        runFor(service, 20);

        assertThat(service.begun).hasSize(20);
        assertThat(shop.itemsLeft()).isEqualTo(1);
        assertThat(shop.triesRows()).isZero();
    }

    @Test
    @DisplayName("E-11, I6: killed at any storage call, five failures still make exactly one dead letter")
    void e11_aCrashAtAnyCallMakesOneDeadLetter() {
        long calls = callsOfOneDeath(new Workshop());
        assertThat(calls).isGreaterThan(15);
        for (long kill = 1; kill <= calls; kill++) {
            dieAndGoOn(kill, true);
            dieAndGoOn(kill, false);
        }
    }

    private void dieAndGoOn(long kill, boolean done) {
        Workshop workshop = new Workshop();
        workshop.queues.put(new Sheet("poison"));
        workshop.storage.resetCounters();
        workshop.storage.hook(new KillAt(kill, done));
        int[] begun = {0};
        SheetService service = new SheetService((sheet, delivery) -> {
            begun[0]++;
            throw new IllegalStateException("broken");
        });
        boolean killed = false;
        for (int i = 0; i < 12; i++) {
            try {
                InlineWork.runner(workshop.process(workshop.time, Duration.ZERO, i), service)
                        .runOnce();
            } catch (ProcessDied end) {
                killed = true;
            }
            workshop.time.advance(Duration.ofMinutes(1));
        }

        assertThat(killed).isTrue();
        assertThat(workshop.itemsLeft()).as("killed at %d", kill).isZero();
        assertThat(workshop.deadLetters.page(10, null).items())
                .as("killed at %d", kill)
                .hasSize(1);
        assertThat(begun[0]).as("killed at %d", kill).isBetween(5, 6);
    }

    private long callsOfOneDeath(Workshop workshop) {
        workshop.queues.put(new Sheet("poison"));
        workshop.storage.resetCounters();
        SheetService service = SheetService.thatThrows(new IllegalStateException("broken"));
        for (int i = 0; i < 5; i++) {
            InlineWork.runner(workshop.process(workshop.time, Duration.ZERO, i), service)
                    .runOnce();
            workshop.time.advance(Duration.ofMinutes(1));
        }
        return workshop.storage.calls();
    }

    private void failFiveTimes() {
        runFor(SheetService.thatThrows(new IllegalStateException("broken")), 5);
        assertThat(shop.deadLetterPage()).hasSize(1);
    }

    private void runFor(SheetService service, int minutes) {
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);
        for (int i = 0; i < minutes; i++) {
            runner.runOnce();
            shop.time.advance(Duration.ofMinutes(1));
        }
    }

    private static final class KillAt implements CallHook {

        private final long number;
        private final boolean done;
        private boolean killed;

        KillAt(long number, boolean done) {
            this.number = number;
            this.done = done;
        }

        @Override
        public void before(Call call) {
            kill(call, !done);
        }

        @Override
        public void after(Call call) {
            kill(call, done);
        }

        private void kill(Call call, boolean now) {
            if (now && !killed && call.number() == number) {
                killed = true;
                throw new ProcessDied();
            }
        }
    }
}
