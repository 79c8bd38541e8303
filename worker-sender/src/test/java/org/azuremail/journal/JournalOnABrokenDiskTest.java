package org.azuremail.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Answer;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks a journal that can be neither written nor deleted, as on a disk that has become read-only. */
class JournalOnABrokenDiskTest {

    @TempDir
    private Path directory;

    private FileJournal journal;
    private String lot;

    @BeforeEach
    void theDiskBreaksWhileALotIsUnderWay() throws IOException {
        journal = new FileJournal(directory, "boot-1", new ManualTime(), new SeededIds(1));
        lot = journal.openLot("somewhere");
        journal.recordBegun(lot, "email:a");
        Path file;
        try (Stream<Path> files = Files.list(directory)) {
            file = files.findFirst().orElseThrow();
        }
        Objects.requireNonNull(journal.file).close();
        Files.delete(file);
        // Not even its owner may remove a directory that is not empty.
        Files.createDirectories(file.resolve("in the way"));
    }

    /** After a death, the file would report that the email was not begun. */
    @Test
    void i2_aMailThatCannotBeNotedMustNotBeWritten() {
        assertThatThrownBy(() -> journal.recordBegun(lot, "email:b")).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> journal.recordBegun(lot, "email:b")).isInstanceOf(UncheckedIOException.class);
    }

    /** An exception would make the whole lot unknown, and the answers to its first emails would be lost. */
    @Test
    void anAnswerThatCannotBeNotedIsStillOne() {
        journal.recordAnswer(lot, "email:a", new Answer.Accepted("250 a"));

        assertThat(new LotNotes(true, journal.find(lot).orElseThrow().lines()).fate("email:a"))
                .as("this process knows it")
                .isEqualTo(new LotNotes.Fate.Sent("250 a"));
    }

    /** The emails are valid, so no attempt may be counted against them. */
    @Test
    void theNextLotHasNoNameAndTheOldOneEnds() {
        String next = journal.openLot("elsewhere");

        assertThat(next).isEmpty();
        journal.recordBegun(next, "email:c");
        journal.endLot(next);
        journal.forgetLot(next);
        journal.endLot(lot);
        journal.forgetLot(lot);
        journal.markReported();
    }
}
