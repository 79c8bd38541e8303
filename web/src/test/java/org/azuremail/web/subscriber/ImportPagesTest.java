package org.azuremail.web.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.transfer.Imports;
import org.azuremail.subscription.transfer.InlineImports;
import org.azuremail.subscription.transfer.SubscriberImport;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;

/** Checks the page of a finished import. */
class ImportPagesTest extends OnSubscriberPages {

    @Autowired
    AutowireCapableBeanFactory beans;

    @Autowired
    FieldStore definitions;

    @Autowired
    Imports imports;

    @Test
    void aFileThatCannotBeReadSaysSoOnceAndOffersAnother() throws Exception {
        bring("email,name\nann@example.org,\"Ann\n");

        assertThat(browser.text())
                .contains("Nothing was imported. A quote that opens in line 2 is never closed.")
                .doesNotContain("Reading the file", "before the end");
        browser.open(browser.page().select("a:contains(Import another file)").attr("href"));
        assertThat(browser.page().select("form[action=/subscribers/import]")).hasSize(1);
    }

    @Test
    void repeatedRowsAndAddressesThatNeedSmtpUtf8AreCounted() throws Exception {
        bring("email,name\nü@example.org,U\nann@example.org,Ann\nANN@example.org,Anna\nx@example.org,X,Y\n");

        assertThat(browser.page().select(".tile b").eachText()).containsExactly("2", "0", "1", "1");
        assertThat(browser.page().select(".tile span").eachText())
                .containsExactly("New", "Updated", "Repeated", "Refused");
        assertThat(browser.text())
                .contains("Their last row was used", "One address has letters outside ASCII")
                .doesNotContain("Import another file");
        assertThat(subscriber("ann@example.org").profile().name()).isEqualTo("Anna");
    }

    @Test
    void refusedRowsAreShownWithAllTheirReasons() throws Exception {
        ListFields fields = ListFields.NONE
                .with(new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), false, false))
                .with(new Field("points", "Points", FieldType.NUMBER, List.of(), false, false));
        MailingList existing = lists.findActive(list).orElseThrow();
        definitions.save(existing, fields, definitions.find(existing).etag());

        bring("email,birthday,points\neve@,31 February,many\n" + "bad,,\n".repeat(11));

        assertThat(browser.page().select("tbody tr")).hasSize(10);
        assertThat(browser.page().select("tbody tr").first().text())
                .startsWith("2 eve@ not an email address")
                .contains("Birthday must be a day and a month that exist", "Points must be a number");
        assertThat(browser.text())
                .contains("12 rows were refused. The first 10 are shown", "Correct them, then import the file");
    }

    /** The stored form of each option is longer than the typed one. */
    @Test
    void aRowThatFitsNoneOfManyLongOptionsIsStillShown() throws Exception {
        List<String> options = IntStream.range(0, Field.MAX_OPTIONS)
                .mapToObj(option -> "|".repeat(Field.MAX_OPTION - 2) + "%02d".formatted(option))
                .toList();
        ListFields fields = ListFields.NONE
                .with(new Field("one", "One", FieldType.CHOICE, options, false, false))
                .with(new Field("two", "Two", FieldType.CHOICE, options, false, false))
                .with(new Field("three", "Three", FieldType.CHOICE, options, false, false));
        MailingList existing = lists.findActive(list).orElseThrow();
        assertThat(definitions.save(existing, fields, definitions.find(existing).etag()))
                .isInstanceOf(FieldStore.FieldSaveResult.Done.class);

        bring("email,one,two,three\neve@example.org,x,x,x\n");

        assertThat(browser.page().select("tbody tr").text()).startsWith("2 eve@example.org One must be one of these");
    }

    @Test
    void theListIsChosenOnTheFormWhereNoneWasNamed() throws Exception {
        anotherList();

        assertThat(browser.open("/subscribers/import").page().select("select#list option"))
                .hasSizeGreaterThan(1);
        assertThat(browser.open("/imports").page().select("a[href=/subscribers/import]"))
                .isNotEmpty();
    }

    @Test
    void anImportWithoutOddRowsSpeaksOfNone() throws Exception {
        bring("email\nann@example.org\n");

        assertThat(browser.text()).doesNotContain("Repeated", "Their last row", "outside ASCII");
    }

    @Test
    void anAddedSubscriberWithSuchAnAddressIsNamedToo() throws Exception {
        add("ü@example.org", Map.of());

        assertThat(browser.text()).contains("The subscriber is added", "offer SMTPUTF8");
    }

    @Test
    void theEncodingThatWasFoundIsShownAndCanBeCorrected() throws Exception {
        bring("email,name\nann@example.org,Zo\u00eb\n", Charset.forName("windows-1252"), "");
        assertThat(browser.text()).contains("Windows-1252 (Western European) (detected)", "If names look wrong");

        bring("email,name\nann@example.org,\u017bak\n", Charset.forName("windows-1250"), "windows-1250");
        assertThat(browser.text()).contains("Windows-1250 (Central European) (chosen by hand)");
        assertThat(subscriber("ann@example.org").profile().name()).isEqualTo("\u017bak");
    }

    @Test
    void anExcelFileIsRefusedWithTheWayToSaveItAsCsv() throws Exception {
        browser.open("/subscribers/import?list=" + list)
                .submit("/subscribers/import", Map.of(), Map.of("file", new byte[] {'P', 'K', 3, 4, 20}));

        assertThat(browser.errorAt("file")).contains("This is an Excel file", "CSV UTF-8");
    }

    @Test
    void pastImportsOfAllListsAreFoundWithResultAndRefusedRows() throws Exception {
        bring("email\nann@example.org\nbad\n");
        time.advance(Duration.ofMinutes(1));
        ListName first = list;
        list = anotherList();
        bring("name\nAnn\n");

        browser.open("/imports");

        List<String> ours = browser.page().select("tbody tr").eachText().stream()
                .filter(row -> row.contains(" " + list.value() + " ") || row.contains(" " + first.value() + " "))
                .toList();
        assertThat(ours).hasSize(2);
        assertThat(ours.get(0)).contains(list.value(), "Failed");
        assertThat(ours.get(1)).contains(first.value(), "Completed");
        assertThat(browser.page().select("nav a[href=/imports][aria-current=page]"))
                .isNotEmpty();
        browser.open(browser.page()
                .select("tbody tr:contains( " + first.value() + " ) th a")
                .attr("href"));
        assertThat(browser.page()
                        .select("a:contains(Download the refused rows)")
                        .attr("href"))
                .endsWith("/refused");
    }

    @Test
    void aDoubleClickStartsOneImport() throws Exception {
        Map<String, byte[]> file = Map.of("file", "email\nann@example.org\n".getBytes(StandardCharsets.UTF_8));
        browser.open("/subscribers/import?list=" + list).submitTwice("/subscribers/import", Map.of(), file);

        assertThat(browser.text()).contains("Reading the file");
        assertThat(started()).hasSize(1);
    }

    @Test
    void theSameFormWithAnotherFileStartsAnotherImport() throws Exception {
        String once = browser.open("/subscribers/import?list=" + list)
                .page()
                .select("[name=_once]")
                .val();
        for (String email : List.of("ann@example.org", "bob@example.org")) {
            byte[] file = ("email\n" + email + "\n").getBytes(StandardCharsets.UTF_8);
            browser.open("/subscribers/import?list=" + list)
                    .submit("/subscribers/import", Map.of("_once", once), Map.of("file", file));
            assertThat(browser.text()).contains("Reading the file");
        }

        assertThat(started()).hasSize(2);
    }

    private List<SubscriberImport> started() {
        return imports.latest(Optional.empty(), 1000).items().stream()
                .filter(one -> one.list().equals(list))
                .toList();
    }

    private void bring(String file) throws Exception {
        bring(file, StandardCharsets.UTF_8, "");
    }

    private void bring(String file, Charset charset, String chosen) throws Exception {
        browser.open("/subscribers/import?list=" + list)
                .submit("/subscribers/import", Map.of("encoding", chosen), Map.of("file", file.getBytes(charset)));
        assertThat(browser.text()).contains("Reading the file");
        String page = browser.address();
        ImportId id = new ImportId(page.substring(page.lastIndexOf('/') + 1));
        InlineImports.run(beans, id);
        browser.open(page);
    }
}
