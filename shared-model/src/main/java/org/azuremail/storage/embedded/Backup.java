package org.azuremail.storage.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.app.OwnerOnlyFiles;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies a data file while it is in use, and recognises a data file that was restored from such a copy. */
record Backup(Writer writer, Readers readers) implements RestoredBackup {

    private static final Logger LOG = LoggerFactory.getLogger(Backup.class);

    static final String MADE_AT = "backup";

    /** Writes a consistent copy of all commits. It gets its final name when it is complete, checked and on disk. */
    static void copy(DataFile file, Path target, Time time) {
        if (Files.exists(target)) {
            throw new StorageException(Reason.DENIED, "the backup " + target + " is there already", null);
        }
        Path unfinished = target.resolveSibling(target.getFileName() + ".part");
        try {
            // A long copy shows the moment at which it began.
            Instant begunAt = time.instant();
            Files.createDirectories(target.toAbsolutePath().getParent());
            Files.deleteIfExists(unfinished);
            // SQLite copies into an existing empty file, which keeps its permissions.
            OwnerOnlyFiles.createFile(unfinished);
            try (Session session = DataFile.open(file.path())) {
                session.update("VACUUM INTO ?", unfinished.toString());
            }
            mark(unfinished, begunAt);
            force(unfinished);
            Files.move(unfinished, target);
        } catch (SQLException e) {
            throw SqliteErrors.translate("backup to " + target, e);
        } catch (IOException e) {
            throw new StorageException(Reason.UNAVAILABLE, "the backup " + target + " cannot be written: " + e, e);
        } finally {
            remove(unfinished);
        }
    }

    /** Removes a copy that failed, to free its space. */
    private static void remove(Path unfinished) {
        try {
            Files.deleteIfExists(unfinished);
        } catch (IOException e) {
            LOG.warn("the unfinished backup {} cannot be removed: {}", unfinished, e.toString());
        }
    }

    private static void mark(Path copy, Instant madeAt) throws SQLException {
        try (Session session = DataFile.open(copy)) {
            session.update(
                    "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", MADE_AT, ValueCodec.micros(madeAt));
            if (!session.exists("SELECT 1 FROM pragma_quick_check WHERE quick_check = 'ok'")) {
                throw new StorageException(Reason.CORRUPT, "the data file is damaged, so is the copy " + copy, null);
            }
        }
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Override
    public Optional<Instant> madeAt() {
        return readers.read(
                "look for a restore",
                session -> session.first(
                        result -> ValueCodec.instant(result.getLong(1)),
                        "SELECT value FROM meta WHERE name = ?",
                        MADE_AT));
    }

    @Override
    public void markHandled() {
        writer.write(
                "forget a restore", (session, sequence) -> session.update("DELETE FROM meta WHERE name = ?", MADE_AT));
    }
}
