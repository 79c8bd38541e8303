package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.id.SeededIds;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListName;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.LargestBatches;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.time.ManualTime;

/**
 * A message to people whose rows have the largest allowed size, at the shipped limits, with every answer that a
 * transport may give.
 */
final class LargestRows {

    private static final int PEOPLE = 120;
    private static final int ATTRIBUTES = 12;

    private final ManualTime time;
    private final RecordingTransport transport;
    private final SimulatedProcess process;
    private final ListName list;

    LargestRows(Storage storage, ManualTime time, int lotSize, long seed) {
        this.time = time;
        transport = new RecordingTransport(lotSize);
        DeliveryLimits limits = DeliveryLimits.SHARED.withSkew(Duration.ZERO);
        process = new SimulatedProcess(
                storage, time, new SeededIds((int) seed), limits, transport, mails -> RateLimitWait.NONE);
        list = new ListName("largest" + seed);
        Mailbox from = new Mailbox(new EmailAddress("donotreply@contoso.edu"), "Contoso");
        process.lists.create(
                Lists.with(MailingList.of(list, "Announcements", from, OptIn.DOUBLE, time.instant()), "shards", 1));
        Random random = new Random(seed);
        String only = seed == 0 ? "\"" : null;
        IntStream.range(0, PEOPLE).forEach(i -> add("p%03d@largest.test".formatted(i), only, random));
    }

    /** Adds a subscriber with twelve attributes of a thousand characters each, which is the most allowed. */
    private void add(String address, String only, Random random) {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < ATTRIBUTES; i++) {
            String value = only == null
                    ? LargestBatches.text(random, 1_000).replaceAll("\\p{Cntrl}", "\"")
                    : only.repeat(1_000);
            attributes.put("a" + i, value);
        }
        process.feature
                .subscriptions()
                .adminAdd(list, new EmailAddress(address), new Profile("", attributes), true, Origin.admin("test"));
    }

    /**
     * Sends the message, with retries, refusals, doubts and decisions, and checks that every recipient is accounted
     * for.
     */
    void goesOutAndAgain() {
        MessageRef ref = message();
        transport.answer((mail, attempt) -> switch (number(mail.to().address()) % 4) {
            case 0 -> attempt == 1 ? new Answer.RetryAfter(Duration.ofSeconds(5), "451") : new Answer.Accepted("id");
            case 1 -> new Answer.Refused("550");
            case 2 -> new Answer.Unknown(Reason.ofText("502"));
            default -> new Answer.Accepted("id");
        });
        runToEnd();
        assertCounts(ref, PEOPLE / 2, PEOPLE / 4, PEOPLE / 4);

        transport.answer((mail, attempt) -> new Answer.Accepted("id"));
        assertThat(process.reopening.reopen(ref, Set.of(Outcome.FAILED))).isEqualTo(Reopening.Answer.REOPENED);
        runToEnd();
        assertCounts(ref, PEOPLE / 2 + PEOPLE / 4, 0, PEOPLE / 4);

        process.decisions.markAllSent(process.messages.find(ref).orElseThrow(), "ada");
        assertCounts(ref, PEOPLE, 0, 0);
        assertThat(process.thrown).isEmpty();
    }

    private static int number(EmailAddress address) {
        return Integer.parseInt(address.value().substring(1, 4));
    }

    private MessageRef message() {
        Messages.MessageCreateResult creation = process.messages.create(new Messages.NewMessage(
                list,
                Draft.of("News", "<html><body><p>Hello</p></body></html>", null),
                new Schedule(time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "test",
                false));
        return ((Messages.MessageCreateResult.Created) creation).message().ref();
    }

    private void runToEnd() {
        List<String> turns = new ArrayList<>();
        while (!process.messageStore.active().isEmpty() && turns.size() < 60) {
            process.turn();
            time.advance(Duration.ofSeconds(10));
            turns.add("");
        }
    }

    private void assertCounts(MessageRef ref, long sent, long failed, long unknown) {
        Message message = process.messages.find(ref).orElseThrow();
        assertThat(message.status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(message.result().recipients()).isEqualTo(PEOPLE);
        assertThat(message.result().counts().sent()).isEqualTo(sent);
        assertThat(message.result().counts().failed()).isEqualTo(failed);
        assertThat(message.result().counts().unknown()).isEqualTo(unknown);
    }
}
