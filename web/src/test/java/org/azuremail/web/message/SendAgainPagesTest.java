package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.delivery.MessageControl;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the pages that show which recipients a message missed, send it to them, or mark them as Sent. */
@PageTest
class SendAgainPagesTest {

    private static final Map<String, Outcome> OUTCOMES = Map.of(
            "ann@example.org", Outcome.SENT,
            "bob@example.org", Outcome.FAILED,
            "cleo@example.org", Outcome.UNKNOWN,
            "dan@example.org", Outcome.UNKNOWN,
            "eve@example.org", Outcome.SKIPPED);

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    EndedMessage ended;

    @Autowired
    Messages messages;

    @Autowired
    MessageControl control;

    private TestBrowser browser;

    @BeforeEach
    void signedIn() throws Exception {
        browser = browsers.getObject().signIn();
    }

    @Test
    void recipientsAreShownByOutcomeAndTheTilesLeadThere() throws Exception {
        Message message = ended.completed("by_outcome", OUTCOMES);

        assertThat(browser.open(path(message)).page().select(".legend li").eachText())
                .containsExactly("Sent 1", "Failed 1", "Unknown 2", "Skipped 1", "Waiting 0");
        assertThat(shown(message, "")).hasSize(5);
        assertThat(shown(message, "Failed")).containsExactly("bob@example.org");
        assertThat(shown(message, "unknown")).containsExactly("cleo@example.org", "dan@example.org");
        assertThat(shown(message, "waiting")).isEmpty();
        assertThat(browser.text()).contains("No recipient has this outcome");
    }

    @Test
    void oneAddressIsSearchedFor() throws Exception {
        Message message = ended.completed("one_address", OUTCOMES);

        assertThat(browser.open(path(message) + "/recipients?email=bob@example.org")
                        .text())
                .contains("Not sent: FAILED reason");
        assertThat(browser.open(path(message) + "/recipients?email=nobody@example.org")
                        .text())
                .contains("Not a recipient", "This address was not among the recipients when they were counted");
        assertThat(browser.open(path(message) + "/recipients?email=nonsense").text())
                .contains("Enter a whole email address");
    }

    @Test
    void aRecipientThatAnOlderVersionStoredByIdna2003IsFoundAndDecidedAbout() throws Exception {
        Message message = ended.completed("old_idna", Map.of("eva@strasse.test", Outcome.UNKNOWN));

        assertThat(browser.open(path(message) + "/recipients?email=eva@stra\u00dfe.test")
                        .text())
                .contains("eva@strasse.test", "It is not known whether the provider accepted the email");
        browser.open(path(message) + "/unknown?email=eva@stra\u00dfe.test");
        browser.submit(path(message) + "/unknown/sent", Map.of());
        assertThat(outcome(message, "eva@strasse.test")).isEqualTo("Sent");
    }

    @Test
    void anUnknownRecipientIsMarkedAsSentAloneAndThenTheOthersTogether() throws Exception {
        Message message = ended.completed("decided", OUTCOMES);
        assertThat(browser.open(path(message)).text()).contains("no clear answer for 2 recipients");

        browser.open(path(message) + "/unknown?email=cleo@example.org");
        browser.submit(path(message) + "/unknown/sent", Map.of());
        assertThat(browser.text()).contains("The recipient is recorded as Sent");
        assertThat(outcome(message, "cleo@example.org")).isEqualTo("Sent");
        assertThat(outcome(message, "dan@example.org")).isEqualTo("Unknown");

        browser.open(path(message) + "/unknown/sent").submit(path(message) + "/unknown/sent", Map.of());
        assertThat(browser.open(path(message)).page().select(".legend li").eachText())
                .containsExactly("Sent 3", "Failed 1", "Unknown 0", "Skipped 1", "Waiting 0");
        assertThat(browser.text()).doesNotContain("no clear answer");
        assertThat(browser.open(path(message) + "/recipients?email=dan@example.org")
                        .text())
                .contains("marked as sent by ann@example.org");
    }

    @Test
    void markAllAsSentAsksFirstWithTheNumberAndIsUndoneAfterwards() throws Exception {
        Message message = ended.completed("undone", OUTCOMES);
        browser.open(path(message) + "/unknown");
        assertThat(browser.page().select("form[action$=/unknown/sent]")).isEmpty();
        assertThat(browser.page().select("a[href$=/unknown/sent]").text()).isEqualTo("Mark all as sent");

        browser.open(path(message) + "/unknown/sent");
        assertThat(browser.text()).contains("Record 2 recipients as Sent?");
        assertThat(find(message).result().counts().unknown())
                .as("a GET decides nothing")
                .isEqualTo(2);
        browser.submit(path(message) + "/unknown/sent", Map.of());
        assertThat(browser.text()).contains("2 recipients are recorded as Sent");
        assertThat(find(message).result().counts().sent()).isEqualTo(3);

        browser.submit(path(message) + "/unknown/undo", Map.of());
        assertThat(browser.text()).contains("these recipients are Unknown again");
        assertThat(find(message).result().counts().sent()).isEqualTo(1);
        assertThat(find(message).result().counts().unknown()).isEqualTo(2);
        assertThat(browser.open(path(message) + "/recipients?email=dan@example.org")
                        .text())
                .contains("UNKNOWN reason");
        assertThat(browser.open(path(message) + "/unknown/sent")
                        .submit(path(message) + "/unknown/sent", Map.of())
                        .text())
                .contains("2 recipients are recorded as Sent");
    }

    @Test
    void whereNobodyIsUnknownThereIsNothingToMark() throws Exception {
        Message message = ended.completed("all_known", Map.of("ann@example.org", Outcome.SENT));

        assertThat(browser.open(path(message) + "/unknown/sent").text())
                .contains("There are no Unknown recipients left");
    }

    @Test
    void recipientsWhoAreNoLongerUnknownAreNotDecidedAbout() throws Exception {
        Message message = ended.completed("known", OUTCOMES);
        browser.open(path(message) + "/unknown?email=cleo@example.org");
        anotherAdminMarksAll(message);

        browser.submit(path(message) + "/unknown/again", Map.of());

        assertThat(browser.text()).contains("no longer Unknown");
        assertThat(find(message).status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(browser.open(path(message) + "/unknown?email=bob@example.org")
                        .text())
                .contains("no longer Unknown");
    }

    @Test
    void anUnknownRecipientIsSentAgainAloneAndThenTheOthersTogether() throws Exception {
        Message message = ended.completed("again_one", OUTCOMES);

        browser.open(path(message) + "/unknown?email=cleo@example.org")
                .submit(path(message) + "/unknown/again", Map.of());
        assertThat(browser.text()).contains("The message is now being sent to the people who did not get it");
        assertThat(waiting(message)).containsExactly("cleo@example.org");

        browser.open(path(message) + "/unknown").submit(path(message) + "/unknown/again", Map.of());
        assertThat(waiting(message)).containsExactly("cleo@example.org", "dan@example.org");
        assertThat(browser.open(path(message) + "/recipients?outcome=waiting").text())
                .contains("cleo@example.org", "dan@example.org");
        assertThat(browser.open(path(message) + "/recipients?email=dan@example.org")
                        .text())
                .contains("waiting to be sent again");
    }

    @Test
    void whereAllHaveBeenDecidedAboutNothingIsSentAgain() throws Exception {
        Message message = ended.completed("all_decided", OUTCOMES);
        browser.open(path(message) + "/unknown");
        anotherAdminMarksAll(message);

        browser.submit(path(message) + "/unknown/again", Map.of());

        assertThat(browser.text())
                .contains("Everybody has the message or a decision by now")
                .doesNotContain("goes to the missing now");
        assertThat(find(message).status()).isEqualTo(MessageStatus.COMPLETED);
    }

    @Test
    void nobodyIsSentItTwiceWhoBecameUnknownAfterThePageWasShown() throws Exception {
        Message message = ended.completed("more_unknown", OUTCOMES);
        TestBrowser other = browsers.getObject().signIn();
        other.open(path(message) + "/unknown/sent").submit(path(message) + "/unknown/sent", Map.of());
        browser.open(path(message) + "/again");
        other.submit(path(message) + "/unknown/undo", Map.of());

        browser.submit(path(message) + "/again", Map.of("outcomes", "UNKNOWN"));

        assertThat(browser.text()).contains("more recipients have become Unknown");
        assertThat(find(message).status()).isEqualTo(MessageStatus.COMPLETED);
    }

    @Test
    void recipientsWhoWaitWithoutATimeHaveNoEmptyLineForIt() throws Exception {
        Message message = ended.completed("no_time", OUTCOMES);
        browser.open(path(message) + "/unknown").submit(path(message) + "/unknown/again", Map.of());

        browser.open(path(message) + "/recipients?outcome=waiting");

        assertThat(browser.page().select("tbody tr")).isNotEmpty();
        assertThat(browser.page().select("td[data-label=When]")).isEmpty();
    }

    private void anotherAdminMarksAll(Message message) throws Exception {
        String all = path(message) + "/unknown/sent";
        browsers.getObject().signIn().open(all).submit(all, Map.of());
    }

    @Test
    void theMissingAreThoseThatAreChosen() throws Exception {
        Message message = ended.completed("chosen", OUTCOMES);
        browser.open(path(message) + "/again");
        assertThat(browser.page().select("input[name=outcomes][checked]").eachAttr("value"))
                .containsExactly("FAILED");

        browser.submit(path(message) + "/again", Map.of("outcomes", "FAILED"));

        assertThat(waiting(message)).containsExactly("bob@example.org");
        assertThat(find(message).status()).isEqualTo(MessageStatus.PROCESSING);
    }

    @Test
    void unknownOnesAreNeverChosenForAnybody() throws Exception {
        Message message = ended.completed("in_doubt", Map.of("cleo@example.org", Outcome.UNKNOWN));

        browser.open(path(message) + "/again");

        assertThat(browser.page().select("input[name=outcomes][checked]")).isEmpty();
        assertThat(browser.text()).contains("Those who got the first email get a second one");
        assertThat(browser.submit(path(message) + "/again", Map.of()).text()).contains("Choose who gets");
        assertThat(waiting(message)).isEmpty();
    }

    @Test
    void sentAndSkippedAreNeverSentAgainWhateverIsPosted() throws Exception {
        Message message = ended.completed("forged", OUTCOMES);
        browser.open(path(message) + "/again");

        browser.submit(path(message) + "/again", Map.of("outcomes", "SENT,SKIPPED,FAILED"));

        assertThat(waiting(message)).containsExactly("bob@example.org");
    }

    private List<String> waiting(Message message) {
        return control.waiting(find(message), 100, null).items().stream()
                .map(one -> one.address().value())
                .toList();
    }

    private String outcome(Message message, String email) throws Exception {
        return browser.open(path(message) + "/recipients?email=" + email)
                .page()
                .select("main .badge")
                .text();
    }

    private List<String> shown(Message message, String outcome) throws Exception {
        return browser.open(path(message) + "/recipients?outcome=" + outcome).page().select("tbody th").stream()
                .map(Element::text)
                .toList();
    }

    private Message find(Message message) {
        return messages.find(message.ref()).orElseThrow();
    }

    private static String path(Message message) {
        return "/messages/" + message.ref();
    }
}
