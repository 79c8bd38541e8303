package org.azuremail.blobset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.blobset.NumberJobs.AllMapped;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.OnEmbedded;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetters;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Checks how jobs over sets run, fail and are deleted. */
class SetJobTest {

    private static final int COUNT = 10;
    private static final int CHUNK = 4;

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);

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

    @Test
    void aJobThatFailsFiveTimesOrCannotSucceedEndsWithItsReason() {
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
    void filesAreDeletedBeforeTheirJobsAndTheNewestJobComesFirst() {
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
        List<String> parts = world.jobs.result(job, NumberJobs.Counting.LINES).orElseThrow();
        assertThat(parts)
                .hasSize(SetJobCrashIT.LINES.size())
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

    /** Runs until the queue is empty. */
    static void settle(JobWorld world) {
        for (int turn = 0; turn < 20; turn++) {
            world.runner.runOnce();
            world.time.advance(Duration.ofMinutes(1));
        }
    }

    @Test
    void aJobWithLostItemsIsQueuedAgainAndAnOldOneIsDeleted() {
        JobWorld world = new JobWorld(storage.storage(), time, 1, CHUNK, JobWorld.SET).fill(COUNT);
        String job = world.jobs.reduceToQueue(JobWorld.SET, "adding");
        world.take(JobItem.TYPE);
        world.sweep.run();
        assertThat(world.take(JobItem.TYPE)).as("it may be under way").isEmpty();

        time.advance(Duration.ofMinutes(11));
        world.sweep.run();
        world.finish(job);

        assertThat(world.take(NumberJobs.SUM)).hasSize(1);
        time.advance(Duration.ofDays(31));
        world.sweep.run();
        assertThat(world.jobs.find(job)).isEmpty();
    }

    @Test
    void a61_mappedItemsArePutInBatchesAsTheirTypeSays() {
        JobWorld world = new JobWorld(storage.storage(), time, 1, JobWorld.MANY, JobWorld.SET).fill(JobWorld.MANY);
        storage.resetCounters();

        String job = world.jobs.mapToQueue(JobWorld.SET, "squares", new AllMapped("all"));
        world.finish(job);

        int batches = (JobWorld.MANY + NumberJobs.SQUARED.together() - 1) / NumberJobs.SQUARED.together();
        int others = 3;
        assertThat(storage.calls(Call.Kind.SEND))
                .as("the walk, its chunk, the end, and batches")
                .isEqualTo(batches + others);
        assertThat(world.take(NumberJobs.SQUARED)).hasSize(JobWorld.MANY).doesNotHaveDuplicates();
    }

    @Test
    void aCompletionItemWithoutAQueueIsRefusedBeforeTheJobStarts() {
        JobWorld world = new JobWorld(storage.storage(), time, 1, CHUNK, JobWorld.SET);

        assertThatThrownBy(() -> world.jobs.mapToQueue(JobWorld.SET, "squares", "no item"))
                .hasMessageContaining("declare an ItemType bean");

        assertThat(storage.calls()).isZero();
    }
}
