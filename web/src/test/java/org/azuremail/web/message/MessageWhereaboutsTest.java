package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.junit.jupiter.api.Test;

/** Checks which page shows a message, from its creation to its deletion. */
class MessageWhereaboutsTest extends OnMessagePages {

    private static final ListName LIST = new ListName("whereabouts");

    @Test
    void e2_aPendingMessageStaysEditableUntilItsDate() throws Exception {
        Message message = message("Not due");
        assertThat(browser.open("/messages").textOfAllPages()).contains("Not due", "Scheduled");

        browser.open(edit(message)).submit(edit(message), Map.of("subject", "Still not due"));

        assertThat(find(message).subject()).isEqualTo("Still not due");
        assertThat(find(message).scheduledDate()).isEqualTo(message.scheduledDate());
    }

    @Test
    void e1_a53_aCompletedMessageMovesFromTheOpenOnesToSent() throws Exception {
        Message message = message("Done and kept");
        taken(message);
        become(message, MessageStatus.PROCESSING);
        Versioned<Message> last = current(message);
        Message ended =
                last.value().counted(0, OutcomeCounts.NONE, time.instant()).become(MessageStatus.COMPLETED);
        store.archive(new Versioned<>(ended, last.etag()));

        for (String tab : List.of("drafts", "scheduled", "sending")) {
            assertThat(browser.open("/messages?tab=" + tab).textOfAllPages()).doesNotContain("Done and kept");
        }
        assertThat(browser.open("/sent").text()).contains("Done and kept", "Sent");
        assertThat(browser.open("/messages/" + message.ref()).text()).contains("Done and kept");
    }

    private Message message(String subject) {
        Mailbox from = new Mailbox(new EmailAddress("news@example.org"), "");
        lists.create(MailingList.of(LIST, "News", from, OptIn.DOUBLE, Instant.EPOCH));
        Draft draft = new Draft(subject, bytes("<html><p>Old</p></html>"), bytes("Old text"));
        // The form has minutes; other tests of this context move the clock by seconds.
        Instant due = time.instant().plus(Duration.ofDays(30)).truncatedTo(ChronoUnit.MINUTES);
        Schedule later = new Schedule(due, ZoneOffset.UTC);
        Messages.MessageCreateResult made =
                messages.create(new Messages.NewMessage(LIST, draft, later, OnUnknown.HOLD, "ann@example.org", false));
        return ((Messages.MessageCreateResult.Created) made).message();
    }

    /** Starts the message as the scheduler does when it is due. */
    private void taken(Message message) {
        become(message, MessageStatus.QUEUING);
    }

    private void become(Message message, MessageStatus next) {
        Versioned<Message> last = current(message);
        store.replace(last, last.value().become(next));
        assertThat(find(message).status()).isEqualTo(next);
    }

    private Versioned<Message> current(Message message) {
        return messages.findActive(message.ref()).orElseThrow();
    }

    private Message find(Message message) {
        return messages.find(message.ref()).orElseThrow();
    }

    private static String edit(Message message) {
        return "/messages/" + message.ref() + "/edit";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
