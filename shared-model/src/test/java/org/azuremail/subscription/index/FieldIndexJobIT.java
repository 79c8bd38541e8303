package org.azuremail.subscription.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.LIST;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.azuremail.blobset.JobState;
import org.azuremail.blobset.SetJobs;
import org.azuremail.field.Field;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListStore;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the jobs that index large lists: their progress, cancellation and end. */
class FieldIndexJobIT extends OnIndexedList {

    private static final Field HOBBY = new Field("hobby", "Hobby", FieldType.TEXT, List.of(), true, true);

    private static final List<String> BIRTHDAYS =
            List.of("ix:birthday:02-29:ann@example.org", "ix:birthday:05-17:bob@example.org");

    /** Saves fields of a list whose indexing takes longer than a page waits. */
    private void saveOnALargeList(UnaryOperator<ListFields> change) {
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                world.time.advance(Duration.ofMillis(300));
            }
        });
        try {
            save(change);
        } finally {
            world.simulated.hook(CallHook.NONE);
        }
    }

    private SetJobs.Status job() {
        assertThat(jobs()).hasSize(1);
        return jobs().get(0);
    }

    @Test
    void aLargeListIsIndexedByAJobThatReportsItsProgress() {
        saveOnALargeList(fields -> fields.with(BIRTHDAY));

        assertThat(job().function()).isEqualTo("field-index");
        assertThat(job().about()).containsEntry(SetJobs.LIST, "news").containsEntry(SetJobs.PEOPLE, "4");
        assertThat(job().state().over()).isFalse();
        assertThat(index().job(state()).map(SetJobs.Status::id)).contains(job().id());
        assertThat(state().canSearch(BIRTHDAY)).isFalse();

        finishJobs();

        assertThat(job().state()).isEqualTo(JobState.DONE);
        assertThat(job().handled()).isEqualTo(4);
        assertThat(state().canSearch(BIRTHDAY)).isTrue();
        assertThat(indexed("birthday")).isEqualTo(BIRTHDAYS);
        everythingIsInLine("");
    }

    @Test
    void theSchedulerIsToldOfACountUntilItIsDone() {
        ServiceChoreIndex chores = new ServiceChoreIndex(world.simulated.tables());
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                world.time.advance(Duration.ofMinutes(6));
            }
        });
        index().count(world.list(), HOBBY);
        assertThat(index().checkAll()).as("some are left").isTrue();
        world.simulated.hook(CallHook.NONE);
        assertThat(chores.of(FieldIndex.SERVICE)).isPresent();

        while (index().checkAll()) {
            world.time.advance(Duration.ofMinutes(1));
        }
        world.time.advance(Duration.ofMinutes(6));
        index().checkAll();

        assertThat(chores.of(FieldIndex.SERVICE)).isEmpty();
    }

    @Test
    void aRequestForTheSameWhileAJobRunsReturnsThatJob() {
        String first = index().reindex(world.list(), "ada");
        String second = index().reindex(world.list(), "grace");

        assertThat(second).isEqualTo(first);
        assertThat(job().by()).isEqualTo("ada");
        finishJobs();
        assertThat(index().reindex(world.list(), "grace")).isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void l6_aJobThatStopsAtAnyCallIndexesEverybodyAndCountsThemOnce(Faults.Mode mode) {
        int byJob = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            happened = stopsAt(mode, at, () -> saveOnALargeList(fields -> fields.with(BIRTHDAY)));
            run();

            String where = mode + " at call " + at;
            if (fields().find("birthday").orElseThrow().equals(BIRTHDAY)) {
                everythingIsInLine(where);
                assertThat(indexed("birthday")).as(where).isEqualTo(BIRTHDAYS);
            }
            assertThat(jobs()).as(where).hasSizeLessThanOrEqualTo(1).allSatisfy(this::endedOnce);
            byJob += jobs().size();
        }
        assertThat(byJob).isGreaterThan(30);
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void l6_aCheckThatStopsAtAnyCallLeavesNoRowWithoutASubscriber(Faults.Mode mode) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            save(fields -> fields.with(BIRTHDAY));
            Write ofNobody = Write.upsert("ix:birthday:01-01:bob@example.org", Values.none());
            world.tables().write(ListStore.TABLE, partition("bob@example.org"), ofNobody);
            happened = stopsAt(mode, at, () -> index().reindex(world.list(), "ada"));
            world.time.advance(Duration.ofHours(8));
            run();

            String where = mode + " at call " + at;
            everythingIsInLine(where);
            assertThat(indexed("birthday")).as(where).isEqualTo(BIRTHDAYS);
            assertThat(jobs()).as(where).hasSizeLessThanOrEqualTo(1).allSatisfy(this::endedOnce);
        }
    }

    /** @return whether the fault happened */
    private boolean stopsAt(Faults.Mode mode, long at, Runnable begins) {
        Faults faults = new Faults(mode, at, () -> {});
        world.restart(faults.around(world.simulated.storage()));
        try {
            begins.run();
            finishJobs();
        } catch (ProcessDied | StorageException stopped) {
            assertThat(faults.calls()).isGreaterThanOrEqualTo(at);
        }
        world.simulated.hook(CallHook.NONE);
        world.restart();
        return faults.calls() >= at;
    }

    private void endedOnce(SetJobs.Status job) {
        assertThat(job.state()).isEqualTo(JobState.DONE);
        assertThat(job.handled()).isEqualTo(4);
    }

    @Test
    void l6_anotherProcessThatDoesEverythingAtAnyCallChangesNothing() {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            saveOnALargeList(fields -> fields.with(BIRTHDAY));
            Once other = new Once(at, this::run);
            finishJobs();
            happened = other.ends();
            run();

            String where = "another process before call " + at;
            endedOnce(job());
            everythingIsInLine(where);
            assertThat(indexed("birthday")).as(where).isEqualTo(BIRTHDAYS);
        }
    }

    @Test
    void bMinus5_aCancelledJobLeavesTheFieldNotIndexed() {
        int cancelled = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            saveOnALargeList(fields -> fields.with(BIRTHDAY));
            String id = job().id();
            Once cancels = new Once(at, () -> process().jobs().cancel(id, "ada"));
            finishJobs();
            happened = cancels.ends();
            world.time.advance(Duration.ofDays(1));
            run();

            boolean done = job().state() == JobState.DONE;
            cancelled += done ? 0 : 1;
            assertThat(state().canSearch(BIRTHDAY))
                    .as("cancelled before call " + at)
                    .isEqualTo(done);
            assertThat(state().stopped()).isEqualTo(done ? 0 : fields().revision());
            assertThat(state().run()).isNull();

            index().reindex(world.list(), "ada");
            finishJobs();
            everythingIsInLine("again after call " + at);
        }
        assertThat(cancelled).isGreaterThan(20);
    }

    /** The job deletes rows, beginning with its first page. */
    @Test
    void afterACancelledJobAFieldIsNotSearchedUntilItIsIndexedAgain() {
        save(fields -> fields.with(BIRTHDAY));
        saveOnALargeList(
                fields -> fields.with(new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), false, true)));
        process().jobs().cancel(job().id(), "ada");
        finishJobs();

        saveOnALargeList(fields -> fields.with(BIRTHDAY));

        assertThat(state().canSearch(BIRTHDAY)).isFalse();
        finishJobs();
        assertThat(state().canSearch(BIRTHDAY)).isTrue();
        assertThat(indexed("birthday")).isEqualTo(BIRTHDAYS);
    }

    @Test
    void aChangeOfFieldsDuringAJobEndsItAndStartsAnother() {
        int cancelled = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            saveOnALargeList(fields -> fields.with(BIRTHDAY));
            String id = job().id();
            Once changes = new Once(at, () -> saveOnALargeList(fields -> fields.with(HOBBY)));
            finishJobs();
            happened = changes.ends();
            run();

            cancelled += process().jobs().find(id).orElseThrow().state() == JobState.CANCELLED ? 1 : 0;
            everythingIsInLine("other fields before call " + at);
            assertThat(state().canSearch(BIRTHDAY)).isTrue();
            assertThat(state().canSearch(HOBBY)).isEqualTo(happened);
        }
        assertThat(cancelled).isGreaterThan(20);
    }

    /** A process dies between saving the fields and naming their job. */
    @Test
    void theEndOfAJobDoesNotAffectFieldsSavedSince() {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            saveOnALargeList(fields -> fields.with(BIRTHDAY));
            Once changes = new Once(at, () -> {
                var seen = store().find(world.list());
                store().save(world.list(), seen.value().with(HOBBY), seen.etag());
            });
            finishJobs();
            happened = changes.ends();

            assertThat(state().canSearch(HOBBY)).as("saved before call " + at).isFalse();
            run();
            everythingIsInLine("saved before call " + at);
            assertThat(state().canSearch(HOBBY)).isEqualTo(happened);
        }
    }

    @Test
    void aJobWhoseListIsDeletedFailsWithThatReason() {
        saveOnALargeList(fields -> fields.with(BIRTHDAY));
        world.lists.markDeleting(LIST);
        FieldIndex.forget(world.tables(), LIST, gone -> true);

        finishJobs();

        assertThat(job().state()).isEqualTo(JobState.FAILED);
        assertThat(job().reason().is(ReasonCode.LIST_GONE)).isTrue();
    }
}
