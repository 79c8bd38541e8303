package org.azuremail.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Answer;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks a journal on a disk that is full for a while: written entries stay and can be relied on. */
class JournalOnAFullDiskTest {

    @TempDir
    private Path directory;

    private final SeededIds ids = new SeededIds(1);

    @Test
    void i2_whileTheDiskIsFullNothingBeginsAndTheFileStaysTrue() throws IOException {
        FileJournal journal = journal();
        String lot = journal.openLot("somewhere");
        journal.recordBegun(lot, "email:a");
        journal.recordAnswer(lot, "email:a", new Answer.Accepted("250 a"));
        journal.recordBegun(lot, "email:b");
        AtomicBoolean full = new AtomicBoolean(true);
        JournalFile before = Objects.requireNonNull(journal.file);
        journal.file = new JournalFile(before.path(), new FullDisk(before.path(), full), before.size());
        before.close();

        assertThatThrownBy(() -> journal.recordBegun(lot, "email:c")).isInstanceOf(UncheckedIOException.class);
        journal.recordAnswer(lot, "email:b", new Answer.Accepted("250 b"));
        assertThat(journal.openLot("another")).as("a lot that is not noted").isEmpty();
        full.set(false);
        journal.recordBegun(lot, "email:d");

        LotNotes known = journal().find(lot).orElseThrow();
        assertThat(Stream.of("a", "b", "c", "d", "e").map(row -> known.fate("email:" + row)))
                .as("to others, after its death")
                .containsExactly(
                        new LotNotes.Fate.Sent("250 a"),
                        new LotNotes.Fate.InDoubt(),
                        new LotNotes.Fate.NotSent(),
                        new LotNotes.Fate.InDoubt(),
                        new LotNotes.Fate.NotSent());
        assertThat(journal.openLot("another")).isNotEmpty();
    }

    private FileJournal journal() {
        return new FileJournal(directory, "boot-1", new ManualTime(), ids);
    }

    /** A file that writes only half a line while the disk is full. */
    private static final class FullDisk extends RandomAccessFile {

        private final AtomicBoolean full;

        private FullDisk(Path path, AtomicBoolean full) throws IOException {
            super(path.toFile(), "rw");
            this.full = full;
            seek(length());
        }

        @Override
        public void write(byte[] line) throws IOException {
            if (full.get()) {
                super.write(line, 0, line.length / 2);
                throw new IOException("No space left on device");
            }
            super.write(line);
        }
    }
}
