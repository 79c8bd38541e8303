package org.azuremail.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.journal.Journal.TakenMail;
import org.azuremail.journal.LotNotes.Fate;
import org.azuremail.mail.Answer;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks which of several journals in one directory are believed, reported and deleted. A closed journal belongs to a
 * dead process.
 */
class JournalsOfOthersTest {

    private static final String BOOT = "boot-1";
    private static final Instant LAST = Instant.parse("2026-01-01T12:00:00Z");

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final SeededIds ids = new SeededIds(1);

    /** The host may have restarted in between and lost the last entries about an email that left. */
    @Test
    void noMailIsFreeWhenTheSystemDoesNotNameItsBoots() throws IOException {
        String lot = lotOfTheDead("");

        assertThat(fate("", lot, "email:a")).isEqualTo(new Fate.Sent("250 a"));
        assertThat(fate("", lot, "email:z")).isEqualTo(new Fate.InDoubt());
    }

    @Test
    void allRecipientsAreFreeAfterADeathBeforeTheFirstMail() throws IOException {
        FileJournal journal = journal(BOOT);
        String lot = journal.openLot("somewhere");
        journal.close();

        assertThat(fate(BOOT, lot, "email:a")).isEqualTo(new Fate.NotSent());
    }

    @Test
    void aFileThatCannotBeReadLeavesNobodyFree() throws IOException {
        String lot = lotOfTheDead(BOOT);
        Files.createDirectory(directory.resolve("x.journal"));

        assertThat(fate(BOOT, lot, "email:a")).isEqualTo(new Fate.Sent("250 a"));
        assertThat(fate(BOOT, lot, "email:z")).isEqualTo(new Fate.InDoubt());
    }

    /** Without the damaged file, the other files would look complete. */
    @Test
    void aDamagedFileIsNotSweptAway() throws IOException {
        String lot = lotOfTheDead(BOOT);
        Files.writeString(directory.resolve("x.journal"), "damaged\n");

        journal(BOOT).openLot("now");
        journal(BOOT).markReported();

        assertThat(fate(BOOT, lot, "email:z")).isEqualTo(new Fate.InDoubt());
    }

    /** No other process would find the entries that this process writes later. */
    @Test
    void theFileOfAProcessThatLivesIsNotSweptAwayHoweverOld() throws IOException {
        FileJournal alive = journal(BOOT);
        alive.forgetLot(alive.openLot("done"));
        try (Stream<Path> files = Files.list(directory)) {
            Files.setLastModifiedTime(files.findFirst().orElseThrow(), FileTime.from(LAST));
        }
        time.advance(Duration.ofDays(8));

        journal(BOOT).markReported();
        String lot = alive.openLot("later");
        alive.recordAnswer(lot, "email:a", new Answer.Accepted("250 a"));

        assertThat(fate(BOOT, lot, "email:a")).isEqualTo(new Fate.Sent("250 a"));
    }

    @Test
    void theFileOfTheDeadIsKeptForAWeek() throws IOException {
        String lot = lotOfTheDead(BOOT);
        Files.setLastModifiedTime(
                fileOf(lot),
                FileTime.from(time.instant().minus(Duration.ofDays(7)).plusSeconds(1)));

        journal(BOOT).markReported();
        assertThat(fileOf(lot)).exists();

        time.advance(Duration.ofSeconds(2));
        journal(BOOT).markReported();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void mailsThatTheDeadSentAreReportedWithTheirPlaceAndTime() throws IOException {
        FileJournal dead = journal(BOOT);
        String lot = dead.openLot("the lot of the dead");
        dead.recordBegun(lot, "email:a");
        dead.recordBegun(lot, "email:b");
        dead.recordAnswer(lot, "email:a", new Answer.Accepted("250 a"));
        dead.recordAnswer(lot, "email:c", new Answer.Refused("550 c"));
        dead.close();
        Files.setLastModifiedTime(fileOf(lot), FileTime.from(LAST));
        FileJournal alive = journal(BOOT);
        alive.recordAnswer(alive.openLot("the lot of the living"), "email:d", new Answer.Accepted("250 d"));

        assertThat(journal(BOOT).acceptedForDeadProcesses())
                .containsExactly(new TakenMail("the lot of the dead", "email:a", "250 a", LAST));
    }

    /** A sender that starts again reports nothing about a lot whose location it does not know. */
    @Test
    void aFileThatIsBegunAnewStillSaysWhereItsLotsBelong() throws IOException {
        FileJournal journal = journal(BOOT);
        String lot = journal.openLot("the first lot");
        journal.recordAnswer(lot, "email:a", new Answer.Accepted("250 a"));
        String unbegun = journal.openLot("the second lot");
        Path first = fileOf(lot);
        String large = "x".repeat(1_000_000);
        while (Files.exists(first)) {
            String other = journal.openLot("large");
            journal.recordAnswer(other, "email:z", new Answer.Refused(large));
            journal.forgetLot(other);
        }
        journal.close();

        assertThat(journal(BOOT).acceptedForDeadProcesses())
                .extracting(TakenMail::location)
                .containsExactly("the first lot");
        assertThat(fate(BOOT, unbegun, "email:z")).isEqualTo(new Fate.NotSent());
    }

    /** Returns the lot of a dead process: a is sent, and z is not begun. */
    private String lotOfTheDead(String boot) throws IOException {
        FileJournal journal = journal(boot);
        String lot = journal.openLot("somewhere");
        journal.recordBegun(lot, "email:a");
        journal.recordAnswer(lot, "email:a", new Answer.Accepted("250 a"));
        journal.close();
        return lot;
    }

    private Fate fate(String boot, String lot, String row) {
        return journal(boot).find(lot).orElseThrow().fate(row);
    }

    private FileJournal journal(String boot) {
        return new FileJournal(directory, boot, time, ids);
    }

    private Path fileOf(String lot) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (new String(Files.readAllBytes(file), UTF_8).contains(lot)) {
                    return file;
                }
            }
        }
        throw new AssertionError("no journal has " + lot);
    }
}
