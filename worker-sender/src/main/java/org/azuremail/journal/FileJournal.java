package org.azuremail.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.journal.Journal.TakenMail;
import org.azuremail.journal.JournalLine.Kind;
import org.azuremail.mail.Answer;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in a directory of this host: one file for each process. A large file is replaced by a new one. A file whose
 * answers have been recorded is deleted when no sender may ask for it any more, after seven days at the latest. Lines
 * are written to the system, not forced to the disk, so they survive SIGKILL. After a power loss only answers count,
 * because the host's boot is noted too.
 *
 * <p>On a full disk, an email that cannot be noted must not begin, and the file stays correct; new lots are not noted.
 * A damaged file is deleted: then its lots are in doubt, as if there were no journal, and sending continues.
 */
public final class FileJournal implements Journal, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);

    private static final long LARGE = 16L * 1024 * 1024;

    /** The largest number of lots that are not under way. Beyond it, the oldest is forgotten and would be in doubt. */
    private static final int LOTS = 10_000;

    private static final String CLOSED = "the journal is closed: nothing may begin any more";

    private final Path directory;
    private final String boot;
    private final IdSource ids;
    private final JournalFiles others;
    private final Time time;
    private final int maxLots;
    private final Map<String, Lot> own = new LinkedHashMap<>();

    @Nullable
    JournalFile file;

    private boolean reported;
    private boolean warned;
    private boolean closed;

    private static final class Lot {

        private final JournalLine opened;
        private final Map<String, JournalLine> lines = new HashMap<>();
        private boolean ended;

        private Lot(JournalLine opened) {
            this.opened = opened;
        }
    }

    /**
     * Creates a journal, which reads and writes nothing before it has to.
     *
     * @param directory created when the first lot is noted; on a file system of this host, because locks must work
     * @param boot names the host and its present boot; empty when it is unknown
     */
    public FileJournal(Path directory, String boot, Time time, IdSource ids) {
        this(directory, boot, time, ids, LOTS);
    }

    FileJournal(Path directory, String boot, Time time, IdSource ids, int maxLots) {
        this.maxLots = maxLots;
        this.directory = directory;
        this.boot = boot;
        this.time = time;
        this.ids = ids;
        this.others = new JournalFiles(directory, boot);
    }

    @Override
    public synchronized String openLot(String location) {
        if (closed) {
            throw new IllegalStateException(CLOSED);
        }
        String lot = ids.token();
        JournalLine line = new JournalLine(Kind.OPENED, lot, "", location);
        if (!appended(line)) {
            return "";
        }
        own.put(lot, new Lot(line));
        if (own.size() > maxLots) {
            dropOldest();
        }
        return lot;
    }

    private boolean appended(JournalLine line) {
        JournalFile current = null;
        try {
            current = file();
            current.append(line.bytes());
            return true;
        } catch (IOException failure) {
            keepOrDiscardFile(current, failure);
            return false;
        }
    }

    /** Drops the oldest lot. Its later emails are not noted, so the file must not say that they were not begun. */
    private void dropOldest() {
        String oldest = own.keySet().iterator().next();
        if (note(JournalLine.of(Kind.FORGOTTEN, oldest)).isEmpty()) {
            own.remove(oldest);
        }
    }

    private JournalFile file() throws IOException {
        JournalFile current = file;
        if (current == null) {
            // Until the answers are in the storage, no file counts as old.
            others.sweep(reported ? time.instant() : Instant.EPOCH, null);
        } else if (current.size() < LARGE) {
            return current;
        } else {
            // Delete the old file first, because two files of one process could contradict each other.
            current.delete();
            file = null;
        }
        return begin();
    }

    private JournalFile begin() throws IOException {
        JournalFile begun = JournalFile.create(directory, ids.token(), boot);
        file = begun;
        for (Lot lot : own.values()) {
            begun.append(lot.opened.bytes());
            for (JournalLine line : lot.lines.values()) {
                begun.append(line.bytes());
            }
        }
        return begun;
    }

    @Override
    public void recordBegun(String lot, String row) {
        note(new JournalLine(Kind.BEGUN, lot, row, "")).ifPresent(unnoted -> {
            throw new UncheckedIOException(unnoted);
        });
    }

    /** If the answer cannot be noted, the email stays begun, which means that it is in doubt. */
    @Override
    public void recordAnswer(String lot, String row, Answer answer) {
        note(JournalLine.of(lot, row, answer));
    }

    /** @return why the file lacks a line that it must have */
    private Optional<IOException> note(JournalLine line) {
        // Created before the lock is taken, for which all senders wait.
        byte[] bytes = line.bytes();
        synchronized (this) {
            Lot lot = own.get(line.lot());
            JournalFile current = file;
            if (closed) {
                return Optional.of(new IOException(CLOSED));
            }
            if (lot == null || current == null) {
                return Optional.empty();
            }
            Optional<IOException> unnoted = Optional.empty();
            try {
                current.append(bytes);
            } catch (IOException failure) {
                unnoted = keepOrDiscardFile(current, failure);
            }
            if (unnoted.isEmpty() || line.kind() != Kind.BEGUN) {
                lot.lines.put(line.row(), line);
            }
            return unnoted;
        }
    }

    /** @return the failure when the file stays and lacks the line */
    private Optional<IOException> keepOrDiscardFile(@Nullable JournalFile current, IOException failure) {
        if (current == null || !current.whole()) {
            return discardFile(failure);
        }
        warn(failure);
        return Optional.of(failure);
    }

    private void warn(IOException failure) {
        if (!warned) {
            LOG.warn(
                    "no journal can be kept in {}, new lots of processes that die are in doubt as a whole: {}",
                    directory,
                    failure.toString());
            warned = true;
        }
    }

    /**
     * Deletes the file, because a journal with a gap would claim that an email was not begun.
     *
     * @return the failure when the file stays unchanged
     */
    private Optional<IOException> discardFile(IOException failure) {
        warn(failure);
        JournalFile current = file;
        try {
            if (current != null) {
                current.delete();
            }
        } catch (IOException worse) {
            failure.addSuppressed(worse);
            return Optional.of(failure);
        }
        own.clear();
        file = null;
        return Optional.empty();
    }

    @Override
    public synchronized void endLot(String lot) {
        Lot ended = own.get(lot);
        if (ended != null) {
            ended.ended = true;
        }
    }

    @Override
    public synchronized void forgetLot(String lot) {
        if (own.containsKey(lot)) {
            note(JournalLine.of(Kind.FORGOTTEN, lot));
            own.remove(lot);
        }
    }

    @Override
    public synchronized Optional<LotNotes> find(String lot) {
        Lot mine = own.get(lot);
        if (mine != null) {
            return Optional.of(new LotNotes(mine.ended, mine.lines));
        }
        return lot.isEmpty() ? Optional.empty() : others.find(lot, ownPath());
    }

    @Override
    public synchronized List<TakenMail> acceptedForDeadProcesses() {
        return others.acceptedForDeadProcesses(ownPath());
    }

    @Override
    public synchronized void markReported() {
        reported = true;
        others.sweep(time.instant(), ownPath());
    }

    private @Nullable Path ownPath() {
        JournalFile current = file;
        return current == null ? null : current.path();
    }

    /**
     * Keeps only lots that a sender may still ask for. From then on, other processes may declare this one dead, so no
     * email may begin.
     */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        JournalFile current = file;
        if (current != null && own.isEmpty()) {
            current.delete();
        } else if (current != null) {
            current.close();
        }
    }
}
