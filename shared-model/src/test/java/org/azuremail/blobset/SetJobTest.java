package org.azuremail.blobset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.azuremail.blobset.JobWorld.AllMapped;
import org.azuremail.blobset.JobWorld.Squared;
import org.azuremail.blobset.JobWorld.Sum;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.OnEmbedded;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SetJobTest {

    /** A little more than two chunks. */
    private static final int COUNT = 10;

    private static final int CHUNK = 4;

    private ManualTime time = new ManualTime();

    @Nested
    class Simulated implements SetJobContract {

        private final Storage storage = new SimulatedStorage(time, 30).storage();

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public ManualTime time() {
            return time;
        }
    }

    @Nested
    class Embedded extends OnEmbedded implements SetJobContract {

        Embedded() {
            super(time);
        }

        @Override
        public ManualTime time() {
            return time;
        }

        @Override
        public int many() {
            return 200;
        }
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void l5_aMapThatStopsAtAnyCallEndsOnceAndMissesNothing(Faults.Mode mode) {
        int repeatedEnds = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            Faults faults = givenAProcessThatFails(mode, at);
            JobWorld first = new JobWorld(faults.around(storage.storage()), time, 2, CHUNK, JobWorld.SET);
            String job = "";
            try {
                job = first.jobs.mapToQueue(JobWorld.SET, "squares", new AllMapped("all"));
            } catch (RuntimeException | Error notBegun) {
                happened = faults.calls() >= at;
                continue;
            }
            String begun = job;
            first.attempt(() -> first.finish(begun));
            happened = faults.calls() >= at;

            JobWorld second = new JobWorld(storage.storage(), time, 3, CHUNK, JobWorld.SET);
            second.finish(job);

            String where = mode + " at call " + at;
            assertThat(second.completed(job)).as(where).isTrue();
            assertSameMultiset(where, second.take(JobWorld.SQUARED), squares(), CHUNK);
            List<AllMapped> ends = second.take(JobWorld.ALL_MAPPED);
            assertSameMultiset(where, ends, List.of(new AllMapped("all")), 1);
            repeatedEnds += ends.size() - 1;
        }
        assertThat(repeatedEnds)
                .as("%s: only at the put of the end itself, and right behind it", mode)
                .isLessThanOrEqualTo(mode == Faults.Mode.DIES_BEFORE ? 2 : 3);
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void l6_aReductionThatStopsAtAnyCallComesToTheSame(Faults.Mode mode) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            Faults faults = givenAProcessThatFails(mode, at);
            JobWorld first = new JobWorld(faults.around(storage.storage()), time, 2, CHUNK, JobWorld.SET);
            String job = "";
            try {
                job = first.jobs.reduceToQueue(JobWorld.SET, "adding");
            } catch (RuntimeException | Error notBegun) {
                happened = faults.calls() >= at;
                continue;
            }
            String begun = job;
            first.attempt(() -> first.finish(begun));
            happened = faults.calls() >= at;

            JobWorld second = new JobWorld(storage.storage(), time, 3, CHUNK, JobWorld.SET);
            second.finish(job);

            String where = mode + " at call " + at;
            assertThat(second.completed(job)).as(where).isTrue();
            assertSameMultiset(where, second.take(JobWorld.SUM), List.of(new Sum(COUNT * (COUNT + 1L) / 2)), 1);
        }
    }

    private static List<Squared> squares() {
        return LongStream.rangeClosed(1, COUNT)
                .mapToObj(number -> new Squared("n" + number, number * number))
                .toList();
    }

    /** Each result as often as expected; only what a queue was given when something went wrong may stand there once more. */
    private static <T> void assertSameMultiset(String where, List<T> results, List<T> expected, int mostTwice) {
        List<T> twice = new ArrayList<>(results);
        expected.forEach(
                one -> assertThat(twice.remove(one)).as(where + " has " + one).isTrue());
        assertThat(twice)
                .as(where + ": what is there once more")
                .hasSizeLessThanOrEqualTo(mostTwice)
                .doesNotHaveDuplicates()
                .isSubsetOf(expected);
    }

    @Test
    void aJobWhoseItemsAreLostIsTakenUpAgainAndOneThatIsOverIsForgotten() {
        storage = new SimulatedStorage(time);
        JobWorld world = new JobWorld(storage.storage(), time, 1, CHUNK, JobWorld.SET).fill(COUNT);
        String job = world.jobs.reduceToQueue(JobWorld.SET, "adding");
        world.take(JobItem.TYPE);
        world.sweep.run();
        assertThat(world.take(JobItem.TYPE)).as("it may be under way").isEmpty();

        time.advance(Duration.ofMinutes(11));
        world.sweep.run();
        world.finish(job);

        assertThat(world.take(JobWorld.SUM)).hasSize(1);
        time.advance(Duration.ofDays(8));
        world.sweep.run();
        assertThat(world.jobs.progress(job)).isEmpty();
    }

    @Test
    void anEndWithoutAQueueIsRefusedBeforeAnythingBegins() {
        storage = new SimulatedStorage(time);
        JobWorld world = new JobWorld(storage.storage(), time, 1, CHUNK, JobWorld.SET);

        assertThatThrownBy(() -> world.jobs.mapToQueue(JobWorld.SET, "squares", "no item"))
                .hasMessageContaining("declare an ItemType bean");

        assertThat(storage.calls()).isZero();
    }

    private SimulatedStorage storage = new SimulatedStorage(time);

    private Faults givenAProcessThatFails(Faults.Mode mode, long at) {
        time = new ManualTime();
        storage = new SimulatedStorage(time, 100);
        new JobWorld(storage.storage(), time, 1, CHUNK, JobWorld.SET).fill(COUNT);
        return new Faults(mode, at, () -> {});
    }
}
