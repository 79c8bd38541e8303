package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.storage.Together;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Checks an older copy of the data file that was restored without a mark, such as a snapshot or a copied file. */
@ExtendWith(OutputCaptureExtension.class)
class LastCommitTest {

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private Path data;
    private Path copy;
    private Path small;

    @BeforeEach
    void writeSomethingAndCopyTheFile() throws IOException {
        data = directory.resolve("data");
        copy = directory.resolve("copy.db");
        small = data.resolve(DataFile.NAME + LastCommit.SUFFIX);
        write("before");
        Files.copy(data.resolve(DataFile.NAME), copy);
    }

    private void write(String row) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(data, time)) {
            storage.storage().tables().createTable("things");
            storage.storage().tables().write("things", "p", Write.insert(row, Values.none()));
        }
    }

    private Optional<Instant> restored() {
        try (EmbeddedStorage storage = EmbeddedStorage.open(data, time)) {
            return storage.restoredBackup().madeAt();
        }
    }

    private void handle() {
        try (EmbeddedStorage storage = EmbeddedStorage.open(data, time)) {
            storage.restoredBackup().markHandled();
        }
    }

    private void putBack(Path file) throws IOException {
        Files.copy(file, data.resolve(DataFile.NAME), StandardCopyOption.REPLACE_EXISTING);
    }

    /** The file was deleted, or emptied by a full disk. The store starts again, and the log says so. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dataFileThatIsGoneIsSaidInTheLog(boolean deleted, CapturedOutput log) throws IOException {
        assertThat(restored()).isEmpty();
        assertThat(log).doesNotContain("has been lost");
        Files.delete(data.resolve(DataFile.NAME));
        if (!deleted) {
            Files.createFile(data.resolve(DataFile.NAME));
        }

        assertThat(restored()).isEmpty();

        assertThat(log).contains("has been lost");
    }

    @Test
    void copiedFileThatIsPutBackIsARestoreUntilItIsHandled() throws IOException {
        Instant copied = time.instant();
        time.advance(Duration.ofHours(1));
        write("after");
        assertThat(restored()).isEmpty();

        putBack(copy);

        assertThat(restored()).hasValueSatisfying(at -> assertThat(at).isBetween(copied, copied.plusSeconds(1)));
        assertThat(restored()).isPresent();
        handle();
        assertThat(restored()).isEmpty();
    }

    @Test
    void aCopyThatLacksOnlyTheLastCommitIsNoticed() throws IOException {
        write("after");
        putBack(copy);
        assertThat(restored()).isPresent();
    }

    @Test
    void theSameCopyIsNoticedEachTimeThatItIsPutBack() throws IOException {
        write("after");
        putBack(copy);
        handle();
        putBack(copy);
        assertThat(restored()).isPresent();
    }

    @Test
    void clockThatIsSetBackHidesNoRestoreAndRaisesNoSecondAlarm() throws IOException {
        time.advance(Duration.ofDays(1));
        write("after");
        time.shiftWallClock(Duration.ofDays(-2));

        putBack(copy);

        assertThat(restored()).isPresent();
        handle();
        assertThat(restored()).isEmpty();
    }

    @Test
    void fileThatIsAheadOfTheSmallFileIsNotARestore() throws IOException {
        byte[] behind = Files.readAllBytes(small);
        write("after");
        Files.write(small, behind);
        assertThat(restored()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "1 2", "99999999999999999999 99999999999999999999\n", "\u0000\u0000\n", "1 2\n3 4\n"})
    void unreadableSmallFileIsNotARestore(String content) throws IOException {
        Files.writeString(small, content);
        assertThat(restored()).isEmpty();
        write("after");
        putBack(copy);
        assertThat(restored()).isPresent();
    }

    @Test
    void missingSmallFileIsNotARestore() throws IOException {
        Files.delete(small);
        assertThat(restored()).isEmpty();
        assertThat(small).exists();
    }

    @Test
    void newDataFileBesideTheSmallFileOfAnotherIsNotARestore() throws IOException {
        Files.delete(data.resolve(DataFile.NAME));
        time.shiftWallClock(Duration.ofDays(-1));
        assertThat(restored()).isEmpty();
    }

    @Test
    void restoredBackupKeepsTheTimeAtWhichItWasMade() throws IOException {
        time.advance(Duration.ofHours(1));
        Path backup = directory.resolve("backup.db");
        try (EmbeddedStorage storage = EmbeddedStorage.open(data, time)) {
            storage.backup(backup);
        }
        Instant made = time.instant();
        time.advance(Duration.ofHours(1));
        write("after");
        putBack(backup);
        assertThat(restored()).hasValue(made);
    }

    @Test
    void processesThatOpenTheFileWhileOthersCommitSeeNoRestore() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        Together.run(2, thread -> () -> {
            if (thread == 0) {
                try (EmbeddedStorage storage = EmbeddedStorage.open(data, time)) {
                    for (int i = 0; !enough.get(); i++) {
                        storage.storage().tables().write("things", "p", Write.upsert("busy" + i % 10, Values.none()));
                    }
                }
            } else {
                for (int i = 0; i < 30; i++) {
                    assertThat(restored()).isEmpty();
                }
                enough.set(true);
            }
            return null;
        });
    }
}
