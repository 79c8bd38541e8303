package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks completed, interrupted and refused upgrades of the data file. */
class SchemaTest {

    private static final Schema NEXT = next("CREATE TABLE upgraded (x)");

    @TempDir
    private Path directory;

    @Test
    void olderFileIsBroughtUpToDateAndKeepsItsRows() throws SQLException {
        storeARow();
        EmbeddedStorage.open(directory, new ManualTime(), NEXT).close();
        assertThat(version()).isEqualTo(NEXT.steps().size());
        assertThatTheRowIsThere(NEXT);
    }

    @Test
    void newerFileIsRefusedWithWhatToDoAndLeftAlone() throws SQLException {
        storeARow();
        EmbeddedStorage.open(directory, new ManualTime(), NEXT).close();
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> EmbeddedStorage.open(directory, new ManualTime()))
                .withMessageContaining("newer version")
                .withMessageContaining("start that version, or restore a backup")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CORRUPT));
        assertThat(version()).isEqualTo(NEXT.steps().size());
        assertThatTheRowIsThere(NEXT);
    }

    @Test
    void upgradeThatFailsLeavesTheOldFile() throws SQLException {
        storeARow();
        Schema broken = next("CREATE TABLE upgraded (x)", "CREATE TABLE upgraded (x)");
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> EmbeddedStorage.open(directory, new ManualTime(), broken));
        assertThat(version()).isEqualTo(Schema.CURRENT.steps().size());
        assertThatTheRowIsThere(Schema.CURRENT);
        assertThatTheRowIsThere(NEXT);
    }

    @Test
    void fileOfAnUpgradeThatWasKilledStillOpens() throws Exception {
        storeARow();
        Path log = DataFile.in(directory).log();
        try (ChildProcess child = ChildProcess.start(EndlessUpgrade.class, "64m", directory.toString())) {
            await().until(() -> Files.exists(log) && Files.size(log) > 1_000_000);
            child.kill();
        }
        assertThat(version()).isEqualTo(Schema.CURRENT.steps().size());
        assertThatTheRowIsThere(Schema.CURRENT);
        assertThatTheRowIsThere(NEXT);
    }

    /** Runs in its own process, which is killed in the middle. */
    static final class EndlessUpgrade {

        private EndlessUpgrade() {}

        public static void main(String[] arguments) {
            Schema endless = next(
                    "PRAGMA cache_size = 10",
                    "CREATE TABLE upgraded (x)",
                    "INSERT INTO upgraded WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n");
            EmbeddedStorage.open(Path.of(arguments[0]), Time.system(), endless);
        }
    }

    private static Schema next(String... statements) {
        return new Schema(Stream.concat(Schema.CURRENT.steps().stream(), Stream.of(List.of(statements)))
                .toList());
    }

    private void storeARow() {
        try (EmbeddedStorage storage = EmbeddedStorage.open(directory, new ManualTime())) {
            storage.storage().tables().createTable("kept");
            storage.storage().tables().write("kept", "p", Write.insert("r", Values.of("N", 1)));
        }
    }

    private void assertThatTheRowIsThere(Schema schema) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(directory, new ManualTime(), schema)) {
            assertThat(storage.storage().tables().get("kept", "p", "r")).isPresent();
        }
    }

    private long version() throws SQLException {
        try (Session session = DataFile.in(directory).openReader()) {
            return session.number(-1, "PRAGMA user_version");
        }
    }
}
