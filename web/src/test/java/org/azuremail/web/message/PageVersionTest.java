package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.azuremail.attention.SendingStatus;
import org.azuremail.content.TextPart;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageState;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.message.Restoration;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.embedded.ChildProcess;
import org.junit.jupiter.api.Test;

/** Any web process may answer the next request of a page, which compares versions. */
class PageVersionTest {

    static final class OtherProcess {

        public static void main(String[] args) {
            versions().forEach(System.out::println);
        }
    }

    @Test
    void everyProcessHasTheSameVersionOfTheSameState() throws Exception {
        try (ChildProcess other = ChildProcess.start(OtherProcess.class, "64m")) {
            assertThat(other.lines(2)).isEqualTo(versions());
        }
    }

    private static List<String> versions() {
        Message message = new Message(
                new MessageRef(1),
                new Message.Created(Instant.EPOCH, "admin@example.org"),
                Audience.of(new ListName("list")),
                1,
                new Message.Content("Subject", 1, TextPart.WRITTEN),
                new Schedule(Instant.EPOCH, ZoneOffset.UTC),
                OnUnknown.HOLD,
                null,
                new MessageState(MessageStatus.PROCESSING, false, Reason.NONE, false, 0, null, Restoration.NONE, false),
                Message.Result.of(Reason.NONE, 0, OutcomeCounts.NONE, null));
        MessageProgress progress = new MessageProgress(1, true, false, OutcomeCounts.NONE, List.of());
        return List.of(
                new MessageView.PageState(message, progress, List.of(), Optional.empty(), false, Instant.EPOCH)
                        .version(),
                new SendingStatus.Sample(
                                List.of(new SendingStatus.Sending(message, progress)),
                                0,
                                List.of(),
                                0,
                                List.of(),
                                List.of())
                        .version());
    }
}
