package org.azuremail.blobset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.azuremail.blobset.NumberJobs.AllMapped;
import org.azuremail.blobset.NumberJobs.Squared;
import org.azuremail.blobset.NumberJobs.Sum;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of sets and jobs on every back end. */
interface SetJobContract {

    Storage storage();

    ManualTime time();

    /** Returns the size of a large set; a slow back end has a smaller one. */
    default int many() {
        return 2_000;
    }

    /** Returns the name of a set that only this test uses. */
    default String set() {
        return JobWorld.SET;
    }

    default JobWorld process(long seed) {
        return new JobWorld(storage(), time(), seed, JobWorld.MANY, set());
    }

    @Test
    default void k14_aSetIsFoundAgainByItsName() {
        BlobSet<Long> here = process(1).numbers;
        BlobSet<Long> elsewhere = process(2).numbers;

        String five = here.add(5L);
        String six = elsewhere.add(6L);

        assertThat(elsewhere.get(five)).contains(5L);
        List<BlobSet.Element<Long>> all = new ArrayList<>();
        here.forEach(all::add);
        assertThat(all).containsExactlyInAnyOrder(new BlobSet.Element<>(five, 5L), new BlobSet.Element<>(six, 6L));
        assertThat(here.remove(six)).isTrue();
        assertThat(elsewhere.get(six)).isEmpty();
        assertThat(elsewhere.remove(six)).isFalse();
        elsewhere.put(five, 55L);
        assertThat(here.get(five)).contains(55L);
    }

    @Test
    default void k14_clearingASetLeavesOthersAlone() {
        JobWorld world = process(1).fill(3);
        BlobSet<Long> other = new BlobSet<>(storage().blobs(), set() + "2", NumberJobs.FORM, process(2)::idBytes);
        other.put("x", 1L);

        world.numbers.clear();

        assertThat(world.numbers.get("n1")).isEmpty();
        assertThat(other.get("x")).contains(1L);
    }

    @Test
    default void k15_everyValueIsMappedAndThenTheCompletionIsPutOnce() {
        JobWorld world = process(1).fill(many());

        String job = world.jobs.mapToQueue(set(), "squares", new AllMapped("squares"));
        List<JobWorld> workers = List.of(world, process(2), process(3));
        for (int turn = 0; !world.completed(job) && turn < 10_000; turn++) {
            assertThat(world.take(NumberJobs.ALL_MAPPED)).isEmpty();
            workers.get(turn % 3).runner.runOnce();
        }

        assertThat(world.take(NumberJobs.SQUARED))
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, many())
                        .mapToObj(n -> new Squared("n" + n, (long) n * n))
                        .toList());
        assertThat(world.take(NumberJobs.ALL_MAPPED)).containsExactly(new AllMapped("squares"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    default void k16_theSumIsTheSameWithAnyNumberOfWorkers(int workers) {
        JobWorld world = process(1).fill(many());
        List<JobWorld> all =
                IntStream.range(0, workers).mapToObj(n -> process(10 + n)).toList();

        String job = world.jobs.reduceToQueue(set(), "adding");
        for (int turn = 0; !world.completed(job) && turn < 10_000; turn++) {
            all.get(turn % workers).runner.runOnce();
        }

        assertThat(world.take(NumberJobs.SUM)).containsExactly(new Sum(many() * (many() + 1L) / 2));
        assertThat(world.numbers.get("n1")).as("a value of the set").contains(1L);
    }

    @Test
    default void k17_resultsThatGrowOnlyCostTime() {
        JobWorld world = process(1).fill(many());

        String job = world.jobs.mapToQueue(set(), "joining", new AllMapped("joined"));
        List<JobWorld> workers = List.of(world, process(2), process(3));
        for (int turn = 0; !world.completed(job) && turn < 10_000; turn++) {
            workers.get(turn % 3).runner.runOnce();
        }

        String joined = world.jobs.result(job, NumberJobs.Joining.TEXT).orElseThrow();
        assertThat(joined.strip().split(" "))
                .containsExactlyInAnyOrder(IntStream.rangeClosed(1, many())
                        .mapToObj(Integer::toString)
                        .toArray(String[]::new));
        assertThat(world.take(NumberJobs.ALL_MAPPED)).hasSize(1);
    }

    @Test
    default void k16_anEmptySetAndASetOfOne() {
        JobWorld world = process(1);
        String ofNothing = world.jobs.reduceToQueue(set(), "adding");
        String mapped = world.jobs.mapToQueue(set(), "squares", new AllMapped("nothing"));
        world.finish(ofNothing);
        world.finish(mapped);
        assertThat(world.completed(ofNothing)).isTrue();
        assertThat(world.take(NumberJobs.SUM)).isEmpty();
        assertThat(world.take(NumberJobs.SQUARED)).isEmpty();
        assertThat(world.take(NumberJobs.ALL_MAPPED)).containsExactly(new AllMapped("nothing"));

        world.fill(1);
        String ofOne = world.jobs.reduceToQueue(set(), "adding");
        world.finish(ofOne);
        assertThat(world.take(NumberJobs.SUM)).containsExactly(new Sum(1));
    }

    @Test
    default void aDeletedJobIsUnknown() {
        assertThat(process(1).jobs.find("nothing")).isEqualTo(Optional.empty());
    }
}
