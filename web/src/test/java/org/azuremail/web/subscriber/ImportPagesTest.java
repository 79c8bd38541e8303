package org.azuremail.web.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.azuremail.subscription.transfer.ImportFeature;
import org.azuremail.subscription.transfer.ImportId;
import org.azuremail.subscription.transfer.ImportItem;
import org.azuremail.work.run.Delivery;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What the page of an import says at its end. */
class ImportPagesTest extends OnSubscriberPages {

    @Autowired
    ImportFeature imports;

    @Test
    void aFileThatCannotBeReadSaysSoOnceAndOffersAnother() throws Exception {
        bring("email,name\nann@example.org,\"Ann\n");

        assertThat(browser.text())
                .contains("Nothing was imported: A quote that opens in line 2 is never closed.")
                .doesNotContain("Looking through the file", "Nothing more");
        browser.open(browser.page().select("a:contains(Choose another file)").attr("href"));
        assertThat(browser.page().select("form[action=/subscribers/import]")).hasSize(1);
    }

    @Test
    void whoStandsTwiceAndWhomSmtpDoesNotTakeIsSaid() throws Exception {
        bring("email,name\nü@example.org,U\nann@example.org,Ann\nANN@example.org,Anna\nx@example.org,X,Y\n");

        assertThat(browser.page().select(".tile b").eachText()).containsExactly("2", "0", "1", "1");
        assertThat(browser.page().select(".tile span").eachText())
                .containsExactly("New subscribers", "Known and updated", "Again in the file", "Refused");
        assertThat(browser.text())
                .contains("the last row counts", "One address has letters outside ASCII")
                .doesNotContain("Choose another file");
        assertThat(subscriber("ann@example.org").profile().name()).isEqualTo("Anna");
    }

    @Test
    void anImportWithoutOddRowsSpeaksOfNone() throws Exception {
        bring("email\nann@example.org\n");

        assertThat(browser.text()).doesNotContain("Again in the file", "the last row counts", "outside ASCII");
    }

    @Test
    void whoIsAddedWithSuchAnAddressIsNamedToo() throws Exception {
        add("ü@example.org", Map.of());

        assertThat(browser.text()).contains("The subscriber is added", "offer SMTPUTF8");
    }

    private void bring(String file) throws Exception {
        browser.open("/subscribers/import?list=" + list)
                .submit("/subscribers/import", Map.of(), Map.of("file", file.getBytes(StandardCharsets.UTF_8)));
        assertThat(browser.text()).contains("Looking through the file");
        String page = browser.address();
        ImportId id = new ImportId(page.substring(page.lastIndexOf('/') + 1));
        imports.service().handle(new ImportItem(id), new Delivery() {
            @Override
            public String itemId() {
                return id.value();
            }

            @Override
            public int dequeueCount() {
                return 1;
            }

            @Override
            public boolean stopping() {
                return false;
            }
        });
        browser.open(page);
    }
}
