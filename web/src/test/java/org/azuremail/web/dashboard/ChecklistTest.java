package org.azuremail.web.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.list.ListStore;
import org.azuremail.message.Outcome;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** Tests the first steps of an installation, so each test has its own installation. */
@PageTest
@TestPropertySource(properties = "azuremail.test.installation=checklist")
@DirtiesContext(classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
class ChecklistTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    EndedMessage made;

    private static List<String> done(TestBrowser browser) throws Exception {
        return browser.page()
                .select("#checklist li.done > div > span > span:first-child")
                .eachText();
    }

    @Test
    void aNewcomerSeesFourStepsThatTickThemselvesOffUntilAnAdminHidesThemForEverybody() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/");
        assertThat(browser.page().select("#checklist li a").eachText())
                .containsExactly(
                        "Create a list",
                        "Add or import subscribers",
                        "Set up a mail server",
                        "Send your first message");

        made.completed("first", Map.of("a@first.test", Outcome.FAILED));
        assertThat(done(browser.open("/"))).containsExactly("Create a list");

        made.completed("second", Map.of("a@second.test", Outcome.SENT));
        assertThat(done(browser.open("/"))).containsExactly("Create a list", "Send your first message");

        browser.submit("/dashboard/hide-checklist", Map.of());
        assertThat(browser.text()).contains("The checklist is hidden");
        assertThat(browsers.getObject().signIn().open("/").page().select("#checklist"))
                .isEmpty();
    }

    @Test
    void theSamplesCanBeLoadedFromHere() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/");

        browser.submit("/lists/samples", Map.of());

        assertThat(done(browser.open("/"))).containsExactly("Create a list", "Add or import subscribers");
    }
}
