package org.azuremail.web.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimits;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.result.MockMvcResultMatchers;

/** Tests pages and calls while the settings name two transports. */
@PageTest
@TestPropertySource(
        properties = {
            "azuremail.mail.transports.relay.kind=smtp",
            "azuremail.mail.transports.relay.when-full=next",
            "azuremail.mail.transports.api.kind=sendgrid",
            "azuremail.mail.order=api,relay"
        })
@DirtiesContext
class SeveralTransportsTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    ListStore lists;

    @Autowired
    RateLimits limits;

    @Autowired
    org.azuremail.sending.TransportDirectory transports;

    @Autowired
    MockMvc mvc;

    private ListName list(String name, String transport) {
        Mailbox from = new Mailbox(new EmailAddress("news@example.org"), "News");
        ListName list = new ListName(name);
        MailingList news = MailingList.of(list, "News", from, OptIn.SINGLE, Instant.EPOCH);
        lists.create(Lists.with(news, "transport", transport));
        return list;
    }

    private void choose(ListName list, String transport) throws Exception {
        browser.submit("/lists/" + list + "/edit", new HashMap<>(Map.of("transport", transport)));
    }

    @Test
    void aListChoosesItsTransportAndLetsGoOfIt() throws Exception {
        ListName list = list("chooses", null);
        browser.signIn().open("/lists/chooses/edit");
        assertThat(browser.page().select("#transport option").eachText())
                .containsExactly("The usual order: api, relay", "api", "relay");

        choose(list, "relay");

        assertThat(lists.find(list).orElseThrow().value().transport()).isEqualTo("relay");
        assertThat(browser.text()).contains("Transport relay");
        browser.open("/lists/chooses/edit");
        choose(list, "");
        assertThat(lists.find(list).orElseThrow().value().transport()).isNull();
    }

    @Test
    void aTransportThatTheSettingsDoNotNameIsShownAndNotSavedAgain() throws Exception {
        ListName list = list("stale", "gone");
        assertThat(browser.signIn().open("/lists/stale").text()).contains("gone (not in the settings)");

        browser.open("/lists/stale/edit");
        choose(list, "gone");

        assertThat(browser.errorAt("transport"))
                .isEqualTo("The settings have no transport gone. Choose one of these: api, relay.");
    }

    @Test
    void aCallNamesATransportThatThereIs() throws Exception {
        create("viaapi", "relay")
                .andExpect(MockMvcResultMatchers.jsonPath("$.transport").value("relay"));
        create("wrong", "pigeon")
                .andExpect(MockMvcResultMatchers.status().isBadRequest())
                .andExpect(MockMvcResultMatchers.jsonPath("$.errors[0].field").value("transport"));
    }

    private org.springframework.test.web.servlet.ResultActions create(String name, String transport) throws Exception {
        return mvc.perform(MockMvcRequestBuilders.post("/api/v1/lists")
                .header("Authorization", "Bearer " + PageTestConfiguration.API_KEY)
                .contentType(MediaType.APPLICATION_JSON)
                .content("""
                        {"name": "%s", "fromEmail": "news@example.org", "transport": "%s"}
                        """.formatted(name, transport)));
    }

    @Test
    void eachTransportHasLimitsOfItsOwn() throws Exception {
        assertThat(browser.signIn().open("/settings").text())
                .contains("Emails are sent by api. If it cannot send, these take over in this order: relay.");

        browser.open("/settings/transports/relay")
                .submit("/settings/transports/relay/limits", Map.of("second", "7", "day", "500"));
        assertThat(browser.text()).contains("set in configuration files");

        assertThat(limits.of("relay").limits()).isEqualTo(new Limits(7, 0, 0, 500));
        assertThat(limits.of("api").limits()).isEqualTo(Limits.NONE);
        assertThat(browser.open("/settings/transports/pigeon").status()).isEqualTo(404);
    }

    @Test
    void anAdminChangesTheOrderOfTheSettings() throws Exception {
        browser.signIn().open("/settings");
        String up = browser.page()
                .select("form:has([value=relay]):has([value=UP]) button")
                .text();
        assertThat(up).isEqualTo("Move up");
        browser.postForged(
                "/settings/order",
                Map.of(
                        "name", "relay",
                        "move", "UP",
                        "before", "api relay",
                        "_csrf", browser.page().select("[name=_csrf]").first().val()));
        assertThat(browser.open("/settings").text()).contains("Emails are sent by relay.");
        transports.reorder(transports.refresh().order(), java.util.List.of("api", "relay"));
    }
}
