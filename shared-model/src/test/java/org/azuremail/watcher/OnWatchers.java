package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.watcher.Watchers.Answer;

/** Driven processes that run watchers. */
abstract class OnWatchers {

    static final Duration MOMENT = Duration.ofSeconds(5);

    /** The time of a lease, of the difference of two clocks, and of one poll of the manager. */
    static final Duration TAKE_OVER = Duration.ofMinutes(7);

    final WatcherWorld world = new WatcherWorld();

    void create(String... names) {
        for (String name : names) {
            assertThat(world.watchers().create(name, "recording", Map.of()))
                    .as(name)
                    .isEqualTo(Answer.CREATED);
        }
    }

    Instant now() {
        return world.time.instant();
    }

    /** Checks that each watcher runs on one live process, and that none ran twice at the same time. */
    void assertRunning(String... names) {
        Instant since = now();
        world.run(Duration.ofMinutes(2));
        for (String name : names) {
            Watcher watcher = world.watcher(name);
            assertThat(watcher.status()).as(name).isEqualTo(WatcherStatus.PROCESSING);
            assertThat(world.takersSince(since).get(name)).as(name).hasSize(1);
            assertThat(service(watcher).deleted()).as("the process of " + name).isFalse();
            assertThat(world.takersSince(since).get(name))
                    .containsExactly(service(watcher).name());
        }
        assertThat(world.doubled()).isEmpty();
    }

    /** Checks that the live services and their slots are those of the live processes, each once. */
    void assertServices(Map<String, Integer> slots) {
        List<WatchService> living =
                world.services().stream().filter(service -> !service.deleted()).toList();
        assertThat(living).extracting(WatchService::name).containsExactlyInAnyOrderElementsOf(slots.keySet());
        assertThat(living)
                .allSatisfy(service -> assertThat(service.workersCount()).isEqualTo(slots.get(service.name())));
        Capacity capacity = world.watchers().capacity();
        assertThat(capacity.slots())
                .isEqualTo(slots.values().stream().mapToInt(Integer::intValue).sum());
        assertThat(capacity.waiting()).isZero();
    }

    List<Watcher> read(String... names) {
        return Stream.of(names).map(world::watcher).toList();
    }

    WatchService service(Watcher watcher) {
        return world.services().stream()
                .filter(service -> service.id().equals(watcher.serviceId()))
                .findFirst()
                .orElseThrow();
    }
}
