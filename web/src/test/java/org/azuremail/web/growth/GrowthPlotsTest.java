package org.azuremail.web.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.Growth;
import org.azuremail.subscription.SampleLists;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** Checks the plots of growth: of all lists on the dashboard, and of a list on its page. */
@PageTest
@TestPropertySource(properties = "azuremail.test.installation=growth")
@DirtiesContext
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GrowthPlotsTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    SampleLists samples;

    @Autowired
    GrowthPlots plots;

    @Autowired
    Growth growth;

    @Autowired
    PersonDirectory directory;

    @Autowired
    SimulatedStorage simulated;

    @Autowired
    ManualTime time;

    private void countDaily(int days) throws Exception {
        for (int day = 0; day < days; day++) {
            time.advance(Duration.ofDays(1));
            growth.service().run();
        }
    }

    @Test
    @Order(1)
    void growthIsDrawnOfAllListsAndOfOneForNinetyDaysOrAYear() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/");
        assertThat(browser.page().select("#growth")).isEmpty();
        samples.load(Origin.admin("ann@example.org"));
        assertThat(browser.open("/lists/contoso1").page().select("#growth")).isEmpty();

        countDaily(3);

        browser = browsers.getObject().signIn().open("/");
        assertThat(browser.page().select("#growth tbody td").eachText())
                .hasSize(3)
                .doesNotContain("0");
        assertThat(browser.page().select("#growth a[aria-current]").text()).isEqualTo("90 days");
        assertThat(browser.page().select("#growth").text())
                .contains(" people subscribed and 5 people left in this time");
        browser.open(browser.page().select("#growth a:contains(12 months)").attr("href"));
        assertThat(browser.page().select("#growth a[aria-current]").text()).isEqualTo("12 months");
        assertThat(browser.open("/lists/contoso1")
                        .page()
                        .select("#growth tbody td")
                        .eachText())
                .hasSize(4)
                .doesNotContain("0");
    }

    @Test
    @Order(2)
    void aYearIsDrawnWithAPointAWeekAndTakesTwoReads() throws Exception {
        samples.load(Origin.admin("ann@example.org"));
        countDaily(380);
        directory.close();
        var list = lists.find(new ListName("fabrikam1")).orElseThrow().value();
        long before = simulated.calls();

        assertThat(plots.of(list, 7, "year").orElseThrow().plot().points())
                .hasSize(53)
                .last()
                .extracting(point -> point.value())
                .isEqualTo(7L);
        assertThat(simulated.calls() - before).isEqualTo(2);
        assertThat(plots.of(list, 7, null).orElseThrow().plot().points()).hasSize(91);
    }
}
