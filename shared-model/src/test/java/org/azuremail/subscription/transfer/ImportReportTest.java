package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the report of an import about rows with faults. */
class ImportReportTest {

    private final ImportWorld imports = new ImportWorld(4);
    private final SubscriptionWorld world = imports.world;

    @AfterEach
    void countsAndSatellitesFit() {
        world.checkInvariants();
    }

    @Test
    void anUnclosedQuoteIsReportedByItsLine() {
        String rows = "a@example.org,A\n".repeat(2000);

        SubscriberImport done = imports.bring("email,name\n\n" + rows + "b@example.org,\"B\nc@example.org,C\n", true);

        assertThat(done.reason()).asString().startsWith("A quote that opens in line 2003 is never closed.");
        assertThat(world.store().counts(world.list())).isEqualTo(SubscriberCounts.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "'email,name\n\n\nbad,x\n', 4",
        "'\n\nemail\nbad\n', 4",
        "'email,name\na@example.org,\"two\nlines\"\nbad,x', 4",
        "'email,name\r\na@example.org,\"two\r\nlines\"\r\n\r\nbad,\"x\r\ny\"\r\n', 5",
    })
    void aRefusedRowIsReportedByTheLineInWhichItBegins(String file, String line) {
        SubscriberImport done = imports.bring(file.replace("\\n", "\n").replace("\\r", "\r"), true);

        assertThat(imports.refusedCsv(done.id()).lines().skip(1).findFirst().orElseThrow())
                .startsWith(line + ",bad,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void anyNumberOfBlankLinesMayComeFirst(String end) {
        String blank = end.repeat(300_000);

        SubscriberImport done = imports.bring(blank + "email;name" + end + "a@example.org;A" + end + "bad;x", true);

        assertThat(world.get("a@example.org").profile().name()).isEqualTo("A");
        assertThat(imports.refusedCsv(done.id()).lines().skip(1))
                .singleElement()
                .asString()
                .startsWith("300003,bad,");
    }

    @Test
    void faultsBehindBlankLinesAreReportedByTheirLine() {
        String blank = "\n".repeat(300_000);

        assertThat(imports.bring(blank + "email\n\"a@example.org\"x\n", true).reason())
                .asString()
                .startsWith("Line 300002 is not valid CSV");
        assertThat(imports.bring(blank, true).reason()).asString().startsWith("The file is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"email\na@example.org\n", "email\n\"a@example.org"})
    void moreBlankLinesThanCanBeReadAtOnceAreNamedAsSuch(String before) {
        SubscriberImport done = imports.bring(before + "\n".repeat(300_000) + "b@example.org\n", true);

        assertThat(done.reason())
                .asString()
                .startsWith("More blank lines follow line ")
                .contains("Delete them")
                .contains("closing quote");
        assertThat(world.store().counts(world.list())).isEqualTo(SubscriberCounts.NONE);
    }

    @Test
    void repeatedRowsAreCountedApartFromKnownPeople() {
        world.subscribed("known@example.org");

        SubscriberImport done = imports.bring("""
                email
                new@example.org
                a@example.org
                known@example.org
                NEW@example.org
                b@example.org
                c@example.org
                new@example.org
                known@example.org
                """, true);

        assertThat(done.counts().updated()).isEqualTo(4);
        assertThat(done.counts().repeated())
                .as("of the new ones over all chunks")
                .isEqualTo(2);
        assertThat(imports.bring("email\nknown@example.org\nKnown@example.org\n", true)
                        .counts()
                        .repeated())
                .as("of the known ones within a chunk")
                .isEqualTo(1);
    }

    @Test
    void addressesThatNeedSmtpUtf8AreImportedAndCounted() {
        SubscriberImport done = imports.bring("email\nü@example.org\nann@bücher.example\nü@example.org\nü\n", true);

        assertThat(done.counts().imported()).isEqualTo(2);
        assertThat(done.counts().smtpUtf8()).isEqualTo(2);
    }

    @Test
    void aRowWithMoreCellsThanTheHeaderIsRefusedAndBlankOnesAreNot() {
        SubscriberImport done =
                imports.bring("email,name\nann@example.org,Ann,, \nbob@example.org,Bob,Paris, France\n", true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(2, 1, 0, 1, 0, 0));
        assertThat(imports.refusedCsv(done.id()).lines())
                .containsExactly(
                        "row,email,reason,name",
                        "3,bob@example.org,\"the row has 4 cells, but the header line has 2; if a cell contains a comma, put the cell in quotes\","
                                + "Bob,Paris,\" France\"");
    }

    @Test
    void theFileOfRefusedRowsCanBeCorrectedAndImported() {
        SubscriberImport done =
                imports.bring("Full Name,City,E-Mail,Reason\nBob,\"Bern, Old Town\",bob@,came late\n", true);
        String refused = imports.refusedCsv(done.id());
        assertThat(refused).startsWith("row,email,reason,Full Name,City,Reason");

        SubscriberImport again = imports.bring(refused.replace("bob@", "bob@example.org"), true);

        assertThat(again.counts()).isEqualTo(new SubscriberImport.Counts(1, 1, 0, 0, 0, 0));
        assertThat(world.get("bob@example.org").profile())
                .isEqualTo(new Profile("Bob", Map.of("city", "Bern, Old Town", "reason", "came late")));
        assertThat(world.list().attributes()).doesNotContain("row");
    }

    @Test
    void aRefusedRowWithVeryLongCellsIsReportedWithoutThem() {
        SubscriberImport done = imports.bring("email,name\nbad,\"" + "\u0001".repeat(7000) + "\"\nbad2,B\n", true);

        assertThat(imports.refusedCsv(done.id()).lines())
                .containsExactly(
                        "row,email,reason,name", "2,bad,not an email address", "3,bad2,not an email address,B");
    }

    @Test
    void aCellThatIsCutInTheMiddleOfAnEmojiIsReportedWithoutIt() {
        SubscriberImport done = imports.bring("email\n" + "a".repeat(319) + "\uD83D\uDE00\nann@example.org\n", true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(2, 1, 0, 1, 0, 0));
        assertThat(imports.refusedCsv(done.id())).contains("2," + "a".repeat(319) + ",not an email address");
    }
}
