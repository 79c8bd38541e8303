package org.azuremail.web.sending;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.azuremail.limit.Limits;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks that transports are added, edited and removed under Settings › Sending. */
class TransportPagesTest extends OnTransports {

    @Autowired
    ListStore lists;

    @Autowired
    Storage storage;

    @Test
    void anAddedTransportIsTestedThenUsed() throws Exception {
        assertThat(browser.signIn().open("/settings").text()).contains("Emails are kept in the outbox and not sent.");
        browser.open("/settings/new");
        assertThat(browser.page().select(".providers a").eachText())
                .containsExactly(
                        "Your own SMTP server",
                        "SendGrid",
                        "Amazon SES",
                        "Mailgun",
                        "Postmark",
                        "Google Workspace",
                        "Microsoft 365",
                        "Outbox");
        add("relay", "smtp.example.org", 2525);

        assertThat(browser.address()).isEqualTo("/settings/transports/relay");
        assertThat(browser.text()).contains("relay is added", "Only for lists that choose it", "smtp.example.org");
        assertThat(transports.order()).containsExactly("outbox");
        assertThat(limits.of("relay").limits()).isEqualTo(Limits.perSecond(10));

        browser.submit("/settings/order", Map.of());
        assertThat(browser.text()).contains("Emails are now sent by relay.", "Emails are sent by relay.");
        assertThat(transports.order()).containsExactly("relay");
    }

    @Test
    void aPresetFillsInWhatItsProviderNeeds() throws Exception {
        browser.signIn().open("/settings/new?preset=microsoft");
        assertThat(browser.page().getElementById("set.host").val()).isEqualTo("smtp.office365.com");
        assertThat(browser.page().select("[id=set.starttls] [selected]").val()).isEqualTo("on");
        browser.submit("/settings/new", Map.of("set.username", "ann@example.org", "set.password", SECRET));

        assertThat(browser.text()).contains("microsoft is added");
        assertThat(limits.of("microsoft").limits()).isEqualTo(new Limits(0, 30, 0, 10_000));
        assertThat(browser.open("/settings/new?preset=pigeon").status()).isEqualTo(404);
    }

    @Test
    void aSettingWithAControlCharacterIsRefused() throws Exception {
        browser.signIn();
        add("relay", "smtp.\u0007example.org", 2525);

        assertThat(browser.errorAt("set.host")).contains("has a value that is not allowed.");
        assertThat(transports.refresh().added()).isEmpty();
    }

    @Test
    void everythingThatIsWrongIsSaidAtItsField() throws Exception {
        browser.signIn().open("/settings/new?preset=own-server");
        browser.submit(
                "/settings/new",
                Map.of("name", "Not A Name", "set.host", "", "set.port", "70000", "set.connections", "x"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("name")).contains("small letters");
        assertThat(browser.page().select(".summary a")).isNotEmpty();
        browser.submit(
                "/settings/new", Map.of("name", "outbox", "set.host", "", "set.connections", "10", "set.port", "25"));
        assertThat(browser.errorAt("name")).contains("already exists");
        assertThat(browser.errorAt("set.host")).isEqualTo("Enter a value for Host.");
    }

    @Test
    void aSecretIsNeverShownStoredInClearLoggedOrLost() throws Exception {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(logged);
        try {
            browser.signIn();
            add("relay", "smtp.example.org", 0);
            assertHidden("refused form");
            assertThat(browser.status()).isEqualTo(422);
            add("relay", "smtp.example.org", 2525);
            for (String page : new String[] {"", "/edit", "/remove"}) {
                browser.open("/settings/transports/relay" + page);
                assertHidden(page);
            }
            browser.open("/settings/transports/relay/edit");
            assertThat(browser.text()).contains("Saved. Leave empty to keep it.");
            String before = stored("Secret_password");
            browser.submit("/settings/transports/relay/edit", Map.of("set.host", "other.example.org"));
            assertThat(browser.text()).contains("The settings of relay are saved.", "other.example.org");
            assertThat(stored("Secret_password")).as("kept").isEqualTo(before);
        } finally {
            root.detachAppender(logged);
        }
        assertThat(logged.list).noneMatch(event -> event.getFormattedMessage().contains(SECRET));
        assertThat(new Table(storage.tables(), "work").stream(KeyRange.everything()))
                .isNotEmpty()
                .allSatisfy(
                        row -> assertThat(row.values().toString() + row.values().asMap())
                                .doesNotContain(SECRET, Base64.getEncoder().encodeToString(SECRET.getBytes())));
    }

    private String stored(String property) {
        return new Table(storage.tables(), "work")
                .get("transport", "name:relay")
                .orElseThrow()
                .values()
                .requireString(property);
    }

    @Test
    void aTransportThatListsChooseIsRemovedOnlyAfterAsking() throws Exception {
        browser.signIn();
        add("relay", "smtp.example.org", 2525);
        Mailbox from = new Mailbox(new EmailAddress("news@example.org"), "");
        MailingList chooser = MailingList.of(new ListName("chooser"), "News", from, OptIn.SINGLE, Instant.EPOCH);
        lists.create(Lists.with(chooser, "transport", "relay"));
        browser.open("/settings/transports/relay/remove");
        assertThat(browser.text()).contains("Remove relay?", "One list chooses this transport", "chooser");
        assertThat(transports.refresh().names()).contains("relay");

        browser.submit("/settings/transports/relay/remove", Map.of());
        assertThat(browser.text()).contains("relay is removed");
        assertThat(transports.refresh().names()).containsExactly("outbox");
        assertThat(browser.open("/settings/transports/relay").status()).isEqualTo(404);
    }
}
