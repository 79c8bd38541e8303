package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.operations.Operations;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.json.JsonMapper;

/** Tests the pages with the configuration and the costs of an installation, with secrets among the settings. */
@PageTest
@TestPropertySource(
        properties = {
            "azuremail.mail.transports.spare.smtp.password=hunter2",
            "azuremail.mail.transports.spare.smtp.host=mx:hunter2@smtp.example.org",
            "azuremail.watchers.PROXY_URL=https://hunter2:hunter2@proxy.example.org/?token=hunter2",
            "AZUREMAIL_SECRETS_OLD_KEYS_0=hunter2hunter2hunter2hunter2",
            "azuremail.work.max-idle=7s",
            "azuremail.operations.price-per-thousand-emails=1"
        })
@DirtiesContext
class ConsolePagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    MockMvc mvc;

    @Autowired
    ManualTime time;

    @Autowired
    Storage storage;

    @Autowired
    ObjectProvider<InstanceFacts> facts;

    @Test
    void theConfigurationOfEachProcessIsShownWithoutItsSecrets() throws Exception {
        String here = new JsonMapper()
                .writeValueAsString(facts.orderedStream()
                        .map(InstanceFacts::facts)
                        .filter(some -> some.keySet().stream().allMatch(name -> name.startsWith("set/")))
                        .filter(some -> !some.isEmpty())
                        .toList());
        assertThat(here).hasSizeBetween(3_000, 12_000).doesNotContain("hunter2");
        Map<String, String> said = Map.of("set/azuremail.work.max-idle", "20s", "set/azuremail.zone", "UTC");
        Instances other = new Instances(storage, time, IdSource.secure()::token, () -> Stream.of(() -> said));
        other.register(new Instances.Registration("mill", Set.of("sender"), Set.of(), Set.of(), ""));
        other.heartbeat();

        browser.signIn().open("/operations");
        browser.open(browser.page().select("main a:contains(General settings)").attr("href"));

        assertThat(browser.body()).doesNotContain("hunter2");
        assertThat(row("azuremail.mail.transports.spare.smtp.password")).contains("******");
        assertThat(row("azuremail.work.max-idle")).contains("7s ", "20s mill (sender)");
        assertThat(row("azuremail.work.safety-poll")).as("a default").endsWith("15m Default");
        assertThat(browser.page().select("tbody tr")).hasSizeGreaterThan(60);
        assertThat(browser.page().select("#link-problem").text()).contains("localhost", "azuremail.public-url");
        assertThat(browser.page().select("#no-zone").text()).contains("azuremail.zone");
        browser.open("/operations/configuration?differing=true");
        assertThat(browser.address()).isEqualTo("/settings/general?differing=true");
        assertThat(browser.page().select("tbody tr")).hasSize(1);

        String json = mvc.perform(
                        get("/api/v1/configuration").header("Authorization", "Bearer " + PageTestConfiguration.API_KEY))
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.items[?(@.name == 'azuremail.work.max-idle')].values[0].value")
                        .exists())
                .andReturn()
                .getResponse()
                .getContentAsString();
        assertThat(json).doesNotContain("hunter2");
        assertThat(storageOfFacts()).doesNotContain("hunter2");
        mvc.perform(get("/api/v1/configuration")).andExpect(status().isUnauthorized());
        other.deregister();
    }

    /** Returns the stored facts about processes. */
    private String storageOfFacts() {
        return new org.azuremail.storage.Table(storage.tables(), "work")
                .first(org.azuremail.storage.KeyRange.partition("instance"), 100, null)
                .items()
                .toString();
    }

    @Test
    void q2_theCostOfAMonthSaysHowEachFigureIsKnown() throws Exception {
        Instances mill = new Instances(storage, time, IdSource.secure()::token, Stream::empty);
        mill.register(new Instances.Registration("mill", Set.of("sender"), Set.of(), Set.of(), ""));
        mill.heartbeat();
        time.advance(Operations.CACHE_TTL);

        browser.signIn().open("/operations/costs");
        assertThat(browser.page().select("#cost-instances").text()).contains("Measured", "0.02 USD an hour");
        assertThat(browser.page().select("#cost-total").text()).contains("USD");
        assertThat(browser.page().select("#polling").text()).contains("259,200", "0.26 USD", "25.92");

        browser.open("/operations/costs?instances=4&gigabytes=25&monthlyEmails=26,000&monthlyCalls=1000000");
        assertThat(browser.page().select("#cost-instances").text()).contains("Entered", "57.60 USD");
        assertThat(browser.page().select("#cost-emails").text()).contains("26,000", "1.00 USD");
        assertThat(browser.page().select("#cost-total").text()).contains("61.03 USD");

        browser.open("/operations/costs?instances=-1&gigabytes=2.5555&monthlyEmails=many&monthlyCalls=1e9");
        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.page().select(".summary a")).hasSize(4);

        mvc.perform(get("/api/v1/costs").header("Authorization", "Bearer " + PageTestConfiguration.API_KEY))
                .andExpect(jsonPath("$.lines[0].item").value("instances"))
                .andExpect(jsonPath("$.lines[0].basis").value("measured"))
                .andExpect(jsonPath("$.currency").value("USD"));
        mill.deregister();
    }

    private String row(String setting) throws Exception {
        return browser.page()
                .select("tbody tr:has(code:containsOwn(" + setting + "))")
                .text();
    }
}
