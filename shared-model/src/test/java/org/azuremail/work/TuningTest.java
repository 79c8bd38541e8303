package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.simulated.Call;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Renewals;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.run.DrivenLoops;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.SheetService;
import org.azuremail.work.run.Stopping;
import org.azuremail.work.run.WorkMetrics;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.run.Workshop;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.WorkResult;
import org.azuremail.work.signal.Activity;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the settings that admins change while services run, in all processes. */
class TuningTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Workshop shop = new Workshop();
    private final DrivenLoops loops = new DrivenLoops(shop.time);
    private final List<OneProcess> processes = new ArrayList<>();
    private final List<Instant> runs = new ArrayList<>();
    private Runnable during = () -> {};

    /** Everything of one process that tuning touches; the others hear of its changes. */
    private final class OneProcess {

        final InProcessSignals here = new InProcessSignals();
        final Instances instances =
                new Instances(shop.storage.storage(), shop.time, new SeededIds(processes.size() + 40), Stream::empty);
        final Switches switches = new Switches(shop.storage.storage(), new Broadcast(), here, shop.time);
        final Workplace place;

        OneProcess(Map<String, String> settings) {
            WorkProperties bound = Settings.of(settings);
            WorkRuntime runtime = new WorkRuntime(
                    shop.storage.storage(),
                    new DeadLetters(shop.storage.storage(), shop.queues),
                    InlineWork.leases(
                            shop.storage.storage(), shop.time, new SeededIds(processes.size() + 1), Duration.ZERO),
                    shop.time,
                    Runnable::run,
                    new Renewals(shop.time),
                    new WorkMetrics(new SimpleMeterRegistry()),
                    new Stopping(),
                    new Tuner(switches, bound, instances, Duration.ofMinutes(5), shop.time));
            place = new Workplace(runtime, bound, here, new Activity(shop.time), switches, () -> false, false);
            processes.add(this);
        }

        int workers() {
            return place.runtime().metrics().workload().snapshot().get("sheets").places();
        }

        OneProcess worksOn(QueueService<?>... services) {
            instances.begin(new Instances.Birth(
                    "mill", java.util.Set.of("sender"), java.util.Set.of("sheets"), java.util.Set.of(), ""));
            instances.heartbeat();
            processes.forEach(process -> process.instances.changed());
            loops.add(QueueWorker.of(place, List.of(services)).loop());
            return this;
        }

        OneProcess runs(ScheduledService service) {
            loops.add(ScheduledWorker.of(place, service).loop());
            return this;
        }

        private final class Broadcast implements Signals {
            @Override
            public void workWaits(String queue) {}

            @Override
            public void runSoon(String scheduledService) {}

            @Override
            public void switchesChanged() {
                processes.stream().filter(other -> other != OneProcess.this).forEach(other -> other.switches.refresh());
            }
        }
    }

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

    private OneProcess process() {
        return new OneProcess(Map.of());
    }

    private Tuned tuned(
            String name, @Nullable Duration interval, @Nullable Integer priority, @Nullable Integer perSecond) {
        return new Tuned(name, interval, priority, perSecond, shop.time.instant(), "ann");
    }

    @Test
    @DisplayName("L-11: an interval that is changed on the console during a run is kept, whoever runs next")
    void l11_anIntervalChangedOnTheConsoleDuringARunIsKept() {
        OneProcess console = process();
        process().runs(chime);
        process().runs(chime);
        during = () -> {
            if (runs.size() == 1) {
                console.switches.tune(tuned("chime", Duration.ofMinutes(4), null, null));
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

        console.switches.tune(tuned("daily", Duration.ofMinutes(10), null, null));
        loops.run(Duration.ofMinutes(20));
        assertThat(runs).containsExactly(at(0), at(10), at(20));

        console.switches.tune(tuned("daily", null, null, null));
        loops.run(Duration.ofHours(20));
        assertThat(runs).as("as usual again").hasSize(3);
        assertThat(console.switches.positions().tuned()).isEmpty();
    }

    @Test
    @DisplayName(
            "L-11: the lease of a service is let go when its interval has grown long, so that any process runs it next")
    void l11_aLongIntervalKeepsNoLease() {
        OneProcess console = process();
        process().runs(chime);
        during = () -> {
            if (runs.size() == 2) {
                console.switches.tune(tuned("chime", Duration.ofHours(2), null, null));
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

    /** Items of a queue that others share their places with. */
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
        QueueRunner<String> runner = process()
                .place
                .runtime()
                .pool(
                        List.of(new Line("flood", handled), new Line("rare", handled)),
                        1,
                        1,
                        () -> {},
                        new Random(7)::nextDouble);
        int usual = waitsOfTheRare(runner, handled);

        console.switches.tune(tuned("rare", null, 8, null));

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

        assertThat(services.workers(process.place)).extracting(Worker::toString).containsExactly("aaa, ccc", "bbb");
    }

    /** A service of a pool in which no more than five items make sense at the same time. */
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

        console.switches.tune(tuned("sheets", null, null, 40));
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
        processes.forEach(process -> process.here.wakeConsumer("sheets"));
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
        naive.here.wakeConsumer("sheets");
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

    /** Looks within the ten seconds after an item; another that comes then is taken at its signal. */
    private long looksAfterOneItem(Map<String, String> settings) {
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        OneProcess process = new OneProcess(settings).worksOn(service);
        loops.run(Duration.ofMinutes(30));
        shop.queues.put(new Sheet("first"));
        process.here.wakeConsumer("sheets");
        shop.storage.resetCounters();
        loops.run(Duration.ZERO);
        assertThat(service.begun).containsExactly("first");
        loops.run(Duration.ofSeconds(10));
        long looks = shop.storage.calls(Call.Kind.RECEIVE);

        shop.queues.put(new Sheet("second"));
        process.here.wakeConsumer("sheets");
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
        process.here.wakeConsumer("sheets");

        loops.run(each.multipliedBy(300));
        assertThat(places).hasSizeGreaterThanOrEqualTo(200);
        assertThat(places.get(10)).isEqualTo(recommended);
        loops.run(MINUTE.multipliedBy(30));
        assertThat(process.workers()).as("an empty queue takes the fewest").isEqualTo(1);
        assertThat(new Services(List.of(SheetService.thatAnswers(WorkResult.DONE)), List.of(), List.of())
                        .facts(process.place.settings()))
                .as("what the others are told")
                .containsEntry(WorkFacts.MOST + "sheets", "16");
    }

    @Test
    void oddSettingsAndTuningsAreRefused() {
        for (Map<String, String> odd : List.of(
                Map.of("azuremail.work.polling", "sometimes"),
                Map.of("azuremail.work.receive-wait", "0s"),
                Map.of("azuremail.work.receive-wait", "6m"),
                Map.of("azuremail.work.most-concurrency.sheets", "257"),
                Map.of("azuremail.work.limits.sheets", "0"))) {
            assertThatThrownBy(() -> Settings.of(odd)).as(odd.toString()).isNotNull();
        }
        assertThatThrownBy(() -> tuned("chime", Duration.ofMillis(999), null, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tuned("sheets", null, 101, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tuned("sheets", null, null, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
