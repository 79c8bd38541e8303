package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;

/** Checks that a service which cannot open its data file says what to do. */
class SqliteErrorsTest {

    @TempDir
    private Path directory;

    @Test
    void logThatCannotBeOpenedLeadsToItsPermissions() throws IOException {
        Files.createSymbolicLink(directory.resolve("azuremail.db-wal"), directory.resolve("none/log"));

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> EmbeddedStorage.open(directory, new ManualTime()))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.DENIED))
                .withMessageContaining("-wal")
                .withMessageContaining("give it the right to, or set azuremail.data-dir");
    }

    @Test
    void fullDiskIsNamed() {
        SQLException failure =
                new SQLException("I/O error within xShmMap", null, SQLiteErrorCode.SQLITE_IOERR_SHMSIZE.code);

        assertThat(SqliteErrors.translate("opening azuremail.db", failure))
                .hasMessageContaining("the disk is full or fails");
    }

    @Test
    void libraryThatCannotBeLoadedNamesTheSettingOfItsDirectory() {
        SQLException failure = new SQLException(
                "Error opening connection", new NativeLibraryNotFoundException("No native library found"));

        StorageException translated = SqliteErrors.translate("opening azuremail.db", failure);

        assertThat(translated.reason()).isEqualTo(Reason.DENIED);
        assertThat(translated).hasMessageContaining("noexec").hasMessageContaining("-Djava.io.tmpdir");
    }
}
