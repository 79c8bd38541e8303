package org.azuremail.blobset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.azuremail.blobset.NumberJobs.AllMapped;
import org.azuremail.blobset.NumberJobs.Squared;
import org.azuremail.blobset.NumberJobs.Sum;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks jobs whose process dies at any storage call, or races another process there. */
class SetJobCrashIT {

    /** A few more elements than two chunks have. */
    private static final int COUNT = 10;

    private static final int CHUNK = 4;

    private ManualTime time = new ManualTime();
    private SimulatedStorage storage = new SimulatedStorage(time);

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
            assertSameMultiset(where, second.take(NumberJobs.SQUARED), squares(), CHUNK);
            List<AllMapped> ends = second.take(NumberJobs.ALL_MAPPED);
            assertSameMultiset(where, ends, List.of(new AllMapped("all")), 1);
            repeatedEnds += ends.size() - 1;
        }
        assertThat(repeatedEnds)
                .as("%s: only at the put of the end itself, and right behind it", mode)
                .isLessThanOrEqualTo(mode == Faults.Mode.DIES_BEFORE ? 2 : 3);
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void l6_aReductionThatStopsAtAnyCallHasTheSameResult(Faults.Mode mode) {
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
            assertThat(second.jobs.result(job, NumberJobs.FORM)).as(where).contains(COUNT * (COUNT + 1L) / 2);
            assertSameMultiset(where, second.take(NumberJobs.SUM), List.of(new Sum(COUNT * (COUNT + 1L) / 2)), 1);
        }
    }

    /** The file of a job with many steps contains each of these lines once. */
    static final List<String> LINES = List.of("1/1", "2/1", "2/2", "3/1", "3/2", "3/3");

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void l6_aJobOfManyStepsThatStopsAtAnyCallCountsEachStepOnce(Faults.Mode mode) {
        int repeatedEnds = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            Faults faults = givenAProcessThatFails(mode, at);
            JobWorld first = new JobWorld(faults.around(storage.storage()), time, 2, CHUNK, JobWorld.SET);
            JobWorld second = new JobWorld(storage.storage(), time, 3, CHUNK, JobWorld.SET);
            String job = second.jobs.newId();
            first.attempt(() -> {
                first.jobs.start(job, "counting", Map.of(), "ada");
                first.finish(job);
            });
            happened = faults.calls() >= at;

            second.jobs.start(job, "counting", Map.of(), "ada");
            second.finish(job);

            String where = mode + " at call " + at;
            assertThat(second.jobs.find(job).map(SetJobs.Status::state))
                    .as(where)
                    .contains(JobState.DONE);
            assertThat(second.jobs.find(job).map(SetJobs.Status::handled))
                    .as(where)
                    .contains(6L);
            assertThat(second.file(job)).as(where).containsExactlyInAnyOrderElementsOf(LINES);
            List<AllMapped> ends = second.take(NumberJobs.ALL_MAPPED);
            assertSameMultiset(where, ends, List.of(new AllMapped(job)), 1);
            repeatedEnds += ends.size() - 1;
        }
        assertThat(repeatedEnds)
                .as("%s: only at the put of the end itself, and right behind it", mode)
                .isLessThanOrEqualTo(2);
    }

    @Test
    void l6_anotherProcessThatDoesEverythingAtAnyCallChangesNothing() {
        int repeatedEnds = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            JobWorld first = givenAJobOfManySteps();
            JobWorld second = new JobWorld(storage.storage(), time, 3, CHUNK, JobWorld.SET);
            String job = second.jobs
                    .start(second.jobs.newId(), "counting", Map.of(), "")
                    .id();

            Between between = new Between(at, () -> second.finish(job));
            first.finish(job);
            happened = between.ends();
            SetJobTest.settle(second);

            String where = "another at call " + at;
            assertThat(first.jobs.find(job).map(SetJobs.Status::handled))
                    .as(where)
                    .contains(6L);
            assertThat(first.file(job)).as(where).containsExactlyInAnyOrderElementsOf(LINES);
            List<AllMapped> ends = first.take(NumberJobs.ALL_MAPPED);
            assertSameMultiset(where, ends, List.of(new AllMapped(job)), 1);
            repeatedEnds += ends.size() - 1;
        }
        assertThat(repeatedEnds)
                .as("only between the put of the end itself and its note")
                .isLessThanOrEqualTo(5);
    }

    @Test
    void l5_anItemThatComesAgainAtAnyCallEndsTheJobOnce() {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            JobWorld first = givenAJobOfManySteps();
            JobWorld second = new JobWorld(storage.storage(), time, 3, CHUNK, JobWorld.SET);
            String job = second.jobs
                    .start(second.jobs.newId(), "counting", Map.of(), "")
                    .id();

            Between between = new Between(at, () -> second.handleAgain(job));
            first.finish(job);
            happened = between.ends();

            assertThat(first.take(NumberJobs.ALL_MAPPED))
                    .as("again at call " + at)
                    .containsExactly(new AllMapped(job));
        }
    }

    @Test
    void a62_aJobCancelledAtAnyCallEndsOnceAndLeavesNothing() {
        int cancelled = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            JobWorld first = givenAJobOfManySteps();
            JobWorld second = new JobWorld(storage.storage(), time, 3, CHUNK, JobWorld.SET);
            String job = second.jobs
                    .start(second.jobs.newId(), "counting", Map.of(), "")
                    .id();
            AtomicReference<JobState> answer = new AtomicReference<>(JobState.DONE);

            Between between = new Between(
                    at,
                    () -> answer.set(
                            second.jobs.cancel(job, "grace").orElseThrow().state()));
            first.finish(job);
            happened = between.ends();
            SetJobTest.settle(first);

            String where = "cancelled at call " + at;
            SetJobs.Status end = first.jobs.find(job).orElseThrow();
            assertThat(end.state()).as(where).isEqualTo(answer.get());
            boolean done = end.state() == JobState.DONE;
            cancelled += done ? 0 : 1;
            assertThat(end.endedBy()).as(where).isEqualTo(done ? "" : "grace");
            assertThat(first.take(NumberJobs.ALL_MAPPED)).as(where).hasSize(done ? 1 : 0);
            assertThat(first.file(job)).as(where).hasSize(done ? LINES.size() : 0);
            assertThat(first.blobs(job)).as(where).hasSize(done ? LINES.size() + 1 : 0);
        }
        assertThat(cancelled).isGreaterThan(20);
    }

    private JobWorld givenAJobOfManySteps() {
        time = new ManualTime();
        storage = new SimulatedStorage(time, 100);
        return new JobWorld(storage.storage(), time, 2, CHUNK, JobWorld.SET);
    }

    /** Runs an action right before one numbered call. */
    private final class Between implements CallHook {

        private final long at;
        private final Runnable what;
        private long calls;
        private boolean happening;

        Between(long at, Runnable what) {
            this.at = at;
            this.what = what;
            storage.hook(this);
        }

        @Override
        public void before(Call call) {
            if (!happening && ++calls == at) {
                happening = true;
                what.run();
                happening = false;
            }
        }

        /** @return whether the action has run */
        boolean ends() {
            storage.hook(CallHook.NONE);
            return calls >= at;
        }
    }

    private static List<Squared> squares() {
        return LongStream.rangeClosed(1, COUNT)
                .mapToObj(number -> new Squared("n" + number, number * number))
                .toList();
    }

    /** Expects each result exactly once, except that an item put during the fault may be there twice. */
    private static <T> void assertSameMultiset(String where, List<T> results, List<T> expected, int maxTwice) {
        List<T> twice = new ArrayList<>(results);
        expected.forEach(
                one -> assertThat(twice.remove(one)).as(where + " has " + one).isTrue());
        assertThat(twice)
                .as(where + ": what is there once more")
                .hasSizeLessThanOrEqualTo(maxTwice)
                .doesNotHaveDuplicates()
                .isSubsetOf(expected);
    }

    private Faults givenAProcessThatFails(Faults.Mode mode, long at) {
        time = new ManualTime();
        storage = new SimulatedStorage(time, 100);
        new JobWorld(storage.storage(), time, 1, CHUNK, JobWorld.SET).fill(COUNT);
        return new Faults(mode, at, () -> {});
    }
}
