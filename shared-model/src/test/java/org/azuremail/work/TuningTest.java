package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks the settings that admins change while services run, in all processes. */
class TuningTest extends OnTunedProcesses {

    private final List<Instant> runs = new ArrayList<>();
    private Runnable during = () -> {};

    private final ScheduledService chime = new ScheduledService() {
        @Override
        public String name() {
            return "chime";
        }

        @Override
        public Duration interval() {
            return MINUTE;
        }

        @Override
        public void run() {
            runs.add(shop.time.instant());
            during.run();
        }
    };

    @Test
    @DisplayName("L-11: an interval that is changed on the console during a run is kept, whoever runs next")
    void l11_anIntervalChangedOnTheConsoleDuringARunIsKept() {
        OneProcess console = process();
        process().runs(chime);
        process().runs(chime);
        during = () -> {
            if (runs.size() == 1) {
                console.tune(tuned("chime", Duration.ofMinutes(4), null, null));
            }
        };

        loops.run(Duration.ofMinutes(12));
        assertThat(runs).containsExactly(at(0), at(4), at(8), at(12));
        assertThat(process().switches.tuned("chime").orElseThrow().interval())
                .as("a process that comes later knows")
                .isEqualTo(Duration.ofMinutes(4));
    }

    @Test
    @DisplayName(
            "L-11: a shorter interval counts at once, also where a service would have rested for a day; nothing runs early")
    void l11_aChangeReachesServicesThatRest() {
        OneProcess console = process();
        ScheduledService daily = ScheduledService.daily("daily", () -> runs.add(shop.time.instant()));
        process().runs(daily);
        process().runs(daily);
        loops.run(MINUTE);
        assertThat(runs).containsExactly(at(0));

        console.tune(tuned("daily", Duration.ofMinutes(10), null, null));
        loops.run(Duration.ofMinutes(20));
        assertThat(runs).containsExactly(at(0), at(10), at(20));

        console.tune(tuned("daily", null, null, null));
        loops.run(Duration.ofHours(20));
        assertThat(runs).as("as usual again").hasSize(3);
        assertThat(console.switches.states().tuned()).isEmpty();
    }

    @Test
    @DisplayName(
            "L-11: the lease of a service is let go when its interval has grown long, so that any process runs it next")
    void l11_aLongIntervalKeepsNoLease() {
        OneProcess console = process();
        process().runs(chime);
        during = () -> {
            if (runs.size() == 2) {
                console.tune(tuned("chime", Duration.ofHours(2), null, null));
            }
        };
        loops.run(Duration.ofSeconds(65));
        assertThat(runs).hasSize(2);

        assertThat(shop.process(shop.time, Duration.ZERO, 9).leases().acquire("chime", MINUTE))
                .as("nobody holds it")
                .isPresent();
    }

    private static Instant at(int minutes) {
        return org.azuremail.time.ManualTime.START.plus(Duration.ofMinutes(minutes));
    }

    /** A service whose queue shares its places with others. */
    private record Line(String queue, List<String> handled) implements QueueService<String> {

        @Override
        public ItemType<String> itemType() {
            return new ItemType<>(queue, String.class, text -> text, text -> text);
        }

        @Override
        public WorkResult handle(String item, Delivery delivery) {
            handled.add(queue);
            return WorkResult.DONE;
        }
    }

    @Test
    @DisplayName("K9: a priority that is raised on the console lowers what the queue's items wait, without a restart")
    void k9_aPriorityChangedOnTheConsoleCountsAtOnce() {
        OneProcess console = process();
        List<String> handled = new ArrayList<>();
        QueueRunner<String> runner = new QueueRunner<>(
                process().context.runtime(),
                List.of(new Line("flood", handled), new Line("rare", handled)),
                1,
                1,
                () -> {},
                new Random(7)::nextDouble);
        int usual = waitsOfTheRare(runner, handled);

        console.tune(tuned("rare", null, 8, null));

        assertThat(waitsOfTheRare(runner, handled)).isLessThan(usual / 2);
    }

    private int waitsOfTheRare(QueueRunner<String> runner, List<String> handled) {
        int waits = -40;
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < 60; i++) {
                shop.queues.putText("flood", "x", Duration.ZERO);
                runner.runOnce();
            }
            shop.queues.putText("rare", "x", Duration.ZERO);
            handled.clear();
            while (!handled.contains("rare")) {
                shop.queues.putText("flood", "x", Duration.ZERO);
                runner.runOnce();
                waits++;
            }
        }
        return waits;
    }

    @Test
    @DisplayName("K9: queues of one pool share their places by a setting")
    void k9_aSettingPutsQueuesIntoOnePool() {
        Services services = new Services(
                List.of(
                        new Line("aaa", new ArrayList<>()),
                        new Line("bbb", new ArrayList<>()),
                        new Line("ccc", new ArrayList<>())),
                List.of(),
                List.of());
        OneProcess process =
                new OneProcess(Map.of("azuremail.work.pools.aaa", "one", "azuremail.work.pools.ccc", "one"));

        assertThat(services.workers(process.context))
                .extracting(Worker::toString)
                .containsExactly("aaa, ccc", "bbb");
    }

    /** A service of a pool that can handle at most five items at the same time. */
    private record Bounded() implements QueueService<String> {

        @Override
        public ItemType<String> itemType() {
            return new ItemType<>("bbb", String.class, text -> text, text -> text);
        }

        @Override
        public WorkResult handle(String item, Delivery delivery) {
            return WorkResult.DONE;
        }

        @Override
        public int mostInPool() {
            return 5;
        }
    }

    @Test
    void aPoolHasNoMorePlacesThanItsServicesCanUseTogether() {
        QueueService<?> few = new Line("aaa", new ArrayList<>());
        QueueService<?> bounded = new Bounded();
        WorkProperties settings = Settings.of(Map.of(
                "azuremail.work.concurrency.aaa", "3",
                "azuremail.work.most-concurrency.aaa", "4",
                "azuremail.work.concurrency.bbb", "3"));

        assertThat(settings.placesOf(List.of(few))).isEqualTo(3);
        assertThat(settings.mostPlacesOf(List.of(few))).isEqualTo(4);
        assertThat(settings.placesOf(List.of(few, bounded))).isEqualTo(5);
        assertThat(settings.mostPlacesOf(List.of(few, bounded))).isEqualTo(5);
    }

    @Test
    void oddSettingsAndTuningsAreRefused() {
        assertThatThrownBy(() -> Settings.of(Map.of("azuremail.work.polling", "sometimes")))
                .isNotNull();
        assertThatThrownBy(() -> tuned("chime", Duration.ofMillis(999), null, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tuned("sheets", null, 101, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tuned("sheets", null, null, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
