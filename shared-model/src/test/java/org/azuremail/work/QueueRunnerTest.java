package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueRunnerTest {

    /** The process ends here, as by a kill: nothing of ours catches it. */
    private static final class Killed extends Error {}

    private final Workshop shop = new Workshop();

    @Nested
    class Outcomes {

        @Test
        @DisplayName("K2: a normal return deletes the item")
        void k2_doneDeletes() {
            shop.queues.put(new Sheet("a"));
            SheetService service = SheetService.thatAnswers(WorkResult.DONE);

            assertThat(shop.runtime.runner(service).runOnce()).isEqualTo(1);

            assertThat(service.begun).containsExactly("a");
            assertThat(shop.itemsLeft()).isZero();
        }

        @Test
        @DisplayName("K2: a discarded item is deleted, and is no dead letter")
        void k2_discardDeletes() {
            shop.queues.put(new Sheet("a"));

            shop.runtime
                    .runner(SheetService.thatAnswers(new WorkResult.Discard("pointless")))
                    .runOnce();

            assertThat(shop.itemsLeft()).isZero();
            assertThat(deadLetters()).isEmpty();
        }

        @Test
        @DisplayName("K2, A56: retry-after shows the item after the delay, a hundred times, and counts nothing")
        void k2_retryAfterIsNobodysFault() {
            shop.queues.put(new Sheet("a"));
            SheetService service = SheetService.thatAnswers(new WorkResult.RetryAfter(Duration.ofMinutes(5)));
            QueueRunner<Sheet> runner = shop.runtime.runner(service);

            for (int i = 0; i < 100; i++) {
                assertThat(runner.runOnce()).isEqualTo(1);
                shop.time.advance(Duration.ofSeconds(299));
                assertThat(runner.runOnce()).isZero();
                shop.time.advance(Duration.ofSeconds(1));
            }

            assertThat(service.begun).hasSize(100);
            assertThat(triesRows()).isZero();
            assertThat(deadLetters()).isEmpty();
        }

        @Test
        @DisplayName("K2, L-2: a throw keeps the item; it comes again after 1, 4, 16 and 60 seconds")
        void l2_aThrowKeepsTheItem() {
            shop.queues.put(new Sheet("a"));
            SheetService service = SheetService.thatThrows(new IllegalStateException("broken"));
            QueueRunner<Sheet> runner = shop.runtime.runner(service);

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
            QueueRunner<Sheet> runner = shop.runtime.runner(new SheetService((sheet, delivery) -> {
                begun.add(sheet.text());
                if (begun.size() == 1) {
                    throw new IllegalStateException("once");
                }
                return WorkResult.DONE;
            }));

            runner.runOnce();
            assertThat(triesRows()).isEqualTo(1);
            shop.time.advance(Duration.ofSeconds(1));
            runner.runOnce();

            assertThat(shop.itemsLeft()).isZero();
            assertThat(triesRows()).isZero();

            shop.storage.resetCounters();
            shop.queues.put(new Sheet("b"));
            runner.runOnce();
            assertThat(shop.storage.calls(Call.Kind.WRITE)).isZero();
            assertThat(shop.storage.calls(Call.Kind.GET)).isZero();
        }

        @Test
        @DisplayName("E-22: storage that is out of reach in a handler charges nothing, however long")
        void storageOutagesChargeNothing() {
            shop.queues.put(new Sheet("a"));
            SheetService service = SheetService.thatThrows(
                    new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null));
            QueueRunner<Sheet> runner = shop.runtime.runner(service);

            for (int i = 0; i < 20; i++) {
                runner.runOnce();
                shop.time.advance(Duration.ofSeconds(10));
            }

            assertThat(service.begun).hasSize(20);
            assertThat(triesRows()).isZero();
        }

        @Test
        void aHandlerThatReturnsNothingHasFailed() {
            shop.queues.put(new Sheet("a"));

            shop.runtime.runner(SheetService.thatAnswers(nothing())).runOnce();

            assertThat(shop.itemsLeft()).isEqualTo(1);
            assertThat(triesRows()).isEqualTo(1);
        }

        @SuppressWarnings("NullAway")
        private static WorkResult nothing() {
            return null;
        }
    }

    @Nested
    class Taking {

        @Test
        void asManyItemsAreTakenAsMayRunAtOnce() {
            for (int i = 0; i < 10; i++) {
                shop.queues.put(new Sheet("sheet " + i));
            }
            SheetService service = SheetService.thatAnswers(WorkResult.DONE);

            assertThat(shop.runtime.runner(service, 4, () -> {}).runOnce()).isEqualTo(4);
            assertThat(shop.itemsLeft()).isEqualTo(6);
        }

        @Test
        @DisplayName("Q10: one call takes up to 32 items")
        void oneCallTakesUpTo32() {
            for (int i = 0; i < 64; i++) {
                shop.queues.put(new Sheet("sheet " + i));
            }
            QueueRunner<Sheet> runner = shop.runtime.runner(SheetService.thatAnswers(WorkResult.DONE), 100, () -> {});
            shop.storage.resetCounters();

            runner.runOnce();
            runner.runOnce();

            assertThat(shop.itemsLeft()).isZero();
            assertThat(shop.storage.calls(Call.Kind.RECEIVE)).isEqualTo(2);
        }

        @Test
        void nothingIsTakenOnceTheProcessStops() {
            shop.queues.put(new Sheet("a"));
            SheetService service = SheetService.thatAnswers(WorkResult.DONE);
            shop.stopping.request();

            assertThat(shop.runtime.runner(service).runOnce()).isZero();
            assertThat(shop.isVisible("a")).isTrue();
        }

        @Test
        @DisplayName("K3: the queue is made when the first runner looks")
        void k3_theQueueIsMade() {
            assertThat(shop.runtime
                            .runner(SheetService.thatAnswers(WorkResult.DONE))
                            .runOnce())
                    .isZero();
            assertThat(shop.itemsLeft()).isZero();
        }
    }

    @Nested
    class Holding {

        @ParameterizedTest
        @ValueSource(ints = {3, 10})
        @DisplayName("K8, E-13: a handler that runs many times its visibility is not begun a second time")
        void k8_e13_aSlowHandlerKeepsItsItem(int times) {
            shop.queues.put(new Sheet("slow"));
            SheetService other = SheetService.thatAnswers(WorkResult.DONE);
            QueueRunner<Sheet> otherProcess =
                    shop.process(shop.time, Duration.ZERO, 2).runner(other);
            SheetService slow = new SheetService((sheet, delivery) -> {
                for (int second = 0; second < times * SheetService.VISIBILITY.toSeconds(); second++) {
                    shop.time.advance(Duration.ofSeconds(1));
                    shop.runtime.renew();
                    otherProcess.runOnce();
                }
                return WorkResult.DONE;
            });

            shop.runtime.runner(slow).runOnce();

            assertThat(slow.begun).hasSize(1);
            assertThat(other.begun).isEmpty();
            assertThat(shop.itemsLeft()).isZero();
        }

        @Test
        @DisplayName("K8: visibility is renewed at a third, so that one renewal may fail")
        void k8_oneFailedRenewalDoesNoHarm() {
            shop.queues.put(new Sheet("slow"));
            SheetService other = SheetService.thatAnswers(WorkResult.DONE);
            QueueRunner<Sheet> otherProcess =
                    shop.process(shop.time, Duration.ZERO, 2).runner(other);
            FailFirst failFirst = new FailFirst(Call.Kind.RENEW);
            SheetService slow = new SheetService((sheet, delivery) -> {
                shop.storage.hook(failFirst);
                for (int second = 0; second < 180; second++) {
                    shop.time.advance(Duration.ofSeconds(1));
                    shop.runtime.renew();
                    otherProcess.runOnce();
                }
                return WorkResult.DONE;
            });

            shop.runtime.runner(slow).runOnce();

            assertThat(failFirst.failed).isTrue();
            assertThat(other.begun).isEmpty();
        }

        @Test
        @DisplayName("L-1: who dies in the handler loses the item to another process, and it is charged nothing")
        void l1_aDeadHandlersItemIsHandledByAnother() {
            shop.queues.put(new Sheet("a"));
            QueueRunner<Sheet> dying = shop.runtime.runner(SheetService.thatThrows(new Killed()));
            assertThatThrownBy(dying::runOnce).isInstanceOf(Killed.class);
            SheetService service = SheetService.thatAnswers(WorkResult.DONE);
            QueueRunner<Sheet> living =
                    shop.process(shop.time, Duration.ZERO, 2).runner(service);

            shop.time.advance(Duration.ofSeconds(59));
            assertThat(living.runOnce()).isZero();
            shop.time.advance(Duration.ofSeconds(1));
            assertThat(living.runOnce()).isEqualTo(1);

            assertThat(shop.itemsLeft()).isZero();
            assertThat(triesRows()).isZero();
        }

        @Test
        @DisplayName("A56: an item that is delivered a hundred times to processes that die is no dead letter")
        void crashesChargeNothing() {
            shop.queues.put(new Sheet("a"));
            for (int i = 0; i < 100; i++) {
                QueueRunner<Sheet> dying = shop.runtime.runner(SheetService.thatThrows(new Killed()));
                assertThatThrownBy(dying::runOnce).isInstanceOf(Killed.class);
                shop.time.advance(SheetService.VISIBILITY);
            }
            SheetService service = SheetService.thatAnswers(WorkResult.DONE);

            shop.runtime.runner(service).runOnce();

            assertThat(service.begun).containsExactly("a");
            assertThat(deadLetters()).isEmpty();
        }

        @Test
        @DisplayName("L-3: what a stop ends is resumed at once by another process, and is charged nothing")
        void l3_aStopChargesNothing() {
            shop.queues.put(new Sheet("a"));
            QueueRunner<Sheet> stopped = shop.runtime.runner(new SheetService((sheet, delivery) -> {
                shop.stopping.request();
                assertThat(delivery.stopping()).isTrue();
                throw new IllegalStateException("my pool is closed");
            }));
            stopped.runOnce();

            assertThat(shop.isVisible("a")).isTrue();
            assertThat(triesRows()).isZero();
        }
    }

    @Nested
    class Poison {

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
            QueueRunner<Sheet> runner = shop.runtime.runner(service);
            for (int i = 0; i < 10; i++) {
                shop.queues.put(new Sheet("good " + i));
                runner.runOnce();
                shop.time.advance(Duration.ofMinutes(1));
            }

            assertThat(service.begun.stream().filter("poison"::equals)).hasSize(5);
            assertThat(service.begun.stream().filter(text -> text.startsWith("good")))
                    .hasSize(10);
            assertThat(shop.itemsLeft()).isZero();
            assertThat(deadLetters()).singleElement().satisfies(letter -> {
                assertThat(letter.queue()).isEqualTo("sheets");
                assertThat(Sheet.TYPE.read(letter.text())).isEqualTo(new Sheet("poison"));
                assertThat(letter.reason()).contains("cannot read sheet");
                assertThat(letter.tries()).isEqualTo(5);
                assertThat(letter.at()).isAfter(ManualTime.START);
            });
            assertThat(triesRows()).isZero();
        }

        @Test
        @DisplayName("K12, E-11: a restored dead letter is handled again with a clean account")
        void k12_restoredItemsAreHandledAgain() {
            shop.queues.put(new Sheet("poison"));
            failFiveTimes();

            assertThat(shop.deadLetters.restore(deadLetters().get(0).id())).isTrue();
            SheetService service = SheetService.thatAnswers(WorkResult.DONE);
            shop.runtime.runner(service).runOnce();

            assertThat(service.begun).containsExactly("poison");
            assertThat(deadLetters()).isEmpty();
        }

        @Test
        @DisplayName("K23: what cannot be read is a dead letter at once, with its reason")
        void unreadableItemsAreDeadLettersAtOnce() {
            QueueRunner<Sheet> runner = shop.runtime.runner(SheetService.thatAnswers(WorkResult.DONE));
            runner.runOnce();
            shop.storage.queues().send(Sheet.TYPE.queue(), "{no sheet");

            runner.runOnce();

            assertThat(shop.itemsLeft()).isZero();
            assertThat(deadLetters()).singleElement().satisfies(letter -> {
                assertThat(letter.text()).isEqualTo("{no sheet");
                assertThat(letter.reason()).startsWith("unreadable: ");
                assertThat(letter.tries()).isZero();
            });
        }

        @Test
        void aStackOverflowIsAFailureLikeAnyOther() {
            shop.queues.put(new Sheet("deep"));
            SheetService service = SheetService.thatThrows(new StackOverflowError());

            runFor(service, 10);

            assertThat(service.begun).hasSize(5);
            assertThat(deadLetters()).hasSize(1);
        }

        @Test
        void aServiceWithItsOwnAccountNeverLosesAnItemToTheDeadLetters() {
            shop.queues.put(new Sheet("range"));
            SheetService service =
                    SheetService.thatThrows(new IllegalStateException("broken")).withoutDeadLetters();

            runFor(service, 20);

            assertThat(service.begun).hasSize(20);
            assertThat(shop.itemsLeft()).isEqualTo(1);
            assertThat(triesRows()).isZero();
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
                    workshop.process(workshop.time, Duration.ZERO, i)
                            .runner(service)
                            .runOnce();
                } catch (Killed end) {
                    killed = true;
                }
                workshop.time.advance(Duration.ofMinutes(1));
            }

            assertThat(killed).isTrue();
            assertThat(workshop.itemsLeft()).as("killed at %d", kill).isZero();
            assertThat(workshop.deadLetters.page(10, null).letters())
                    .as("killed at %d", kill)
                    .hasSize(1);
            assertThat(begun[0]).as("killed at %d", kill).isBetween(5, 6);
        }

        private long callsOfOneDeath(Workshop workshop) {
            workshop.queues.put(new Sheet("poison"));
            workshop.storage.resetCounters();
            SheetService service = SheetService.thatThrows(new IllegalStateException("broken"));
            for (int i = 0; i < 5; i++) {
                workshop.process(workshop.time, Duration.ZERO, i)
                        .runner(service)
                        .runOnce();
                workshop.time.advance(Duration.ofMinutes(1));
            }
            return workshop.storage.calls();
        }
    }

    private void failFiveTimes() {
        runFor(SheetService.thatThrows(new IllegalStateException("broken")), 5);
        assertThat(deadLetters()).hasSize(1);
    }

    private void runFor(SheetService service, int minutes) {
        QueueRunner<Sheet> runner = shop.runtime.runner(service);
        for (int i = 0; i < minutes; i++) {
            runner.runOnce();
            shop.time.advance(Duration.ofMinutes(1));
        }
    }

    private List<DeadLetter> deadLetters() {
        return shop.deadLetters.page(100, null).letters();
    }

    private long triesRows() {
        shop.storage.tables().createTable("work");
        return Rows.all(shop.storage.tables(), "work", KeyRange.partition("tries.sheets"))
                .size();
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
                throw new Killed();
            }
        }
    }

    private static final class FailFirst implements CallHook {

        private final Call.Kind kind;
        private boolean failed;

        FailFirst(Call.Kind kind) {
            this.kind = kind;
        }

        @Override
        public void before(Call call) {
            if (!failed && call.kind() == kind) {
                failed = true;
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
            }
        }
    }
}
