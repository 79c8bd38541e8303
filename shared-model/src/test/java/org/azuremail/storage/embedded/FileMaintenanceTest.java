package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the log is shortened between two commits, while all commits wait. */
class FileMaintenanceTest {

    @TempDir
    private Path directory;

    private DataFile file;
    private FileMaintenance care;
    private Session writer;
    private Session reader;

    @BeforeEach
    void open() throws Exception {
        file = DataFile.in(directory);
        care = new FileMaintenance(file);
        writer = file.openWriter(Schema.CURRENT);
        reader = file.openReader();
        writer.update("INSERT INTO container (name) VALUES (?)", "before");
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        writer.close();
    }

    @Test
    @Timeout(20)
    void longReadDoesNotDelayCommits() throws Exception {
        try (ResultSet lasting = reader.statement("SELECT name FROM container").executeQuery()) {
            assertThat(lasting.next()).isTrue();
            writer.update("INSERT INTO container (name) VALUES (?)", "meanwhile");

            assertThat(care.truncateLog(writer)).isFalse();

            assertThat(Files.size(file.log())).isPositive();
        }
        assertThat(care.truncateLog(writer)).isTrue();
        assertThat(Files.size(file.log())).isZero();
    }

    @Test
    void busyTimeoutIsRestoredAfterwards() throws Exception {
        care.truncateLog(writer);

        assertThat(writer.number(0, "PRAGMA busy_timeout")).isEqualTo(DataFile.BUSY_TIMEOUT_MILLIS);
    }

    /** Nobody who reads the file finds a person who was erased. */
    @Test
    void aDeletedRowIsOverwritten() throws Exception {
        writer.update("INSERT INTO container (name) VALUES (?)", "ann@example.org");
        writer.update("DELETE FROM container WHERE name = ?", "ann@example.org");

        care.truncateLog(writer);

        assertThat(Files.readString(file.path(), StandardCharsets.ISO_8859_1))
                .contains("before")
                .doesNotContain("ann@example.org");
    }

    @Test
    void hundredsOfFreePagesAreReturnedAtOnce() throws Exception {
        for (int row = 0; row < 1000; row++) {
            writer.update("INSERT INTO container (name) VALUES (?)", row + "x".repeat(4000));
        }
        writer.update("DELETE FROM container");
        long free = writer.number(0, "PRAGMA freelist_count");

        care.releaseFreePages(writer);

        assertThat(writer.number(0, "PRAGMA freelist_count")).isEqualTo(free - FileMaintenance.MAX_RELEASED_PAGES);
    }

    @Test
    void freePagesAreReturnedWhileCommitsGoOn() throws Exception {
        for (int row = 0; row < 5000; row++) {
            writer.update("INSERT INTO container (name) VALUES (?)", row + "x".repeat(4000));
        }
        writer.update("DELETE FROM container");
        long free = writer.number(0, "PRAGMA freelist_count");

        for (int commit = 0; commit < 1000; commit++) {
            care.afterCommit(writer);
        }

        assertThat(writer.number(0, "PRAGMA freelist_count")).isLessThan(free);
    }
}
