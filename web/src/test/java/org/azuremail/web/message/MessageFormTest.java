package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.Mailbox;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks which parts of a message are stored as typed, and which are refused at their field. */
class MessageFormTest extends OnMessagePages {

    @Autowired
    private SegmentStore segments;

    @Test
    void theAddressOfAPageHasRoomForAnAddressOfASubscriberButNotForMore() {
        assertThat(new Reader("a@example.org", true, true).query()).isEqualTo("?reader=a%40example.org&bare=true");
        assertThat(new Reader("a".repeat(255), null, null).query()).isEmpty();
        assertThat(new Reader("", null, true).query()).isEqualTo("?longest=true");
    }

    @Test
    void uploadedFilesAreStored() throws Exception {
        MessageRef ref = create(Map.of("subject", "Uploaded"), Map.of("htmlFile", utf8(HTML), "textFile", utf8("Hi")));

        assertThat(bodies(ref)).isEqualTo(new Bodies(HTML, "Hi"));
        assertThat(browser.open("/messages").textOfAllPages()).contains("Uploaded", "Readers (readers)", "Draft");
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
        assertThat(browser.text()).contains("1 Mar 2026, 08:00 in Kathmandu (02:15 UTC)");
        assertThat(recipients(ref).page().select("#time-note").text()).contains("1 Mar 2026, 02:15 (UTC)");
    }

    @Test
    void everyMistakeIsToldAtItsFieldAndNothingTypedIsLost() throws Exception {
        browser.open("/messages/new?list=");
        String action = browser.page().select("#composer").attr("action");

        browser.submit(action, Map.of("subject", "No list", "html", HTML));
        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("list")).contains("choose the list");
        assertThat(browser.page().select("textarea[name=html]").text()).isEqualTo(HTML);

        browser.submit(action, Map.of("list", "readers", "subject", "a\nb", "html", HTML));
        assertThat(browser.errorAt("subject")).contains("line break");

        browser.submit(
                action,
                Map.of("subject", "Hello {{hobby}}"),
                Map.of("htmlFile", utf8("<p>{{hobby}}</p>"), "textFile", new byte[] {(byte) 0xff, (byte) 0xfe}));
        assertThat(browser.errorAt("textFile")).contains("not UTF-8");
        assertThat(browser.page().select("textarea[name=html]").text()).isEqualTo("<p>{{hobby}}</p>");
    }

    @Test
    void mistakesOfTheTimeAreToldAtTheirFieldsAndKept() throws Exception {
        MessageRef ref = create(Map.of("subject", "Text", "html", HTML), Map.of());
        recipients(ref)
                .submit(
                        edit(ref.toString()),
                        Map.of("when", "later", "date", "2025-01-01", "time", "", "zone", "Europe/Berlin"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("date")).contains("more than 24 hours past");
        assertThat(browser.page().select("option[selected]").eachAttr("value")).contains("readers", "Europe/Berlin");

        browser.submit(edit(ref.toString()), Map.of("date", ""));
        assertThat(browser.errorAt("date")).contains("choose a date");
    }

    @Test
    void aLocalTimeThatDaylightSavingLeavesOutIsMovedWithANotice() throws Exception {
        MessageRef ref = create(Map.of("subject", "Gap", "html", HTML), Map.of());
        Map<String, String> gap =
                Map.of("when", "later", "date", "2027-03-28", "time", "02:30", "zone", "Europe/Berlin");

        recipients(ref).submit(edit(ref.toString()), gap);

        assertThat(browser.text()).contains("28 Mar 2027, 02:30 does not exist on that day", "28 Mar 2027, 03:30");
        assertThat(messages.find(ref).orElseThrow().scheduledDate()).hasToString("2027-03-28T01:30:00Z");
    }

    @Test
    void timeThatCannotBeReadIsRefusedAtItsField() throws Exception {
        MessageRef ref = create(Map.of("subject", "Odd", "html", HTML), Map.of());

        for (Map<String, String> odd : List.of(
                Map.of("date", "2026-02-30", "time", "09:00"),
                Map.of("date", "2026-12-24", "time", "9 o'clock"),
                Map.of("date", "24.12.2026", "time", "09:00"))) {
            recipients(ref);
            Map<String, String> typed = new HashMap<>(odd);
            typed.put("when", "later");
            browser.submit(edit(ref.toString()), typed);
            assertThat(browser.status()).isEqualTo(422);
            assertThat(browser.errorAt("date")).contains("Enter a date such as");
        }

        recipients(ref).submit(edit(ref.toString()), Map.of("when", "later", "date", "2026-12-24", "time", "09:00Z"));
        assertThat(browser.address()).isEqualTo("/messages/" + ref + "/review");
        assertThat(messages.find(ref).orElseThrow().scheduledDate()).hasToString("2026-12-24T09:00:00Z");
    }

    @Test
    void validTimeBesideAMistakeIsNotSaidToBeMissingFromItsDay() throws Exception {
        MessageRef ref = create(Map.of("subject", "Two", "html", HTML), Map.of());

        recipients(ref)
                .submit(
                        edit(ref.toString()),
                        Map.of("when", "later", "date", "2026-12-24", "time", "09:00", "mailClass", "none such"));

        assertThat(browser.errorAt("mailClass")).isNotEmpty();
        assertThat(browser.page().select("#time-note").text())
                .doesNotContain("does not exist")
                .contains("24 Dec 2026, 09:00");
    }

    @Test
    void segmentDeletedWhileItWasBeingChosenIsToldAtTheList() throws Exception {
        segments.insert(new Segment(new ListName("readers"), new SegmentName("gold"), "Gold", "{}"));
        MessageRef ref = create(Map.of("subject", "Gold", "html", HTML), Map.of());
        recipients(ref);
        segments.delete(
                segments.find(new ListName("readers"), new SegmentName("gold")).orElseThrow());

        browser.submit(edit(ref.toString()), Map.of("list", "readers/gold"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("list")).isEqualTo("The list readers has no segment gold.");
    }

    @Test
    void draftWhoseSegmentWasDeletedDoesNotMoveToTheFirstList() throws Exception {
        MailingList readers = lists.findActive(new ListName("readers")).orElseThrow();
        lists.create(MailingList.of(
                new ListName("alumni"), "Alumni", new Mailbox(readers.fromEmail(), ""), OptIn.DOUBLE, time.instant()));
        SegmentName gold = new SegmentName("gold");
        segments.insert(new Segment(readers.name(), gold, "Gold", "{}"));
        MessageRef ref = create(Map.of("subject", "Gold", "html", HTML), Map.of());
        recipients(ref).submit(edit(ref.toString()), Map.of("list", "readers/gold"));
        segments.delete(segments.find(readers.name(), gold).orElseThrow());

        recipients(ref).submit(edit(ref.toString()), Map.of("onUnknown", "RESEND"));

        assertThat(browser.errorAt("list")).isEqualTo("The list readers has no segment gold.");
        assertThat(messages.find(ref).orElseThrow().audience().stored()).isEqualTo("readers/gold");

        browser.submit(edit(ref.toString()), Map.of("list", "readers"));
        assertThat(messages.find(ref).orElseThrow().audience().stored()).isEqualTo("readers");
    }

    @Test
    void previewTextThatNoTemplateWouldShowIsRefusedAndNotDropped() throws Exception {
        MessageRef ref = newMessage();

        browser.submit(
                edit(ref.toString()),
                Map.of("subject", "Preview", "format", "html", "html", HTML, "preview", "Look inside"));

        assertThat(browser.errorAt("preview"))
                .isEqualTo("Only a template shows the preview text. Choose a template, or delete the preview text.");
        assertThat(browser.page().select("#preview").attr("value")).isEqualTo("Look inside");

        browser.submit(edit(ref.toString()), Map.of("htmlTemplate", "letter"));
        assertThat(bodies(ref).html()).contains("Look inside");
    }

    @Test
    void emptyFileIsRefusedAtItsFieldAndReplacesNothing() throws Exception {
        MessageRef ref = create(Map.of("subject", "Empty", "html", HTML, "text", "Hi"), Map.of());

        edit(ref)
                .submit(
                        edit(ref.toString()),
                        Map.of("subject", "Full"),
                        Map.of("htmlFile", new byte[0], "textFile", new byte[0]));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("htmlFile")).isEqualTo("The file is empty. Choose another one.");
        assertThat(browser.errorAt("textFile")).isEqualTo("The file is empty. Choose another one.");
        assertThat(bodies(ref)).isEqualTo(new Bodies(HTML, "Hi"));

        browser.submit(edit(ref.toString()), Map.of());
        assertThat(messages.find(ref).orElseThrow().subject()).isEqualTo("Full");
    }

    @Test
    void bodyOverTheLimitIsRefusedAtItsField() throws Exception {
        byte[] large = new byte[5 * 1024 * 1024 + 1];
        java.util.Arrays.fill(large, (byte) 'a');
        MessageRef ref = newMessage();

        browser.submit(edit(ref.toString()), Map.of("subject", "Large"), Map.of("htmlFile", large));

        assertThat(browser.errorAt("htmlFile")).contains("the limit is 5242880");
        assertThat(messages.find(ref)).isEmpty();
    }

    @Test
    void mistakesOfTheContentBlockSendingAloneAndAreListedWhereItIsWritten() throws Exception {
        MessageRef ref = newMessage();
        browser.submit(edit(ref.toString()), Map.of("subject", "", "html", "<p>{{name</p>", "text", "{{hobby}}"));

        assertThat(browser.address()).isEqualTo("/messages/" + ref + "/edit/recipients");
        assertThat(messages.find(ref).orElseThrow().keptAsDraft()).isTrue();
        assertThat(bodies(ref).html()).isEqualTo("<p>{{name</p>");
        assertThat(edit(ref).page().select("#preview-words li").eachText())
                .hasSize(3)
                .anyMatch(problem -> problem.contains("subject line is required"))
                .anyMatch(problem -> problem.contains("line 1, the merge field at “{{name</p>” is not closed"))
                .anyMatch(problem -> problem.contains("unknown merge field {{hobby}}"));

        assertThat(browser.open("/messages/" + ref + "/review").text()).contains("3 things to correct");
        assertThat(browser.page().select("form[action$=/send]")).isEmpty();

        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Text", "html", "", "text", ""));
        assertThat(edit(ref).text()).contains("One thing to correct", "The HTML body is empty.");
        edit(ref).submit(edit(ref.toString()), Map.of("html", "no element at all"));
        assertThat(edit(ref).text()).contains("no HTML element");
    }

    @Test
    void theSummaryRepeatsNoLabel() throws Exception {
        MessageRef ref = create(Map.of("subject", "Text", "html", HTML), Map.of());

        recipients(ref).submit(edit(ref.toString()), Map.of("when", "later", "date", ""));

        assertThat(browser.page().select(".summary a").text()).isEqualTo("Please choose a date, or send it now.");
    }
}
