package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Restoration;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Versioned;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks what an admin can change in a message, in which state. */
class MessageEditTest extends OnMessagePages {

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
    void textFieldOfAGeneratedTextIsEmptyAndTheTextFollowsTheHtml() throws Exception {
        MessageRef ref =
                scheduled(Map.of("subject", "One part", "html", "<p>old</p>", "when", "later", "date", "2026-12-24"));
        assertThat(bodies(ref).text()).isEqualTo("old\n");

        assertThat(edit(ref).page().select("#text").text()).isEmpty();
        browser.submit(edit(ref.toString()), Map.of("html", "<p>new</p>"));
        assertThat(bodies(ref)).isEqualTo(new Bodies("<p>new</p>", "new\n"));

        edit(ref).submit(edit(ref.toString()), Map.of("text", "by hand"));
        edit(ref).submit(edit(ref.toString()), Map.of("html", "<p>newest</p>"));
        assertThat(bodies(ref)).isEqualTo(new Bodies("<p>newest</p>", "by hand"));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-10-25T01:30:00Z, Europe/Berlin", // the second of two times 02:30
        "2026-12-24T18:00:30Z, UTC",
        "2026-12-24T18:00:00Z, US/Eastern", // zones that the page does not offer
        "2026-12-24T18:00:00Z, CET",
        "2026-12-24T18:00:00Z, +02:00"
    })
    void dateThatAnAdminLeavesAsItIsStays(Instant due, ZoneId zone) throws Exception {
        MessageRef ref = pending("By a program");
        Versioned<Message> now = messages.findActive(ref).orElseThrow();
        messages.edit(
                ref, now.etag(), Messages.Change.of(now.value(), new Schedule(due, zone), Messages.Hold.AS_IT_WAS));

        recipients(ref).submit(edit(ref.toString()), Map.of("onUnknown", "RESEND"));

        assertThat(messages.find(ref).orElseThrow().schedule()).isEqualTo(new Schedule(due, zone));
        assertThat(messages.find(ref).orElseThrow().onUnknown()).isEqualTo(OnUnknown.RESEND);
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

    /** The list can be chosen in both steps. */
    @Test
    void e19_secondEditorOfTheContentSeesEveryFieldThatTheFirstChanged() throws Exception {
        lists.create(MailingList.of(
                new ListName("writers"),
                "Writers",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        MessageRef ref = pending("Same");
        TestBrowser first = browsers.getObject().signIn().open(edit(ref.toString()));
        edit(ref);
        first.submit(
                edit(ref.toString()),
                Map.of("list", "writers", "text", "new text", "htmlTemplate", "letter", "preview", "At a glance"));

        browser.submit(edit(ref.toString()), Map.of("subject", "Mine"));

        assertThat(browser.errorAt("list")).isEqualTo("Current value: writers");
        assertThat(browser.errorAt("text")).isEqualTo("Current value: new text");
        assertThat(browser.errorAt("htmlTemplate")).isEqualTo("Current value: Letter");
        assertThat(browser.errorAt("preview")).isEqualTo("Current value: At a glance");
        assertThat(messages.find(ref).orElseThrow().list()).isEqualTo(new ListName("writers"));
    }

    @Test
    void e19_secondEditorOfTheRecipientsSeesEveryFieldThatTheFirstChanged() throws Exception {
        MessageRef ref = pending("Same");
        TestBrowser first = browsers.getObject().signIn().open("/messages/" + ref + "/edit/recipients");
        recipients(ref);
        first.submit(edit(ref.toString()), Map.of("zone", "Asia/Tokyo", "onUnknown", "RESEND"));

        browser.submit(edit(ref.toString()), Map.of("time", "10:00"));

        assertThat(browser.errorAt("date")).isEqualTo("Current value: 2026-12-24 09:00");
        assertThat(browser.errorAt("zone")).isEqualTo("Current value: Asia/Tokyo");
        assertThat(browser.errorAt("onUnknown"))
                .isEqualTo(
                        "Current value: Send the email once more. Somebody may get it twice, but nobody is left out.");
        assertThat(browser.errorAt("list")).isEmpty();
        assertThat(messages.find(ref).orElseThrow().onUnknown()).isEqualTo(OnUnknown.RESEND);
    }

    @Test
    void e20_messageTakenBetweenFormAndSaveIsNotEdited() throws Exception {
        MessageRef ref = pending("Untouched");
        edit(ref);
        take(ref);

        browser.submit(edit(ref.toString()), Map.of("subject", "Too late"));

        assertThat(browser.text()).contains("This message can no longer be edited");
        assertThat(messages.find(ref).orElseThrow().subject()).isEqualTo("Untouched");
        assertThat(browser.open(edit(ref.toString())).text()).contains("can no longer be edited");
    }

    @Test
    void subjectAndBodiesOfAPausedMessageChangeButNotListAndDate() throws Exception {
        MessageRef ref = pending("Before");
        take(ref);
        browser.open("/messages/" + ref).submit("/messages/" + ref + "/pause", Map.of());
        assertThat(browser.text()).contains("Sending is paused");
        var due = messages.find(ref).orElseThrow().scheduledDate();

        edit(ref);
        assertThat(browser.page().select("select[name=list], [name=date]")).isEmpty();
        recipients(ref);
        assertThat(browser.page().select("select[name=list], [name=date]")).isEmpty();
        edit(ref);
        browser.submit(edit(ref.toString()), Map.of("subject", "After", "html", "<p>better</p>"));

        Message stored = messages.find(ref).orElseThrow();
        assertThat(stored.subject()).isEqualTo("After");
        assertThat(stored.scheduledDate()).isEqualTo(due);
        assertThat(bodies(ref).html()).isEqualTo("<p>better</p>");
    }

    @Test
    void r10_theClassIsChosenWithTheRecipientsAndStaysOnceSendingHasBegun() throws Exception {
        MessageRef ref = pending("Classy");
        assertThat(browser.page().select("#mail-class").text()).contains("(from the list’s plan)");
        assertThat(recipients(ref).page().select("#mailClass option").eachAttr("value"))
                .containsExactly("", "High", "Normal", "Low");

        browser.submit(edit(ref.toString()), Map.of("mailClass", "Gold"));
        assertThat(browser.errorAt("mailClass")).contains("High, Normal, Low");
        recipients(ref).submit(edit(ref.toString()), Map.of("mailClass", "Low"));
        assertThat(browser.open("/messages/" + ref).page().select("#mail-class").text())
                .isEqualTo("Low");
        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Classier"));
        assertThat(messages.find(ref).orElseThrow().mailClass()).isEqualTo("Low");

        take(ref);
        browser.open("/messages/" + ref).submit("/messages/" + ref + "/pause", Map.of());
        assertThat(recipients(ref).page().select("#mailClass")).isEmpty();
    }

    @Test
    void r14_aClassThatTheSettingsNoLongerHaveStaysUntilAnotherIsChosen() throws Exception {
        MessageRef ref = pending("Removed");
        Versioned<Message> now = messages.findActive(ref).orElseThrow();
        messages.edit(
                ref,
                now.etag(),
                new Messages.Change(
                        now.value().audience(),
                        "Removed",
                        null,
                        null,
                        null,
                        null,
                        now.value().schedule(),
                        OnUnknown.HOLD,
                        "Gold",
                        Messages.Hold.AS_IT_WAS));

        recipients(ref);
        assertThat(browser.page().select("#mailClass option[selected]").text()).contains("Gold");
        browser.submit(edit(ref.toString()), Map.of("time", "10:00"));

        assertThat(browser.address()).as(browser.text()).isEqualTo("/messages/" + ref);
        assertThat(messages.find(ref).orElseThrow().mailClass()).isEqualTo("Gold");
    }

    @Test
    void messageThatWasUnderWayAtARestoreSaysWhatIsLostAndMayMailOnceMore() throws Exception {
        MessageRef ref = pending("Restored");
        take(ref);
        Versioned<Message> taken = store.findActive(ref).orElseThrow();
        store.replace(
                taken,
                taken.value()
                        .afterRestore(new Restoration(1, true))
                        .pausedFor(Reason.of(ReasonCode.RESTORED_NOT_DUE, "yesterday")));

        assertThat(browser.open("/messages/" + ref).text()).contains("restored from a backup of yesterday");
        assertThat(browser.page().select("#restored")).isEmpty();
        recipients(ref);
        browser.submit(edit(ref.toString()), Map.of("onUnknown", "RESEND"));
        browser.open("/messages/" + ref).submit("/messages/" + ref + "/resume", Map.of());

        assertThat(browser.open("/messages/" + ref).page().select("#restored").text())
                .contains("between the backup and the restore are lost");
        assertThat(messages.find(ref).orElseThrow().onUnknown()).isEqualTo(OnUnknown.RESEND);
        assertThat(messages.find(ref).orElseThrow().state().restored()).isEqualTo(new Restoration(1, true));
    }
}
