package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.work.InlineWork;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which process holds an item while its handler runs, and after its handler died. */
class HeldItemTest {

    private final Workshop shop = new Workshop();

    @ParameterizedTest
    @ValueSource(ints = {3, 10})
    @DisplayName("K8, E-13: a handler that runs many times its visibility is not begun a second time")
    void k8_e13_aSlowHandlerKeepsItsItem(int times) {
        shop.queues.put(new Sheet("slow"));
        SheetService other = SheetService.thatAnswers(WorkResult.DONE);
        QueueRunner<Sheet> otherProcess = InlineWork.runner(shop.process(shop.time, Duration.ZERO, 2), other);
        SheetService slow = new SheetService((sheet, delivery) -> {
            for (int second = 0; second < times * SheetService.VISIBILITY.toSeconds(); second++) {
                shop.time.advance(Duration.ofSeconds(1));
                shop.runtime.renewals().runOnce();
                otherProcess.runOnce();
            }
            return WorkResult.DONE;
        });

        InlineWork.runner(shop.runtime, slow).runOnce();

        assertThat(slow.begun).hasSize(1);
        assertThat(other.begun).isEmpty();
        assertThat(shop.itemsLeft()).isZero();
    }

    @Test
    @DisplayName("K8: visibility is renewed at a third, so that one renewal may fail")
    void k8_oneFailedRenewalDoesNoHarm() {
        shop.queues.put(new Sheet("slow"));
        SheetService other = SheetService.thatAnswers(WorkResult.DONE);
        QueueRunner<Sheet> otherProcess = InlineWork.runner(shop.process(shop.time, Duration.ZERO, 2), other);
        FailFirst failFirst = new FailFirst(Call.Kind.RENEW);
        SheetService slow = new SheetService((sheet, delivery) -> {
            shop.storage.hook(failFirst);
            for (int second = 0; second < 180; second++) {
                shop.time.advance(Duration.ofSeconds(1));
                shop.runtime.renewals().runOnce();
                otherProcess.runOnce();
            }
            return WorkResult.DONE;
        });

        InlineWork.runner(shop.runtime, slow).runOnce();

        assertThat(failFirst.failed).isTrue();
        assertThat(other.begun).isEmpty();
    }

    @Test
    @DisplayName("L-1: a process that dies in the handler loses the item to another, and it is charged nothing")
    void l1_aDeadHandlersItemIsHandledByAnother() {
        shop.queues.put(new Sheet("a"));
        QueueRunner<Sheet> dying = InlineWork.runner(shop.runtime, SheetService.thatThrows(new ProcessDied()));
        assertThatThrownBy(dying::runOnce).isInstanceOf(ProcessDied.class);
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        QueueRunner<Sheet> living = InlineWork.runner(shop.process(shop.time, Duration.ZERO, 2), service);

        shop.time.advance(Duration.ofSeconds(59));
        assertThat(living.runOnce()).isZero();
        shop.time.advance(Duration.ofSeconds(1));
        assertThat(living.runOnce()).isEqualTo(1);

        assertThat(shop.itemsLeft()).isZero();
        assertThat(shop.triesRows()).isZero();
    }

    @Test
    @DisplayName("A56: an item that is delivered a hundred times to processes that die is no dead letter")
    void crashesChargeNothing() {
        shop.queues.put(new Sheet("a"));
        for (int i = 0; i < 100; i++) {
            QueueRunner<Sheet> dying = InlineWork.runner(shop.runtime, SheetService.thatThrows(new ProcessDied()));
            assertThatThrownBy(dying::runOnce).isInstanceOf(ProcessDied.class);
            shop.time.advance(SheetService.VISIBILITY);
        }
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);

        InlineWork.runner(shop.runtime, service).runOnce();

        assertThat(service.begun).containsExactly("a");
        assertThat(shop.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("L-3: an item whose handler a stop ends is resumed at once by another process, and is charged nothing")
    void l3_aStopChargesNothing() {
        shop.queues.put(new Sheet("a"));
        QueueRunner<Sheet> stopped = InlineWork.runner(shop.runtime, new SheetService((sheet, delivery) -> {
            shop.stopFlag.request();
            assertThat(delivery.stopping()).isTrue();
            throw new IllegalStateException("my pool is closed");
        }));
        stopped.runOnce();

        assertThat(shop.isVisible("a")).isTrue();
        assertThat(shop.triesRows()).isZero();
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
