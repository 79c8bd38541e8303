package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.PatternStream;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Together;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks backups during writes, and restores from them. */
class BackupTest {

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();

    @Test
    void backupsWhileWritingAreConsistentAndContainEarlierAcknowledgedWrites() throws Exception {
        try (EmbeddedStorage storage = open(data())) {
            storage.storage().tables().createTable("pairs");
            storage.storage().blobs().createContainer("blobs");
            AtomicBoolean enough = new AtomicBoolean();
            AtomicInteger acknowledged = new AtomicInteger();
            Together.run(2, thread -> () -> {
                if (thread == 0) {
                    writePairs(storage, acknowledged, enough);
                } else {
                    backUpThreeTimes(storage, acknowledged);
                    enough.set(true);
                }
                return null;
            });
        }
    }

    private static void writePairs(EmbeddedStorage storage, AtomicInteger acknowledged, AtomicBoolean enough)
            throws Exception {
        while (!enough.get()) {
            int i = acknowledged.get();
            Values value = Values.of("N", i);
            String key = String.format("%08d", i);
            storage.storage()
                    .tables()
                    .write("pairs", "p", List.of(Write.insert(key + "a", value), Write.insert(key + "b", value)));
            storage.storage().blobs().put("blobs", "latest", new PatternStream(i, 1_500_000), BlobStore.ALWAYS);
            acknowledged.incrementAndGet();
        }
    }

    private void backUpThreeTimes(EmbeddedStorage storage, AtomicInteger acknowledged) throws Exception {
        for (int backup = 0; backup < 3; backup++) {
            while (acknowledged.get() < (backup + 1) * 5) {
                Thread.onSpinWait();
            }
            int before = acknowledged.get();
            Path restored = directory.resolve("restored" + backup);
            storage.backup(restored.resolve(DataFile.NAME));
            assertThatBackupIsWhole(restored, before);
        }
    }

    private void assertThatBackupIsWhole(Path restored, int before) throws Exception {
        try (EmbeddedStorage copy = open(restored)) {
            List<Row> rows = Rows.all(copy.storage().tables(), "pairs", KeyRange.partition("p"));
            assertThat(rows).hasSizeGreaterThanOrEqualTo(before * 2);
            assertThat(rows.size() % 2).isZero();
            for (int i = 0; i < rows.size(); i++) {
                assertThat(rows.get(i).values()).isEqualTo(Values.of("N", i / 2));
            }
            int last = rows.size() / 2 - 1;
            byte[] blob = copy.storage().blobs().read("blobs", "latest").orElseThrow();
            assertThat(blob)
                    .isIn(
                            new PatternStream(last, 1_500_000).readAllBytes(),
                            new PatternStream(last - 1, 1_500_000).readAllBytes());
        }
    }

    @Test
    void restoredBackupIsRecognisedUntilItIsHandled() {
        Path restored = directory.resolve("restored");
        try (EmbeddedStorage storage = open(data())) {
            assertThat(storage.restoredBackup().madeAt()).isEmpty();
            storage.backup(restored.resolve(DataFile.NAME));
            assertThat(storage.restoredBackup().madeAt()).isEmpty();
        }
        try (EmbeddedStorage storage = open(restored)) {
            assertThat(storage.restoredBackup().madeAt()).hasValue(ManualTime.START);
            storage.restoredBackup().markHandled();
        }
        try (EmbeddedStorage storage = open(restored)) {
            assertThat(storage.restoredBackup().madeAt()).isEmpty();
        }
    }

    @Test
    void failedBackupLeavesNothingBehindAndAnUnfinishedOneDoesNotStopTheNext() throws Exception {
        Path backup = directory.resolve("backups").resolve("one.db");
        Path unfinished = backup.resolveSibling("one.db.part");
        Files.createDirectories(data());
        Files.writeString(data().resolve(DataFile.NAME), "not a database".repeat(1_000));

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> Backup.copy(DataFile.in(data()), backup, time));
        assertThat(backup.getParent()).isEmptyDirectory();

        Files.delete(data().resolve(DataFile.NAME));
        Files.writeString(unfinished, "of a process that was killed");
        try (EmbeddedStorage storage = open(data())) {
            storage.backup(backup);
        }
        assertThat(backup.getParent()).isDirectoryNotContaining("glob:**.part").isDirectoryContaining("glob:**one.db");
    }

    /** A large file takes minutes to copy, and what happens meanwhile is not in the copy. */
    @Test
    void backupIsOfTheMomentAtWhichItBegan() {
        Path restored = directory.resolve("restored");
        Path unfinished = restored.resolve(DataFile.NAME + ".part");
        open(data()).close();
        Backup.copy(DataFile.in(data()), restored.resolve(DataFile.NAME), new Time() {
            @Override
            public Instant instant() {
                return Files.exists(unfinished) ? time.instant().plusSeconds(600) : time.instant();
            }

            @Override
            public Duration elapsed() {
                return time.elapsed();
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                time.sleep(duration);
            }
        });

        try (EmbeddedStorage storage = open(restored)) {
            assertThat(storage.restoredBackup().madeAt()).hasValue(ManualTime.START);
        }
    }

    @Test
    void restoredFileStillReturnsFreePages() throws Exception {
        Path restored = directory.resolve("restored");
        try (EmbeddedStorage storage = open(data())) {
            storage.backup(restored.resolve(DataFile.NAME));
        }
        open(restored).close();
        try (Session session = DataFile.in(restored).openReader()) {
            assertThat(session.number(-1, "PRAGMA auto_vacuum")).isEqualTo(2);
        }
    }

    @Test
    void onlyTheOwnerMayReadABackup() throws Exception {
        Path target = directory.resolve("backups").resolve("nightly.db");
        Path leftover = directory.resolve("backups").resolve("nightly.db.part");
        Files.createDirectories(leftover.getParent());
        Files.writeString(leftover, "of a backup that was killed");
        try (EmbeddedStorage storage = open(data())) {
            storage.backup(target);
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-------");
        assertThat(leftover).doesNotExist();
    }

    @Test
    void existingFileIsNeverOverwritten() throws Exception {
        Path precious = Files.writeString(directory.resolve("precious"), "precious");
        try (EmbeddedStorage storage = open(data())) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> storage.backup(precious))
                    .withMessageContaining("is there already");
        }
        assertThat(precious).hasContent("precious");
    }

    @Test
    void commandBacksUpWhileTheServiceRuns() {
        Path target = directory.resolve("nightly").resolve("backup.db");
        try (EmbeddedStorage storage = open(data())) {
            storage.storage().tables().createTable("running");
            assertThat(command(data().toString(), target.toString())).startsWith("0 backup written: " + target);
            assertThat(command(data().toString(), target.toString()))
                    .startsWith("1 ")
                    .contains("is there already");
        }
        assertThat(target).exists();
        assertThat(target.resolveSibling("backup.db.part")).doesNotExist();
    }

    @Test
    void commandWithoutADataFileCreatesNothing() {
        Path target = directory.resolve("backup.db");
        assertThat(command(data().toString(), target.toString())).startsWith("1 there is no azuremail.db in");
        assertThat(command("only one")).startsWith("2 usage");
        assertThat(target).doesNotExist();
        assertThat(data()).doesNotExist();
    }

    private String command(String... arguments) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        int exit = BackupCommand.run(arguments, time, out, out);
        return exit + " " + said.toString(StandardCharsets.UTF_8);
    }

    private Path data() {
        return directory.resolve("data");
    }

    private EmbeddedStorage open(Path where) {
        return EmbeddedStorage.open(where, time);
    }
}
