package org.azuremail.web.sending;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.azuremail.limit.Limits;
import org.azuremail.time.ManualTime;
import org.azuremail.transport.smtp.ScriptedSmtpServer;
import org.azuremail.web.EndedMessage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the limits and test emails under Settings › Sending. */
class SendingPagesTest extends OnTransports {

    @Autowired
    EndedMessage messages;

    @Autowired
    ManualTime time;

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
    void limitsAreTypedInTheDigitsOfTheBrowsersLanguage() throws Exception {
        browser.signIn().inLanguage(Locale.forLanguageTag("ar-EG")).open("/settings/transports/outbox");
        browser.submit("/settings/transports/outbox/limits", Map.of("second", "٢٥", "hour", "٢٬٠٠٠"));

        assertThat(limits.of("outbox").limits()).isEqualTo(new Limits(25, 0, 2_000, 0));
        assertThat(browser.open("/settings").text()).contains("٢٥ a second", "٢٬٠٠٠ an hour");
        browser.inLanguage(Locale.ENGLISH);
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
}
