package org.azuremail.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.journal.LotNotes.Fate;
import org.azuremail.mail.Answer;
import org.azuremail.reason.Reason;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks which entries of a journal a process may rely on. A closed journal that contains lots belongs to a dead
 * process.
 */
class FileJournalTest {

    private static final String BOOT = "boot-1";

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final SeededIds ids = new SeededIds(1);

    @Test
    void mailsThatADeadProcessDidNotBeginAreFree() throws IOException {
        String lot = lotOfTheDead();

        assertThat(fates(journal(BOOT), lot))
                .containsExactly(
                        new Fate.Sent("250 queued"),
                        new Fate.Failed(Reason.ofText("550 no")),
                        new Fate.NotSent(),
                        new Fate.InDoubt(),
                        new Fate.InDoubt(),
                        new Fate.NotSent());
    }

    @Test
    void journalsAreForTheirOwnerOnlyAndOlderOnesBecomeSo() throws IOException {
        String lot = lotOfTheDead();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));

        journal(BOOT).openLot("mail.0.1 !range00002");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fileOf(lot))))
                .isEqualTo("rw-------");
    }

    @Test
    void afterABootOnlyAnswersCount() throws IOException {
        String lot = lotOfTheDead();
        List<Fate> answersAlone = List.of(
                new Fate.Sent("250 queued"),
                new Fate.Failed(Reason.ofText("550 no")),
                new Fate.InDoubt(),
                new Fate.InDoubt(),
                new Fate.InDoubt(),
                new Fate.InDoubt());

        assertThat(fates(journal("boot-2"), lot)).isEqualTo(answersAlone);
        assertThat(fates(journal(""), lot)).as("a system that does not tell").isEqualTo(answersAlone);
    }

    @Test
    void aKilledProcessLeavesItsNotesAndOnlyItsDeathFrees() throws Exception {
        try (JournalWriter writer = JournalWriter.start(directory, BOOT)) {
            List<Fate> alive = fates(journal(BOOT), writer.lot()).subList(0, 3);
            writer.kill();
            List<Fate> dead = fates(journal(BOOT), writer.lot()).subList(0, 3);

            assertThat(alive).containsExactly(new Fate.Sent("250 queued"), new Fate.InDoubt(), new Fate.InDoubt());
            assertThat(dead).containsExactly(new Fate.Sent("250 queued"), new Fate.InDoubt(), new Fate.NotSent());
        }
    }

    /** The process may be frozen, wake up and write the next email. */
    @Test
    void onlyAnswersCountInTheJournalOfALiveProcess() {
        FileJournal alive = journal(BOOT);
        String lot = noted(alive);

        assertThat(fates(journal(BOOT), lot).subList(2, 6)).containsOnly(new Fate.InDoubt());
    }

    @Test
    void mailsUnderWayInTheSameProcessAreInDoubt() {
        FileJournal journal = journal(BOOT);
        String lot = noted(journal);
        assertThat(fates(journal, lot).subList(2, 6)).containsOnly(new Fate.InDoubt());

        journal.endLot(lot);

        assertThat(fates(journal, lot).get(5)).isEqualTo(new Fate.NotSent());
    }

    @Test
    void anotherHostKnowsNothing() throws IOException {
        String lot = lotOfTheDead();

        FileJournal elsewhere = new FileJournal(directory.resolve("elsewhere"), BOOT, time, ids);

        assertThat(elsewhere.find(lot)).isEmpty();
        assertThat(elsewhere.find("")).isEmpty();
        assertThat(journal(BOOT).find("another")).isEmpty();
    }

    @Test
    void aLotThatIsForgottenIsNotKnownAnyMore() throws IOException {
        FileJournal journal = journal(BOOT);
        String lot = noted(journal);
        String other = noted(journal);

        journal.forgetLot(lot);
        assertThat(journal.find(lot)).isEmpty();
        journal.close();

        assertThat(journal(BOOT).find(lot)).isEmpty();
        assertThat(journal(BOOT).find(other)).isPresent();
    }

    @Test
    void theLastLineOfAProcessThatWasKilledMayBeTorn() throws IOException {
        String lot = lotOfTheDead();
        String whole = Files.readString(file());
        String last = new String(new JournalLine(JournalLine.Kind.BEGUN, lot, "email:f", "").bytes(), UTF_8);
        Files.writeString(file(), whole + last.substring(0, last.length() - 1));

        assertThat(fates(journal(BOOT), lot).get(5))
                .as("its mail was not written before its line was")
                .isEqualTo(new Fate.NotSent());
    }

    @Test
    void aDamagedLineLeavesNobodyFree() throws IOException {
        String lot = lotOfTheDead();
        Files.writeString(
                file(), Files.readString(file()).replace("B\t" + lot + "\temail:d", "B\t" + lot + "\temail:x"));

        assertThat(fates(journal(BOOT), lot))
                .startsWith(new Fate.Sent("250 queued"))
                .doesNotContain(new Fate.NotSent());
    }

    @Test
    void aDamagedFileBesideItLeavesNobodyFree() throws IOException {
        String lot = lotOfTheDead();
        Files.write(directory.resolve("x.journal"), new byte[] {0, 1, 2, '\n', 3});

        assertThat(fates(journal(BOOT), lot))
                .startsWith(new Fate.Sent("250 queued"))
                .doesNotContain(new Fate.NotSent());
    }

    /** Otherwise, the journal would report that an email was not begun although it may have been. */
    @Test
    void aJournalThatCannotBeWrittenIsMadeVoid() throws IOException {
        FileJournal journal = journal(BOOT);
        String lot = noted(journal);
        Objects.requireNonNull(journal.file).close();

        journal.recordBegun(lot, "email:e");

        assertThat(journal(BOOT).find(lot)).isEmpty();
        assertThat(journal.find(lot)).isEmpty();
        assertThat(journal.openLot("another")).as("a new file").isNotEmpty();
    }

    /**
     * Other processes assume that a process whose journal is closed is dead, and take its emails that were not begun.
     */
    @Test
    void i2_afterTheJournalIsClosedNothingBegins() throws IOException {
        FileJournal journal = journal(BOOT);
        String lot = noted(journal);
        journal.close();
        assertThat(fates(journal(BOOT), lot).get(5)).as("to others").isEqualTo(new Fate.NotSent());

        assertThatThrownBy(() -> journal.recordBegun(lot, "email:f")).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> journal.openLot("another")).isInstanceOf(IllegalStateException.class);
        journal.recordAnswer(lot, "email:d", new Answer.Accepted("250 late"));
        journal.endLot(lot);
        journal.forgetLot(lot);

        assertThat(fates(journal(BOOT), lot)).as("nothing is written any more").contains(new Fate.NotSent());
        assertThat(files()).hasSize(1);
    }

    /**
     * The process does not record which emails of the lot it begins, so after its death they would seem not to have
     * been begun.
     */
    @Test
    void i2_aLotThatIsDroppedBecauseThereAreTooManyIsForgotten() throws IOException {
        FileJournal journal = new FileJournal(directory, BOOT, time, ids, 3);
        String first = journal.openLot("first");
        String second = journal.openLot("second");
        journal.openLot("third");
        journal.openLot("fourth");
        journal.recordBegun(first, "email:a");
        journal.close();

        assertThat(journal(BOOT).find(first)).as("all of it is in doubt").isEmpty();
        assertThat(journal(BOOT).find(second)).isPresent();
    }

    @Test
    void lotsHaveNoNameWhenNoJournalCanBeKept() throws IOException {
        Files.writeString(directory.resolve("file"), "in the way");
        FileJournal journal = new FileJournal(directory.resolve("file"), BOOT, time, ids);

        assertThat(journal.openLot("somewhere")).isEmpty();
        journal.recordBegun("", "email:a");
        assertThat(journal.find("")).isEmpty();
    }

    @Test
    void aLargeFileIsBegunAnewWithTheLotsUnderWay() throws IOException {
        FileJournal journal = journal(BOOT);
        String lot = noted(journal);
        String large = "x".repeat(1_000_000);
        for (int i = 0; i < 40; i++) {
            String other = journal.openLot("large");
            journal.recordAnswer(other, "email:z", new Answer.Refused(large));
            journal.forgetLot(other);
        }
        assertThat(Files.size(file())).isLessThan(20_000_000);
        journal.close();

        assertThat(fates(journal(BOOT), lot))
                .startsWith(new Fate.Sent("250 queued"))
                .endsWith(new Fate.InDoubt(), new Fate.NotSent());
    }

    @Test
    void filesThatNobodyNeedsAreRemovedByTheNextProcess() throws IOException {
        FileJournal done = journal(BOOT);
        done.forgetLot(noted(done));
        done.close();
        assertThat(files()).as("a stop in order leaves nothing").isEmpty();

        String lot = lotOfTheDead();
        journal(BOOT).openLot("now");
        assertThat(journal(BOOT).find(lot)).as("it may be asked for").isPresent();

        Files.setLastModifiedTime(fileOf(lot), FileTime.from(time.instant().minus(Duration.ofDays(8))));
        FileJournal later = journal(BOOT);
        later.openLot("later");
        assertThat(journal(BOOT).find(lot)).as("it is not told yet").isPresent();

        later.markReported();
        assertThat(journal(BOOT).find(lot)).isEmpty();
    }

    @Test
    void aServersTextStaysOnItsLine() throws IOException {
        FileJournal journal = journal(BOOT);
        String lot = journal.openLot("a\tb\nc");
        journal.recordAnswer(lot, "email:ü", new Answer.Accepted("250\tok\r\nXe3b0c442X\tfake\t\t\n🎉"));
        journal.close();

        assertThat(journal(BOOT).find(lot).orElseThrow().fate("email:ü"))
                .isEqualTo(new Fate.Sent("250 ok  Xe3b0c442X fake   🎉"));
    }

    private String lotOfTheDead() throws IOException {
        FileJournal journal = journal(BOOT);
        String lot = noted(journal);
        journal.close();
        return lot;
    }

    /** Records that a is sent, b refused, c put off, d begun, and e answered as unknown. f is not begun. */
    private static String noted(FileJournal journal) {
        String lot = journal.openLot("mail.0.1 !range00001");
        Stream.of("a", "b", "c", "d", "e").forEach(mail -> journal.recordBegun(lot, "email:" + mail));
        journal.recordAnswer(lot, "email:a", new Answer.Accepted("250 queued"));
        journal.recordAnswer(lot, "email:b", new Answer.Refused("550 no"));
        journal.recordAnswer(lot, "email:c", new Answer.RetryAfter(Duration.ofMinutes(1), "451 later"));
        journal.recordAnswer(lot, "email:e", new Answer.Unknown(Reason.ofText("gone")));
        return lot;
    }

    private static List<Fate> fates(Journal journal, String lot) {
        Optional<LotNotes> notes = journal.find(lot);
        return Stream.of("a", "b", "c", "d", "e", "f")
                .map(mail -> notes.orElseThrow().fate("email:" + mail))
                .toList();
    }

    private FileJournal journal(String boot) {
        return new FileJournal(directory, boot, time, ids);
    }

    private Path file() throws IOException {
        assertThat(files()).hasSize(1);
        return files().get(0);
    }

    private Path fileOf(String lot) throws IOException {
        for (Path file : files()) {
            if (new String(Files.readAllBytes(file), UTF_8).contains(lot)) {
                return file;
            }
        }
        throw new AssertionError("no journal has " + lot);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
