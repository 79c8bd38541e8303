package org.azuremail.web.general;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

@PageTest
@TestPropertySource(
        properties = {
            "azuremail.zone=Europe/Berlin",
            "azuremail.public-url=https://lists.example.org",
            "azuremail.subscription.confirmation-link=12d"
        })
@DirtiesContext
class GeneralPagesTest {

    @Autowired
    TestBrowser browser;

    @Test
    void theInstallationIsShownWithItsExplainedSettings() throws Exception {
        browser.signIn().open("/");
        browser.open(browser.page().select(".side a:contains(General)").attr("href"));

        assertThat(browser.page().select(".side a[aria-current=page]").text()).isEqualTo("General");
        assertThat(browser.page().select("#installation").text())
                .contains("https://lists.example.org", "Europe/Berlin", "Embedded", "outbox");
        Element confirmation = row("azuremail.subscription.confirmation-link");
        assertThat(confirmation.text()).contains("double opt-in", "12d").doesNotContain("Default");
        assertThat(row("azuremail.outbox.keep").text()).contains("How long the outbox keeps emails.", "30d", "Default");
        assertThat(row("azuremail.message.max-body").text()).contains("5MB");
        assertThat(row("azuremail.archive.keep").text()).contains("not set", "kept permanently");
        assertThat(browser.text()).contains("Documentation: docs/mail.md");
    }

    @Test
    void everySettingIsThereOnceAndTheGroupsExplainTheirs() throws Exception {
        browser.signIn().open("/settings/general");

        assertThat(browser.page().select("tbody code").eachText()).doesNotHaveDuplicates();
        assertThat(browser.page().select("section tbody tr").size()).isGreaterThan(30);
        assertThat(browser.page().select("section tbody tr:not(:has(.about))").eachText())
                .isEmpty();
        assertThat(browser.page().select("#others tbody tr").size()).isGreaterThan(30);
    }

    @Test
    void whatIsSetNeedsNoWarning() throws Exception {
        browser.signIn().open("/settings/general");

        assertThat(browser.page().select("#link-problem, #no-zone")).isEmpty();
    }

    private Element row(String setting) throws Exception {
        return browser.page()
                .select("tbody tr:has(code:matchesOwn(^" + setting + "$))")
                .first();
    }
}
