package org.azuremail.web.sending;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimits;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.Mailbox;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.transport.smtp.ScriptedSmtpServer;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;

/** Settings › Sending. */
@PageTest
class SendingPagesTest {

    private static final String SECRET = "tr0ub4dor&3-hidden";

    @Autowired
    TestBrowser browser;

    @Autowired
    RateLimits limits;

    @Autowired
    TransportDirectory transports;

    @Autowired
    ListStore lists;

    @Autowired
    Storage storage;

    @Autowired
    SimulatedStorage simulated;

    @Autowired
    TransportChanges changes;

    @Autowired
    EndedMessage messages;

    @Autowired
    ManualTime time;

    @AfterEach
    void asItWas() {
        transports.reorder(transports.refresh().order(), List.of());
        transports.refresh().added().forEach((name, one) -> transports.remove(name, one.etag()));
        limits.of("outbox").change(Limits.NONE);
    }

    private void add(String name, String host, int port) throws Exception {
        browser.open("/settings/new?preset=own-server")
                .submit(
                        "/settings/new",
                        Map.of(
                                "name", name,
                                "set.host", host,
                                "set.port", String.valueOf(port),
                                "set.username", "ann",
                                "set.password", SECRET));
    }

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

    /** The process sleeps at any call, while somebody adds a transport of the same name and limits it. */
    @Test
    void theLimitsOfATransportThatComesAfterARemovedOneStay() {
        Limits chosen = new Limits(0, 5, 0, 0);
        TransportChanges.Wanted wanted = new TransportChanges.Wanted("again", "outbox", Map.of(), WhenFull.WAIT);
        boolean reached = true;
        for (int call = 1; reached; call++) {
            changes.add(wanted, Limits.perSecond(10), "ann@example.org");
            int[] calls = {0};
            int at = call;
            Thread sleeper = Thread.currentThread();
            simulated.hook(new CallHook() {
                private boolean inside;

                @Override
                public void before(Call next) {
                    if (Thread.currentThread() == sleeper && !inside) {
                        inside = true;
                        if (transports.refresh().added().isEmpty() && ++calls[0] == at) {
                            changes.add(wanted, Limits.perSecond(10), "bob@example.org");
                            limits.of("again").change(chosen);
                        }
                        inside = false;
                    }
                }
            });
            changes.remove("again", transports.refresh().added().get("again").etag(), "ann@example.org");
            simulated.hook(CallHook.NONE);
            reached = calls[0] >= at;
            if (reached) {
                assertThat(limits.of("again").limits()).as("at call " + call).isEqualTo(chosen);
                changes.remove(
                        "again", transports.refresh().added().get("again").etag(), "ann@example.org");
            }
        }
    }

    /** Whatever is saved while the page of a conflict is made: its next save overwrites only what it shows. */
    @Test
    void aConflictShowsWhatTheNextSaveOverwrites() throws Exception {
        browser.signIn();
        add("relay", "smtp.example.org", 2525);
        boolean reached = true;
        for (int call = 1; reached; call++) {
            browser.open("/settings/transports/relay/edit");
            save("first" + call + ".example.org");
            String last = "last" + call + ".example.org";
            int[] calls = {0};
            int at = call;
            Thread sleeper = Thread.currentThread();
            simulated.hook(new CallHook() {
                @Override
                public void before(Call next) {
                    if (Thread.currentThread() == sleeper && next.place().equals("work") && ++calls[0] == at) {
                        save(last);
                    }
                }
            });
            browser.submit("/settings/transports/relay/edit", Map.of("set.host", "mine.example.org"));
            simulated.hook(CallHook.NONE);
            reached = calls[0] >= at;
            boolean wins = browser.page()
                    .select("[name=etag]")
                    .val()
                    .equals(transports.refresh().added().get("relay").etag());
            assertThat(wins && reached && !browser.text().contains(last))
                    .as("overwrites what it does not show, at call " + call)
                    .isFalse();
        }
    }

    private void save(String host) {
        Map<String, String> settings = Map.of("host", host, "port", "2525", "username", "ann");
        changes.change(
                new TransportChanges.Wanted("relay", "smtp", settings, WhenFull.WAIT),
                transports.refresh().added().get("relay").etag(),
                "bob@example.org");
    }

    /** One of two admins who add a transport of the same name sleeps at any call. */
    @Test
    void theLimitsOfATransportThatSomebodyElseAddsMeanwhileStay() {
        Limits chosen = new Limits(0, 5, 0, 0);
        TransportChanges.Wanted wanted = new TransportChanges.Wanted("twice", "outbox", Map.of(), WhenFull.WAIT);
        boolean reached = true;
        for (int call = 1; reached; call++) {
            int[] calls = {0};
            int at = call;
            Thread sleeper = Thread.currentThread();
            simulated.hook(new CallHook() {
                @Override
                public void before(Call next) {
                    if (Thread.currentThread() == sleeper && ++calls[0] == at) {
                        changes.add(wanted, Limits.perSecond(10), "bob@example.org");
                        limits.of("twice").change(chosen);
                    }
                }
            });
            changes.add(wanted, Limits.perSecond(10), "ann@example.org");
            simulated.hook(CallHook.NONE);
            reached = calls[0] >= at;
            assertThat(limits.of("twice").limits())
                    .as("at call " + call)
                    .isEqualTo(reached ? chosen : Limits.perSecond(10));
            changes.remove("twice", transports.refresh().added().get("twice").etag(), "ann@example.org");
        }
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

    private void assertHidden(String where) throws Exception {
        assertThat(browser.body()).as(where).doesNotContain(SECRET, "tr0ub4dor&amp;3", "v1.");
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
    void ofTwoAdminsWhoChangeTheSameTransportTheSecondSeesWhatTheFirstSaved() throws Exception {
        browser.signIn();
        add("relay", "smtp.example.org", 2525);
        browser.open("/settings/transports/relay/edit");
        org.azuremail.storage.Versioned<org.azuremail.sending.StoredTransport> read =
                transports.refresh().added().get("relay");
        Map<String, String> other = new HashMap<>(read.value().settings());
        other.put("host", "first.example.org");
        transports.save(
                new org.azuremail.sending.StoredTransport(
                        "relay",
                        "smtp",
                        other,
                        read.value().secrets(),
                        read.value().whenFull(),
                        Instant.EPOCH,
                        "bob"),
                read.etag());

        browser.submit("/settings/transports/relay/edit", Map.of("set.host", "second.example.org"));
        assertThat(browser.text()).contains("modified by another user", "Current value: first.example.org");
        assertThat(browser.page().getElementById("set.host").val()).isEqualTo("second.example.org");
        browser.submit("/settings/transports/relay/edit", Map.of());
        assertThat(transports.refresh().added().get("relay").value().settings())
                .containsEntry("host", "second.example.org");
    }

    @Test
    void aTestShowsTheConversationWithoutThePassword() throws Exception {
        try (ScriptedSmtpServer server = new ScriptedSmtpServer()) {
            browser.signIn();
            add("relay", "localhost", server.port());
            browser.submit(
                    "/settings/transports/relay/test", Map.of("to", "ann@example.org", "from", "news@example.org"));

            assertThat(browser.page().getElementById("result").text())
                    .contains("Accepted", "MAIL FROM:<news@example.org>", "RCPT TO:<ann@example.org>", "354", "250");
            assertHidden("conversation");
            assertThat(browser.text()).contains("Test email accepted");
        }
    }

    @Test
    void aTestOfAServerThatDoesNotListenSaysSo() throws Exception {
        int port;
        try (ScriptedSmtpServer server = new ScriptedSmtpServer()) {
            port = server.port();
        }
        browser.signIn();
        add("relay", "localhost", port);
        browser.submit("/settings/transports/relay/test", Map.of("to", "ann@example.org", "from", "news@example.org"));
        assertThat(browser.page().getElementById("result").text()).contains("Not sent", "Broken off");
        assertThat(browser.text()).contains("Test email not accepted");
        assertThat(browser.open("/settings/transports/relay/test")
                        .page()
                        .select("h1")
                        .text())
                .as("the answer is loaded again")
                .isEqualTo("relay");

        browser.submit("/settings/transports/relay/test", Map.of("to", "nobody", "from", ""));
        assertThat(browser.errorAt("to")).contains("in the form name@example.org");
        assertThat(browser.errorAt("from")).contains("in the form name@example.org");
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

    @Test
    void theOutboxThatNobodySetIsBuiltInAndCannotBeEdited() throws Exception {
        browser.signIn().open("/settings/transports/outbox");
        assertThat(browser.text()).contains("It is used until you add a transport.");
        assertThat(browser.page().select("a:contains(Edit)")).isEmpty();
        assertThat(browser.open("/settings/transports/outbox/edit").status()).isEqualTo(404);
    }

    @Test
    void limitsAreShownAndChangedForAllSenders() throws Exception {
        browser.signIn().open("/settings/transports/outbox");
        browser.submit(
                "/settings/transports/outbox/limits",
                Map.of("second", "25", "minute", "", "hour", "2000", "day", "40000"));

        assertThat(browser.text()).contains("The limits are saved", "Limits changed");
        assertThat(browser.open("/settings").text())
                .contains("25 a second", "2,000 an hour", "40,000 a day")
                .doesNotContain("a minute");
        assertThat(limits.of("outbox").limits()).isEqualTo(new Limits(25, 0, 2_000, 40_000));
    }

    @Test
    void twoAdminsDoNotReplaceEachOthersLimitsUnseen() throws Exception {
        browser.signIn().open("/settings/transports/outbox");
        limits.of("outbox").change(new Limits(5, 0, 0, 1_000));

        browser.submit("/settings/transports/outbox/limits", Map.of("second", "25", "hour", "2000"));

        assertThat(browser.text()).contains("was modified by another user after you opened it");
        assertThat(browser.errorAt("day")).contains("1000");
        assertThat(limits.of("outbox").limits()).isEqualTo(new Limits(5, 0, 0, 1_000));

        browser.submit("/settings/transports/outbox/limits", Map.of("second", "25", "hour", "2000"));

        assertThat(browser.text()).contains("The limits are saved");
        assertThat(limits.of("outbox").limits()).isEqualTo(new Limits(25, 0, 2_000, 0));
    }

    @Test
    void emailsThatWaitForALimitGoOnWhenItIsChanged() throws Exception {
        BooleanSupplier waits = messages.waiting(
                "daily", time.instant().plus(Duration.ofHours(20)), "the limit of outbox is reached: 10 mails a day");
        assertThat(waits.getAsBoolean()).isTrue();

        browser.signIn()
                .open("/settings/transports/outbox")
                .submit("/settings/transports/outbox/limits", Map.of("day", "40000"));

        assertThat(waits.getAsBoolean()).isFalse();
    }

    @Test
    void textsThatAreNoNumberAreRefusedAtTheField() throws Exception {
        browser.signIn().open("/settings/transports/outbox");
        for (String typed : new String[] {"-1", "1.5", "many", "100000001"}) {
            for (String field : new String[] {"second", "minute", "hour", "day"}) {
                Map<String, String> values = new HashMap<>(Map.of("second", "", "minute", "", "hour", "", "day", "7"));
                values.put(field, typed);
                browser.submit("/settings/transports/outbox/limits", values);
                assertThat(browser.errorAt(field)).as(typed).contains("whole number");
            }
        }
        assertThat(limits.of("outbox").limits()).isEqualTo(Limits.NONE);
    }
}
