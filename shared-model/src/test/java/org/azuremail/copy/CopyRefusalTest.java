package org.azuremail.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.azuremail.copy.StorageCopy.CopyOptions;
import org.azuremail.copy.StorageCopy.CopyResult;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks when a copy does not begin or continue, and on which storage processes may then start. */
class CopyRefusalTest {

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage source = new SimulatedStorage(time);
    private final SimulatedStorage target = new SimulatedStorage(time);
    private final CopyEndpoint from = Ends.of("source", source);
    private final CopyEndpoint to = Ends.of("target", target);

    @Test
    void livingProcessMustBeStopped() {
        Instances instances = born("host:1234");
        refused("box", "last heard of", "--stopped");
        instances.deregister();
        finished();
    }

    @Test
    void killedProcessCountsAsAliveForAWhile() {
        born("host:1234");
        time.advance(Instances.LIVE.minusSeconds(1));
        refused("for 750,");
        time.advance(Duration.ofSeconds(2));
        finished();
    }

    @Test
    void processWithoutHeartbeatCountsAsAliveUntilStoppedIsGiven() {
        born("");
        time.advance(Duration.ofDays(3));
        refused("box");
        assertThat(copy(from, to).run(new CopyOptions(true, false))).isInstanceOf(CopyResult.Finished.class);
    }

    @Test
    void processThatStartsMeanwhileNoticesTheCopyOrIsNoticed() {
        AtomicBoolean started = new AtomicBoolean();
        source.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.description().contains("!to") && call.kind() == Call.Kind.WRITE && !started.getAndSet(true)) {
                    new CopyMarks(source.storage()).start(time);
                }
            }
        });

        refused("a process started", "--stopped");

        source.hook(CallHook.NONE);
        assertThat(started).isTrue();
        new CopyMarks(source.storage()).start(time);
        time.advance(CopyPreconditions.STARTING);
        finished();
    }

    @Test
    void processThatLookedBeforeTheMarkLooksAgainAndDoesNotStart() {
        source.hook(new CallHook() {
            private boolean done;

            @Override
            public void before(Call call) {
                if (!done
                        && call.kind() == Call.Kind.WRITE
                        && call.description().contains("start")) {
                    done = true;
                    finished();
                }
            }
        });
        mayNotStart(source.storage(), "was copied to target");
    }

    @Test
    void targetThatIsNotEmptyIsRefused() {
        for (int kind = 0; kind < 3; kind++) {
            SimulatedStorage full = new SimulatedStorage(time);
            Filling filling = new Filling(full.storage());
            switch (kind) {
                case 0 -> filling.write("account", "accounts", "account:a", Values.none());
                case 1 -> filling.items("azuremailqueue-p3", "one");
                default -> filling.blob("azuremail-events", "a", 1);
            }
            assertThat(copy(from, Ends.of("full", full)).run(CopyOptions.NONE))
                    .isInstanceOfSatisfying(CopyResult.Refused.class, refused -> assertThat(refused.why())
                            .contains("full is not empty"));
        }
        new CopyMarks(source.storage()).start(time);
    }

    @Test
    void storageIsNotCopiedIntoItself() {
        assertThat(copy(from, from).run(CopyOptions.NONE)).isInstanceOf(CopyResult.Refused.class);
    }

    @Test
    void jobInPreparationMustContinueFirst() {
        new Filling(source.storage()).write("work", "job.j1", "!job", Values.of("Continuation", "3!aa"));
        refused("job j1", "Start the service");
    }

    @Test
    void tablesOfAnotherVersionAreNotLeftBehindSilently() {
        source.tables().createTable("novelty");
        refused("[novelty]", "which this version does not know");
        CopyEndpoint account = new CopyEndpoint("account", source.storage(), source::inventory, true, from.restored());
        assertThat(copy(account, to).run(CopyOptions.NONE)).isInstanceOf(CopyResult.Finished.class);
    }

    @Test
    void restoredBackupMustBeHandledFirst() throws Exception {
        Path backup = directory.resolve("restored/azuremail.db");
        try (EmbeddedStorage original = EmbeddedStorage.open(directory.resolve("data"), time)) {
            Files.createDirectories(backup.getParent());
            original.backup(backup);
        }
        try (EmbeddedStorage restored = EmbeddedStorage.open(backup.getParent(), time)) {
            assertThat(copy(Ends.of(restored), to).run(CopyOptions.NONE))
                    .isInstanceOfSatisfying(CopyResult.Refused.class, refused -> assertThat(refused.why())
                            .contains("was restored from a backup of " + time.instant()));
            restored.restoredBackup().markHandled();
            assertThat(copy(Ends.of(restored), to).run(CopyOptions.NONE)).isInstanceOf(CopyResult.Finished.class);
        }
    }

    @Test
    void noProcessStartsUntilTheCopyIsFinishedAndThenOnlyOnTheTarget() {
        unfinished();
        mayNotStart(source.storage(), "is being copied to target");
        mayNotStart(target.storage(), "a copy of source that is not finished");
        time.advance(Duration.ofHours(1));
        finished();
        mayNotStart(source.storage(), "everything of this storage was copied to target");
        new CopyMarks(target.storage()).start(time);
    }

    @Test
    void unfinishedCopyContinuesOnlyToItsTarget() {
        unfinished();
        SimulatedStorage other = new SimulatedStorage(time);
        refused(copy(from, Ends.of("other", other)), "source is being copied to target");
        refused(copy(Ends.of("other", other), to), "target holds an unfinished copy of source");
        refused(copy(to, Ends.of("other", other)), "target is itself an unfinished copy of source");
        assertThat(copy(from, Ends.of("other", other)).abandon(CopyOptions.NONE))
                .isInstanceOf(CopyResult.Refused.class);
        mayNotStart(source.storage(), "is being copied");
    }

    @Test
    void unfinishedCopyMayBeGivenUpAndItsItemsGoBack() {
        unfinished();
        time.advance(Duration.ofHours(1));

        assertThat(copy(from, to).abandon(CopyOptions.NONE)).isInstanceOf(CopyResult.Abandoned.class);

        new CopyMarks(source.storage()).start(time);
        assertThat(Filling.items(source.queues(), "azuremailqueue")).containsExactly("later", "one", "three", "two");
        mayNotStart(target.storage(), "that was given up");
        time.advance(CopyPreconditions.STARTING);
        refused("given up: empty it first");
        assertThat(copy(from, to).abandon(CopyOptions.NONE)).isInstanceOf(CopyResult.Refused.class);
    }

    @Test
    void processThatStillCopiesCannotFinishACopyThatWasGivenUp() {
        new Filling(source.storage()).little();
        target.hook(new CallHook() {
            private boolean done;

            @Override
            public void before(Call call) {
                if (!done && call.place().equals("message") && call.kind() == Call.Kind.WRITE) {
                    done = true;
                    assertThat(copy(from, to).abandon(CopyOptions.NONE)).isInstanceOf(CopyResult.Abandoned.class);
                }
            }
        });

        refused("another process continues this copy, or gave it up");

        target.hook(CallHook.NONE);
        new CopyMarks(source.storage()).start(time);
        mayNotStart(target.storage(), "that was given up");
    }

    @Test
    void ofTwoCopyingProcessesTheLastOneContinues() {
        new Filling(source.storage()).little();
        target.hook(new CallHook() {
            private boolean done;

            @Override
            public void before(Call call) {
                if (!done && call.place().equals("message") && call.kind() == Call.Kind.WRITE) {
                    done = true;
                    finished();
                }
            }
        });

        refused("another process continues this copy, or gave it up");
        Filling.assertEqual(from, to);
    }

    @Test
    void finishedCopyCanBeNeitherGivenUpNorRepeated() {
        new Filling(source.storage()).little();
        finished();

        assertThat(copy(from, to).abandon(CopyOptions.NONE))
                .isInstanceOfSatisfying(CopyResult.Refused.class, refused -> assertThat(refused.why())
                        .contains("on both it would email everybody twice"));
        assertThat(copy(from, to).run(CopyOptions.NONE)).isEqualTo(new CopyResult.Finished(null));
        refused(
                copy(from, Ends.of("other", new SimulatedStorage(time))),
                "everything of this storage was copied to target");
        mayNotStart(source.storage(), "was copied to target");
    }

    @Test
    void copyBackNeedsAnEmptyStorage() {
        new Filling(source.storage()).little();
        finished();
        refused(copy(to, from), "source is not empty");
        SimulatedStorage fresh = new SimulatedStorage(time);
        assertThat(copy(to, Ends.of("source", fresh)).run(CopyOptions.NONE)).isInstanceOf(CopyResult.Finished.class);
        new CopyMarks(fresh.storage()).start(time);
        mayNotStart(target.storage(), "was copied to source");
    }

    /** Copies everything except one item. */
    private void unfinished() {
        new Filling(source.storage()).little();
        source.queues().send("azuremailqueue", "later", Duration.ofMinutes(30));
        assertThat(copy(from, to).run(new CopyOptions(true, false))).isEqualTo(new CopyResult.Hidden(1));
    }

    private Instances born(String address) {
        Instances instances = new Instances(source.storage(), time, new SeededIds(3)::token, Stream::empty);
        instances.register(new Registration("box", Set.of("sender"), Set.of(), Set.of(), address));
        instances.heartbeat();
        return instances;
    }

    private void refused(String... parts) {
        refused(copy(from, to), parts);
    }

    private static void refused(StorageCopy copy, String... parts) {
        assertThat(copy.run(CopyOptions.NONE))
                .isInstanceOfSatisfying(CopyResult.Refused.class, refused -> assertThat(refused.why())
                        .contains(parts));
    }

    private void finished() {
        assertThat(copy(from, to).run(CopyOptions.NONE)).isInstanceOf(CopyResult.Finished.class);
    }

    private void mayNotStart(Storage storage, String why) {
        assertThatThrownBy(() -> new CopyMarks(storage).start(time))
                .isInstanceOf(MovedStorageException.class)
                .hasMessageContaining(why);
    }

    private StorageCopy copy(CopyEndpoint one, CopyEndpoint other) {
        return new StorageCopy(one, other, new SeededIds(time.instant().getNano() + 1), time);
    }
}
