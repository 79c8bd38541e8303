package org.azuremail.storage.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.app.OwnerOnlyFiles;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the data file was replaced by an older copy that is not marked as a backup, such as a snapshot or a
 * copied file. Each commit has a number, which is the time in microseconds or one more than the previous number,
 * whichever is larger. The number is in the data file and, once the commit is durable, in a small file beside it. The
 * small file is therefore only ahead of a data file that was replaced. A small file that is missing, damaged or of
 * another store is ignored. The small file is not forced to disk. After a loss of power it may be behind, and a
 * replacement by an equally recent copy is then not detected.
 */
final class LastCommit {

    static final String SUFFIX = ".last-commit";

    private static final Logger LOG = LoggerFactory.getLogger(LastCommit.class);
    private static final String STORE = "store";
    private static final String COMMIT = "commit";
    private static final Pattern CONTENT = Pattern.compile("(-?\\d{1,19}) +(\\d{1,19}) *\n");

    private static final int MAX_NUMBER_LENGTH = 20;

    private final Path path;
    private final Time time;
    private final ClockRollback clock;
    private @Nullable FileChannel channel;
    private long store;
    private long number;
    private boolean failing;

    LastCommit(Path dataFile, Time time) {
        this.path = dataFile.resolveSibling(dataFile.getFileName() + SUFFIX);
        this.time = time;
        this.clock = new ClockRollback(time);
    }

    /** The content of the small file. */
    private record Reported(long store, long number) {}

    /**
     * Compares the numbers of both files. A data file that was replaced is marked as a restored {@link Backup} with the
     * time of its last commit. The small file is read first, because other processes may commit meanwhile.
     */
    void compare(Session session) throws SQLException {
        Optional<Reported> reported = read();
        Writer.begin(session);
        try {
            boolean anew = session.update("INSERT OR IGNORE INTO meta (name, value) VALUES (?, random())", STORE) > 0;
            if (anew && reported.isPresent()) {
                LOG.warn(
                        "The data file that {} belongs to has been lost: this one is new. To go back to a backup, stop the"
                                + " service and restore it.",
                        path);
            }
            store = session.number(0, "SELECT value FROM meta WHERE name = ?", STORE);
            long last = session.number(0, "SELECT value FROM meta WHERE name = ?", COMMIT);
            if (reported.filter(small -> small.store() == store && small.number() > last)
                    .isPresent()) {
                LOG.warn("The data file was put back to its state at {}", ValueCodec.instant(last));
                session.update("INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)", Backup.MADE_AT, last);
                raise(session, reported.get().number() + 1);
            }
            clock.compare(session, last);
            number = last;
            session.update("COMMIT");
        } catch (SQLException | RuntimeException | Error e) {
            session.update("ROLLBACK");
            throw e;
        }
    }

    /** Checks the clock at the beginning of a transaction. */
    void begin(Session session) throws SQLException {
        clock.begin(session, number);
    }

    /** Assigns a number to the transaction that is about to be committed. */
    void next(Session session) throws SQLException {
        number = raise(session, ValueCodec.micros(time.instant()));
    }

    private static long raise(Session session, long atLeast) throws SQLException {
        return session.number(
                0,
                "INSERT INTO meta (name, value) VALUES (?, ?)"
                        + " ON CONFLICT (name) DO UPDATE SET value = max(value + 1, excluded.value) RETURNING value",
                COMMIT,
                atLeast);
    }

    /**
     * Records the durable transaction in the small file. If the small file cannot be written, a later replacement of
     * the data file by an older copy may not be detected.
     */
    void report() {
        clock.committed();
        byte[] content = (padded(store) + " " + padded(number) + "\n").getBytes(StandardCharsets.US_ASCII);
        try {
            open().write(ByteBuffer.wrap(content), 0);
            failing = false;
        } catch (IOException e) {
            close();
            if (!failing) {
                LOG.warn("{} cannot be written: an older copy that is put back would not be noticed", path, e);
            }
            failing = true;
        }
    }

    /** Pads a number with spaces to the length of the longest number, so that new content covers the old. */
    private static String padded(long value) {
        String digits = Long.toString(value);
        return digits + " ".repeat(MAX_NUMBER_LENGTH - digits.length());
    }

    private FileChannel open() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            try {
                OwnerOnlyFiles.createFile(path);
            } catch (FileAlreadyExistsException usual) {
                OwnerOnlyFiles.tighten(path);
            }
            open = FileChannel.open(path, StandardOpenOption.WRITE);
            channel = open;
        }
        return open;
    }

    private Optional<Reported> read() {
        try {
            Matcher content = CONTENT.matcher(Files.readString(path, StandardCharsets.ISO_8859_1));
            return content.matches()
                    ? Optional.of(new Reported(Long.parseLong(content.group(1)), Long.parseLong(content.group(2))))
                    : Optional.empty();
        } catch (IOException | NumberFormatException saysNothing) {
            return Optional.empty();
        }
    }

    void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("Closing {} failed", path, e);
        } finally {
            channel = null;
        }
    }
}
