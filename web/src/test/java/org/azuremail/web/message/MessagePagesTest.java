package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Restoration;
import org.azuremail.storage.Versioned;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class MessagePagesTest {

    private static final String HTML = "<h1>Hello {{name|you}}</h1>";

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    Messages messages;

    @Autowired
    MessageStore store;

    @Autowired
    ManualTime time;

    private TestBrowser browser;

    @BeforeEach
    void thereIsAList() throws Exception {
        lists.create(MailingList.of(
                new ListName("readers"),
                "Readers",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        browser = browsers.getObject().signIn();
    }

    @Test
    void uploadedFilesAreStored() throws Exception {
        MessageRef ref = create(Map.of("subject", "Uploaded"), Map.of("htmlFile", utf8(HTML), "textFile", utf8("Hi")));

        assertThat(bodies(ref)).isEqualTo(new Bodies(HTML, "Hi"));
        assertThat(browser.open("/messages").text()).contains("Uploaded", "readers", "Pending");
    }

    @Test
    void dateTimeAndZoneAreKeptAsTyped() throws Exception {
        MessageRef ref = create(
                Map.of(
                        "subject",
                        "In Kathmandu",
                        "html",
                        HTML,
                        "when",
                        "later",
                        "date",
                        "2026-03-01",
                        "time",
                        "08:00",
                        "zone",
                        "Asia/Kathmandu"),
                Map.of());

        assertThat(messages.find(ref).orElseThrow().scheduledDate()).hasToString("2026-03-01T02:15:00Z");
        assertThat(browser.text()).contains("1 Mar 2026, 08:00 (Asia/Kathmandu)");
    }

    @Test
    void everyMistakeIsToldAtItsFieldAndNothingTypedIsLost() throws Exception {
        browser.open("/messages/new");

        browser.submit("/messages/new", Map.of("subject", "No body"));
        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("list")).contains("choose the list");
        assertThat(browser.errorAt("htmlFile")).contains("Please provide an HTML file path");

        browser.submit("/messages/new", Map.of("list", "readers", "subject", "a\nb", "html", HTML));
        assertThat(browser.errorAt("subject")).contains("line break");

        browser.submit(
                "/messages/new",
                Map.of("subject", "Hello {{hobby}}"),
                Map.of("htmlFile", utf8("<p>{{hobby}}</p>"), "textFile", new byte[] {(byte) 0xff, (byte) 0xfe}));
        assertThat(browser.errorAt("subject")).contains("unknown merge field {{hobby}}");
        assertThat(browser.errorAt("htmlFile")).contains("unknown merge field {{hobby}}");
        assertThat(browser.errorAt("textFile")).contains("not UTF-8");
        assertThat(browser.page().select("textarea[name=html]").text()).isEqualTo("<p>{{hobby}}</p>");

        browser.submit("/messages/new", Map.of("subject", "Text", "html", "no element at all"));
        assertThat(browser.errorAt("html")).contains("no HTML element");

        browser.submit(
                "/messages/new",
                Map.of("html", HTML, "when", "later", "date", "2025-01-01", "time", "", "zone", "Europe/Berlin"));
        assertThat(browser.errorAt("date")).contains("more than 24 hours past");
        assertThat(browser.page().select("[name=subject]").attr("value")).isEqualTo("Text");
        assertThat(browser.page().select("option[selected]").eachAttr("value")).contains("readers", "Europe/Berlin");
    }

    @Test
    void bodyOverTheLimitIsRefusedAtItsField() throws Exception {
        byte[] large = new byte[5 * 1024 * 1024 + 1];
        java.util.Arrays.fill(large, (byte) 'a');
        browser.open("/messages/new");

        browser.submit("/messages/new", Map.of("list", "readers", "subject", "Large"), Map.of("htmlFile", large));

        assertThat(browser.errorAt("htmlFile")).contains("the limit is 5242880");
    }

    @Test
    void defect9_eachUploadReplacesItsOwnBodyAndNoOther() throws Exception {
        MessageRef ref = pending("Two bodies");

        edit(ref).submit(edit(ref.toString()), Map.of(), Map.of("htmlFile", utf8("<p>new</p>")));
        assertThat(bodies(ref)).isEqualTo(new Bodies("<p>new</p>", "old text"));

        edit(ref).submit(edit(ref.toString()), Map.of(), Map.of("textFile", utf8("new text")));
        assertThat(bodies(ref)).isEqualTo(new Bodies("<p>new</p>", "new text"));

        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Other"), Map.of());
        assertThat(bodies(ref)).isEqualTo(new Bodies("<p>new</p>", "new text"));
    }

    @Test
    void defect10_postedStatusIsIgnored() throws Exception {
        MessageRef ref = pending("Status");
        edit(ref);
        Map<String, String> fields = Map.of(
                "_csrf", browser.page().select("[name=_csrf]").last().attr("value"),
                "etag", browser.page().select("[name=etag]").attr("value"),
                "list", "readers",
                "subject", "Status changed",
                "html", HTML,
                "text", "Hi",
                "when", "later",
                "date", "2026-12-24",
                "status", "COMPLETED");

        browser.postForged(edit(ref.toString()), fields);

        Message stored = messages.find(ref).orElseThrow();
        assertThat(stored.subject()).isEqualTo("Status changed");
        assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    }

    @Test
    void e19_secondEditorSeesCurrentValuesAndWinsWithTheNextSave() throws Exception {
        MessageRef ref = pending("Old");
        TestBrowser first = browsers.getObject().signIn().open(edit(ref.toString()));
        edit(ref);
        first.submit(edit(ref.toString()), Map.of("subject", "First"));

        browser.submit(edit(ref.toString()), Map.of("subject", "Second"));

        assertThat(browser.text()).contains("The record you attempted to edit was modified by another user");
        assertThat(browser.errorAt("subject")).isEqualTo("Current value: First");
        assertThat(messages.find(ref).orElseThrow().subject()).isEqualTo("First");

        browser.submit(edit(ref.toString()), Map.of());

        assertThat(messages.find(ref).orElseThrow().subject()).isEqualTo("Second");
    }

    @Test
    void e20_messageTakenBetweenFormAndSaveIsNotEdited() throws Exception {
        MessageRef ref = pending("Untouched");
        edit(ref);
        take(ref);

        browser.submit(edit(ref.toString()), Map.of("subject", "Too late"));

        assertThat(browser.text()).contains("Message can't be edited because it isn't in Pending status.");
        assertThat(messages.find(ref).orElseThrow().subject()).isEqualTo("Untouched");
        assertThat(browser.open(edit(ref.toString())).text()).contains("isn't in Pending status");
    }

    @Test
    void e20_messageTakenBetweenQuestionAndAnswerIsNotDeleted() throws Exception {
        MessageRef ref = pending("Stays");
        browser.open("/messages/" + ref + "/delete");
        take(ref);

        browser.submit("/messages/" + ref + "/delete", Map.of());

        assertThat(browser.text()).contains("can't be deleted because it isn't in Pending status");
        assertThat(bodies(ref).html()).isEqualTo(HTML);
    }

    @Test
    void pendingMessageIsDeleted() throws Exception {
        MessageRef ref = pending("Goes");

        browser.open("/messages/" + ref + "/delete").submit("/messages/" + ref + "/delete", Map.of());

        assertThat(browser.text()).contains("The message is deleted");
        assertThat(messages.find(ref)).isEmpty();
        assertThat(browser.open("/messages/" + ref).status()).isEqualTo(404);
    }

    @Test
    void subjectAndBodiesOfAPausedMessageChangeButNotListAndDate() throws Exception {
        MessageRef ref = pending("Before");
        take(ref);
        browser.open("/messages/" + ref).submit("/messages/" + ref + "/pause", Map.of());
        assertThat(browser.text()).contains("Paused.");
        var due = messages.find(ref).orElseThrow().scheduledDate();

        edit(ref);
        assertThat(browser.page().select("select[name=list], [name=date]")).isEmpty();
        browser.submit(edit(ref.toString()), Map.of("subject", "After", "html", "<p>better</p>"));

        Message stored = messages.find(ref).orElseThrow();
        assertThat(stored.subject()).isEqualTo("After");
        assertThat(stored.scheduledDate()).isEqualTo(due);
        assertThat(bodies(ref).html()).isEqualTo("<p>better</p>");
    }

    @Test
    void messageThatWasUnderWayAtARestoreSaysWhatIsLostAndMayMailOnceMore() throws Exception {
        MessageRef ref = pending("Restored");
        take(ref);
        Versioned<Message> taken = store.findActive(ref).orElseThrow();
        store.replace(taken, taken.value().change(c -> c.restored(new Restoration(1, true))
                .paused(true, "the storage was restored from a backup of yesterday")));

        assertThat(browser.open("/messages/" + ref).text()).contains("restored from a backup of yesterday");
        assertThat(browser.page().select("#restored")).isEmpty();
        edit(ref);
        browser.submit(edit(ref.toString()), Map.of("onUnknown", "RESEND"));
        browser.open("/messages/" + ref).submit("/messages/" + ref + "/resume", Map.of());

        assertThat(browser.open("/messages/" + ref).page().select("#restored").text())
                .contains("between backup and restore is lost");
        assertThat(messages.find(ref).orElseThrow().onUnknown()).isEqualTo(OnUnknown.RESEND);
        assertThat(messages.find(ref).orElseThrow().restored()).isEqualTo(new Restoration(1, true));
    }

    @Test
    void previewRunsNothingOfTheMail() throws Exception {
        MessageRef ref = pending("Preview");

        browser.open("/messages/" + ref + "/preview.html");

        assertThat(browser.body()).contains("Hello Alex Sample");
        assertThat(browser.header("Content-Security-Policy"))
                .startsWith("sandbox")
                .contains("default-src 'none'", "frame-ancestors 'self'")
                .doesNotContain("script-src", "allow-scripts", "allow-same-origin");
        assertThat(browser.open("/messages/" + ref + "/preview")
                        .page()
                        .select("iframe[sandbox]")
                        .attr("sandbox"))
                .doesNotContain("allow-scripts")
                .doesNotContain("allow-same-origin");
    }

    private MessageRef pending(String subject) throws Exception {
        return create(
                Map.of("subject", subject, "html", HTML, "text", "old text", "when", "later", "date", "2026-12-24"),
                Map.of());
    }

    @Test
    void aMessageForNowIsAskedAboutOnceMoreAndThenGoes() throws Exception {
        MessageRef ref = create(Map.of("subject", "At once", "html", HTML), Map.of());
        assertThat(browser.text()).contains("Send now to 0 people?", "At once");
        assertThat(messages.find(ref).orElseThrow().paused()).isTrue();
        time.advance(Duration.ofHours(1));

        browser.submit("/messages/" + ref + "/send", Map.of());

        Message sent = messages.find(ref).orElseThrow();
        assertThat(browser.text()).contains("The message goes out now");
        assertThat(sent.paused()).isFalse();
        assertThat(sent.scheduledDate()).isEqualTo(time.instant());
        assertThat(browser.open("/messages/" + ref + "/send").text()).contains("not possible any more");
    }

    @Test
    void thePreviewShowsWhatStandsInForEmptyFieldsToo() throws Exception {
        MessageRef ref = create(Map.of("subject", "For {{name|somebody}}", "html", HTML), Map.of());

        assertThat(browser.open("/messages/" + ref + "/preview").text()).contains("For Alex Sample");
        assertThat(browser.open("/messages/" + ref + "/preview?known=false").text())
                .contains("For somebody");
        assertThat(browser.page().select("iframe").attr("src")).endsWith("known=false");
        assertThat(browser.open("/messages/" + ref + "/preview.html?known=false")
                        .body())
                .contains("Hello you");
    }

    @Test
    void aDraftStaysUntilSomebodySendsIt() throws Exception {
        browser.open("/messages/new?list=readers")
                .submit("/messages/new", Map.of("subject", "Not yet", "html", HTML, "act", "draft"));
        assertThat(browser.text()).contains("stored as a draft", "A draft.", "Send now");
        MessageRef ref =
                MessageRef.parse(browser.address().replaceAll("\\D", "")).orElseThrow();
        time.advance(Duration.ofHours(1));

        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Still not yet"));

        assertThat(browser.text()).contains("A draft.");
        assertThat(messages.find(ref).orElseThrow().paused()).isTrue();
        assertThat(messages.find(ref).orElseThrow().subject()).isEqualTo("Still not yet");
    }

    @Test
    void mistakesOfAllFieldsAreToldAtOnce() throws Exception {
        browser.open("/messages/new?list=readers")
                .submit(
                        "/messages/new",
                        Map.of("subject", "", "html", "<p>{{name</p>", "when", "later", "date", "2025-01-01"));

        assertThat(browser.errorAt("subject")).contains("required");
        assertThat(browser.errorAt("html")).contains("line 1", "{{name</p>", "not closed");
        assertThat(browser.errorAt("date")).contains("more than 24 hours past");
    }

    private MessageRef create(Map<String, String> fields, Map<String, byte[]> files) throws Exception {
        browser.open("/messages/new?list=readers").submit("/messages/new", fields, files);
        assertThat(browser.address()).as(browser.text()).matches("/messages/\\d+(/send|\\?notice=message-made)");
        String number = browser.address().replaceAll("\\D", "");
        return MessageRef.parse(number).orElseThrow();
    }

    private TestBrowser edit(MessageRef ref) throws Exception {
        return browser.open(edit(ref.toString()));
    }

    private static String edit(String ref) {
        return "/messages/" + ref + "/edit";
    }

    /** What the scheduler does first when a message is due. */
    private void take(MessageRef ref) {
        Versioned<Message> pending = messages.findActive(ref).orElseThrow();
        store.replace(pending, pending.value().become(MessageStatus.QUEUING));
    }

    private Bodies bodies(MessageRef ref) {
        return messages.bodies(messages.find(ref).orElseThrow()).orElseThrow();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
