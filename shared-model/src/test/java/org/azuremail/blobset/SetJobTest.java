package org.azuremail.blobset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.azuremail.blobset.JobWorld.AllMapped;
import org.azuremail.blobset.JobWorld.Squared;
import org.azuremail.blobset.JobWorld.Sum;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.OnEmbedded;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetters;
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
            assertThat(second.jobs.result(job, JobWorld.FORM)).as(where).contains(COUNT * (COUNT + 1L) / 2);
            assertSameMultiset(where, second.take(JobWorld.SUM), List.of(new Sum(COUNT * (COUNT + 1L) / 2)), 1);
        }
    }

    /** The file of a job with many steps holds each of these lines once. */
    private static final List<String> LINES = List.of("1/1", "2/1", "2/2", "3/1", "3/2", "3/3");

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void l6_aJobOfManyStepsThatStopsAtAnyCallCountsEachStepOnce(Faults.Mode mode) {
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
            assertThat(second.take(JobWorld.ALL_MAPPED)).as(where).containsOnly(new AllMapped(job));
        }
    }

    @Test
    void l6_anotherProcessThatDoesEverythingAtAnyCallChangesNothing() {
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
            settle(second);

            String where = "another at call " + at;
            assertThat(first.jobs.find(job).map(SetJobs.Status::handled))
                    .as(where)
                    .contains(6L);
            assertThat(first.file(job)).as(where).containsExactlyInAnyOrderElementsOf(LINES);
            assertThat(first.take(JobWorld.ALL_MAPPED)).as(where).containsOnly(new AllMapped(job));
        }
    }

    @Test
    void a62_aJobThatIsCancelledAtAnyCallEndsOnceAndLeavesNothing() {
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
            settle(first);

            String where = "cancelled at call " + at;
            SetJobs.Status end = first.jobs.find(job).orElseThrow();
            assertThat(end.state()).as(where).isEqualTo(answer.get());
            boolean done = end.state() == JobState.DONE;
            cancelled += done ? 0 : 1;
            assertThat(end.endedBy()).as(where).isEqualTo(done ? "" : "grace");
            assertThat(first.take(JobWorld.ALL_MAPPED)).as(where).hasSize(done ? 1 : 0);
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

    @Test
    void aJobThatFailsFiveTimesOrIsPointlessEndsAndSaysWhy() {
        storage = new SimulatedStorage(time);
        JobWorld world = new JobWorld(storage.storage(), time, 1, CHUNK, JobWorld.SET);
        String broken = world.jobs.newId();
        world.jobs.start(broken, "failing", Map.of(), "");
        String pointless = world.jobs.newId();
        world.jobs.start(pointless, "failing", Map.of("pointless", "yes"), "");

        String fine = world.jobs.newId();
        world.jobs.start(fine, "counting", Map.of(), "");

        world.finish(broken);
        world.finish(pointless);
        world.finish(fine);
        settle(world);

        assertThat(world.jobs.failed(10)).extracting(SetJobs.Status::id).containsExactlyInAnyOrder(broken, pointless);

        assertThat(world.jobs.find(broken).orElseThrow().state()).isEqualTo(JobState.FAILED);
        assertThat(world.jobs.find(broken).orElseThrow().reason().is(ReasonCode.JOB_BROKE))
                .isTrue();
        assertThat(world.jobs.find(pointless).orElseThrow().reason().is(ReasonCode.LIST_GONE))
                .isTrue();
        assertThat(new DeadLetters(storage.storage(), InlineWork.queues(storage.storage(), JobItem.TYPE))
                        .page(10, null)
                        .items())
                .isEmpty();
    }

    @Test
    void filesAreForgottenBeforeTheirJobsAndTheNewestJobComesFirst() {
        storage = new SimulatedStorage(time);
        JobWorld world = new JobWorld(storage.storage(), time, 1, CHUNK, JobWorld.SET);
        String job = world.jobs.newId();
        world.jobs.start(job, "counting", Map.of("list", "news"), "ada");
        world.finish(job);
        settle(world);
        time.advance(Duration.ofDays(8));
        String later = world.jobs.newId();
        world.jobs.start(later, "counting", Map.of(), "");
        world.sweep.run();

        assertThat(world.jobs.latest(10, null).items())
                .extracting(SetJobs.Status::id)
                .containsExactly(later, job);
        SetJobs.Status old = world.jobs.find(job).orElseThrow();
        assertThat(old.by()).isEqualTo("ada");
        assertThat(old.about()).containsEntry("list", "news");
        List<String> parts = world.jobs.result(job, JobWorld.Counting.LINES).orElseThrow();
        assertThat(parts)
                .hasSize(LINES.size())
                .allMatch(name -> world.jobs.file(job, name).isEmpty());

        world.finish(later);
        settle(world);
        time.advance(Duration.ofDays(23));
        world.sweep.run();
        assertThat(world.jobs.latest(10, null).items())
                .extracting(SetJobs.Status::id)
                .containsExactly(later);
        assertThat(world.blobs(job)).noneMatch(name -> name.contains(job));
    }

    /** Until nothing is on the queue. */
    private static void settle(JobWorld world) {
        for (int turn = 0; turn < 20; turn++) {
            world.runner.runOnce();
            world.time.advance(Duration.ofMinutes(1));
        }
    }

    /** Has something else happen right before one numbered call, in between. */
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

        /** @return whether it happened */
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

    /** Each result as often as expected; only what a queue was given when something went wrong may be there once more. */
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
        time.advance(Duration.ofDays(31));
        world.sweep.run();
        assertThat(world.jobs.find(job)).isEmpty();
    }

    @Test
    void a61_whatIsMappedTravelsTogetherAsItsTypeSuggests() {
        storage = new SimulatedStorage(time);
        JobWorld world = new JobWorld(storage.storage(), time, 1, JobWorld.MANY, JobWorld.SET).fill(JobWorld.MANY);
        storage.resetCounters();

        String job = world.jobs.mapToQueue(JobWorld.SET, "squares", new AllMapped("all"));
        world.finish(job);

        int batches = (JobWorld.MANY + JobWorld.SQUARED.together() - 1) / JobWorld.SQUARED.together();
        int others = 3;
        assertThat(storage.calls(Call.Kind.SEND))
                .as("the walk, its chunk, the end, and batches")
                .isEqualTo(batches + others);
        assertThat(world.take(JobWorld.SQUARED)).hasSize(JobWorld.MANY).doesNotHaveDuplicates();
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
