package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks how many items are taken at a time. */
class QueueRunnerTest {

    private final Workshop shop = new Workshop();

    @Test
    @DisplayName("K3: the queue is made when the first runner looks")
    void k3_theQueueIsMade() {
        assertThat(InlineWork.runner(shop.runtime, SheetService.thatAnswers(WorkResult.DONE))
                        .runOnce())
                .isZero();
        assertThat(shop.itemsLeft()).isZero();
    }

    @Test
    void asManyItemsAreTakenAsMayRunAtOnce() {
        for (int i = 0; i < 10; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);

        assertThat(InlineWork.runner(shop.runtime, service, 4, () -> {}).runOnce())
                .isEqualTo(4);
        assertThat(shop.itemsLeft()).isEqualTo(6);
    }

    @Test
    @DisplayName("Q10: one call takes up to 32 items")
    void oneCallTakesUpTo32() {
        for (int i = 0; i < 64; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }
        QueueRunner<Sheet> runner =
                InlineWork.runner(shop.runtime, SheetService.thatAnswers(WorkResult.DONE), 100, () -> {});
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
        shop.stopFlag.request();

        assertThat(InlineWork.runner(shop.runtime, service).runOnce()).isZero();
        assertThat(shop.isVisible("a")).isTrue();
    }

    @Test
    void itemsFoundAfterAnUpgradeOfTheStorageAreLeftToTheNewerProgram() {
        Leases gated = new Leases(
                shop.storage.storage(),
                shop.time,
                Holders.anywhere(new SeededIds(1)),
                Duration.ZERO,
                atMostOld -> atMostOld.compareTo(StoreGate.BUSY) > 0);
        WorkRuntime older =
                InlineWork.runtime(shop.storage.storage(), shop.deadLetters, gated, shop.time, shop.stopFlag);
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        shop.queues.put(new Sheet("a"));

        assertThat(InlineWork.runner(older, service).runOnce()).isZero();

        assertThat(service.begun).isEmpty();
        shop.time.advance(service.visibility());
        assertThat(InlineWork.runner(shop.runtime, service).runOnce()).isEqualTo(1);
        assertThat(service.begun).containsExactly("a");
    }

    @Test
    void placesFollowTheTimeThatTheWaitingItemsTakeAndAreCountedOnceAMinute() {
        SheetService service = new SheetService((sheet, delivery) -> {
            shop.time.advance(Duration.ofSeconds(15));
            return WorkResult.DONE;
        });
        QueueRunner<Sheet> runner = new QueueRunner<>(shop.runtime, List.of(service), 1, 40, () -> {}, () -> 0.5);
        for (int i = 0; i < 101; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }

        runner.runOnce();
        assertThat(runner.free()).as("nobody knows yet how long an item takes").isEqualTo(2);
        runner.runOnce();
        assertThat(runner.free())
                .as("100 items of 15 seconds within five minutes")
                .isEqualTo(5);
        shop.storage.resetCounters();
        runner.runOnce();
        assertThat(shop.storage.calls(Call.Kind.COUNT)).isZero();

        QueueRunner<Sheet> otherProcess =
                InlineWork.runner(shop.process(shop.time, Duration.ZERO, 2), SheetService.thatAnswers(WorkResult.DONE));
        while (shop.itemsLeft() > 0) {
            otherProcess.runOnce();
        }
        runner.runOnce();
        assertThat(runner.free()).as("after a look that found nothing").isEqualTo(2);
    }
}
