package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.storage.simulated.Call;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.SheetService;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the limit, the polling and the number of workers of a queue, by its settings and after changes by admins. */
class QueueSettingsTest extends OnTunedProcesses {

    @Test
    @DisplayName(
            "Q13, A17: no more items a second than the limit of a queue says, over all processes; a change counts at once")
    void q13_a17_aQueueHasALimit() {
        OneProcess console = process();
        List<SheetService> services = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            services.add(SheetService.thatAnswers(WorkResult.DONE));
            new OneProcess(Map.of("azuremail.work.limits.sheets", "10")).worksOn(services.get(i));
        }
        for (int i = 0; i < 400; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }

        loops.run(Duration.ofSeconds(10));
        assertThat(begun(services)).isBetween(100, 110);
        assertThat(services).allSatisfy(one -> assertThat(one.begun).hasSizeBetween(45, 60));

        console.tune(tuned("sheets", null, null, 40));
        int before = begun(services);
        loops.run(Duration.ofSeconds(5));
        assertThat(begun(services) - before).isBetween(190, 240);
        shop.storage.resetCounters();
        loops.run(Duration.ofSeconds(1));
        assertThat(shop.storage.calls(Call.Kind.RECEIVE))
                .as("whoever waits for the next second does not ask meanwhile")
                .isLessThan(20);
    }

    @ParameterizedTest
    @CsvSource({"2, 3", "1, 4", "5, 4"})
    @DisplayName("Q13, A17: a limit that the processes cannot share evenly is kept too, and used up")
    void q13_a17_aLimitThatDoesNotDivideEvenlyIsKept(int limit, int count) {
        List<SheetService> services = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            services.add(SheetService.thatAnswers(WorkResult.DONE));
            new OneProcess(Map.of("azuremail.work.limits.sheets", String.valueOf(limit))).worksOn(services.get(i));
        }
        loops.run(Duration.ofSeconds(1));
        for (int i = 0; i < 400; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }
        processes.forEach(process -> process.local.wakeConsumer("sheets"));
        shop.storage.resetCounters();

        loops.run(Duration.ofSeconds(10));

        assertThat(begun(services)).isBetween(8 * limit, 11 * limit);
        assertThat(shop.storage.calls(Call.Kind.RECEIVE))
                .as("no process asks out of turn")
                .isLessThan(11L * count * 2);
    }

    private static int begun(List<SheetService> services) {
        return services.stream().mapToInt(service -> service.begun.size()).sum();
    }

    @Test
    @DisplayName("Q1: a naive consumer asks every ten seconds, for one item at a time, whatever signals come")
    void q1_aNaiveConsumerAsksEveryTenSeconds() {
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        OneProcess naive = new OneProcess(Map.of("azuremail.work.polling", "naive")).worksOn(service);
        loops.run(Duration.ofMinutes(30));
        shop.storage.resetCounters();

        loops.run(Duration.ofHours(1));
        assertThat(shop.storage.calls(Call.Kind.RECEIVE)).isEqualTo(360);

        for (int i = 0; i < 5; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }
        naive.local.wakeConsumer("sheets");
        loops.run(Duration.ofSeconds(1));
        int before = service.begun.size();
        shop.storage.resetCounters();
        loops.run(Duration.ofSeconds(10));
        assertThat(before).as("it is deaf to signals").isZero();
        assertThat(service.begun).hasSize(5);
        assertThat(shop.storage.calls(Call.Kind.RECEIVE))
                .as("one call an item, and an empty one")
                .isEqualTo(6);
    }

    @Test
    @DisplayName("Q1, L-13: a naive consumer, which hears no signal, goes on when its queue is started again")
    void q1_l13_aStoppedNaiveConsumerGoesOnAfterTheStart() {
        OneProcess console = process();
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        new OneProcess(Map.of("azuremail.work.polling", "naive")).worksOn(service);
        loops.run(MINUTE);
        console.switches.stop("sheets", "ann");
        shop.queues.put(new Sheet("waits"));
        shop.storage.resetCounters();
        loops.run(MINUTE);
        assertThat(shop.storage.calls()).as("while it is stopped").isZero();
        assertThat(service.begun).isEmpty();

        console.switches.start("sheets");
        loops.run(Duration.ofSeconds(10));

        assertThat(service.begun).containsExactly("waits");
    }

    @Test
    @DisplayName(
            "Q3: a receive that waits costs two calls where adaptive polling costs many, and an item ends the wait")
    void q3_aReceiveWaitsForAnItem() {
        long adaptive = looksAfterOneItem(Map.of());
        long longPoll =
                looksAfterOneItem(Map.of("azuremail.work.polling", "long-poll", "azuremail.work.receive-wait", "10s"));

        assertThat(longPoll)
                .as("the item, an empty one, and one after the wait")
                .isEqualTo(3);
        assertThat(adaptive).isGreaterThan(2 * longPoll);
    }

    /**
     * Returns the number of polls within ten seconds after an item. Also checks that a further item is taken when its
     * signal arrives.
     */
    private long looksAfterOneItem(Map<String, String> settings) {
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        OneProcess process = new OneProcess(settings).worksOn(service);
        loops.run(Duration.ofMinutes(30));
        shop.queues.put(new Sheet("first"));
        process.local.wakeConsumer("sheets");
        shop.storage.resetCounters();
        loops.run(Duration.ZERO);
        assertThat(service.begun).containsExactly("first");
        loops.run(Duration.ofSeconds(10));
        long looks = shop.storage.calls(Call.Kind.RECEIVE);

        shop.queues.put(new Sheet("second"));
        process.local.wakeConsumer("sheets");
        loops.run(Duration.ZERO);
        assertThat(service.begun).containsExactly("first", "second");
        processes.clear();
        return looks;
    }

    @ParameterizedTest
    @CsvSource({"PT0.001S, 1", "PT60S, 16", "PT12S, 8"})
    @DisplayName("Q19: a process runs as many workers as have the waiting work done in time, within its bounds")
    void q19_theNumberOfWorkersFollowsTheWork(Duration each, int recommended) {
        List<Integer> places = new ArrayList<>();
        OneProcess process = new OneProcess(
                Map.of("azuremail.work.concurrency.sheets", "1", "azuremail.work.most-concurrency.sheets", "16"));
        process.worksOn(new SheetService((sheet, delivery) -> {
            places.add(process.workers());
            shop.time.advance(each);
            return WorkResult.DONE;
        }));
        loops.run(MINUTE);
        assertThat(process.workers()).isEqualTo(1);
        for (int i = 0; i < 200; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }
        process.local.wakeConsumer("sheets");

        loops.run(each.multipliedBy(300));
        assertThat(places).hasSizeGreaterThanOrEqualTo(200);
        assertThat(places.get(10)).isEqualTo(recommended);
        loops.run(MINUTE.multipliedBy(30));
        assertThat(process.workers()).as("an empty queue takes the fewest").isEqualTo(1);
        assertThat(new Services(List.of(SheetService.thatAnswers(WorkResult.DONE)), List.of(), List.of())
                        .facts(process.context.settings()))
                .as("what the others are told")
                .containsEntry(WorkFacts.MOST + "sheets", "16");
    }
}
