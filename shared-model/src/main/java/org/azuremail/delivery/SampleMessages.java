package org.azuremail.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.SampleLists;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.time.Time;
import org.springframework.stereotype.Component;

/**
 * A sent message with outcomes and a draft, to the people of {@link SampleLists}. Neither is ever sent: the sent one is
 * written as history, and remains a draft, which no scheduler begins to send, until the write that archives it.
 */
@Component
public record SampleMessages(
        ListStore lists,
        SubscriptionStore subscribers,
        Messages messages,
        MessageStore store,
        OutcomeArchive archive,
        FigureRequests figures,
        Time time) {

    /** References far above those of real messages, and exact in JavaScript. */
    public static final MessageRef SENT = new MessageRef(900_000_000_000_001L);

    public static final MessageRef DRAFT = new MessageRef(900_000_000_000_002L);

    private static final Duration AGO = Duration.ofDays(3);
    private static final int ONE_FAILED_OF = 12;

    /** Creates missing samples and finishes those that a crash left unfinished. */
    public void load(String by) {
        lists.findActive(SampleLists.WITH_PEOPLE).ifPresent(list -> {
            sent(list, by);
            if (messages.find(DRAFT).isEmpty()) {
                draft(DRAFT, list, "Next month’s job postings", time.instant(), by);
            }
        });
    }

    private void sent(MailingList list, String by) {
        Instant at = time.instant().minus(AGO);
        if (messages.find(SENT).isEmpty()) {
            draft(SENT, list, "Job postings of the month", at, by);
        }
        Optional<Versioned<Message>> unfinished = store.findActive(SENT)
                .filter(found ->
                        found.value().keptAsDraft() && found.value().list().equals(list.name()));
        unfinished.ifPresent(found -> writeHistory(list, found));
    }

    private void draft(MessageRef ref, MailingList list, String subject, Instant at, String by) {
        String html = "<h1>" + subject + "</h1><p>Hello {{name|there}},</p>"
                + "<p>This sample shows what a message looks like. Nobody received it.</p>";
        Draft draft = new Draft(subject, html.getBytes(StandardCharsets.UTF_8), null);
        Messages.NewMessage wanted =
                new Messages.NewMessage(list.name(), draft, new Schedule(at, ZoneOffset.UTC), OnUnknown.HOLD, by, true);
        try {
            messages.create(ref, wanted);
        } catch (IllegalStateException exists) {
            // Another process is loading the samples at the same time.
            if (messages.find(ref).isEmpty()) {
                throw exists;
            }
        }
    }

    private void writeHistory(MailingList list, Versioned<Message> draft) {
        Message message = draft.value();
        OutcomeCounts counts = OutcomeCounts.NONE;
        int recipients = 0;
        for (Subscriber subscriber : subscribed(list)) {
            Outcome outcome = recipients % ONE_FAILED_OF == ONE_FAILED_OF - 1 ? Outcome.FAILED : Outcome.SENT;
            Instant at = message.scheduledDate().plusSeconds(recipients);
            archive.record(
                    new ShardKey(message.ref(), subscriber.shard()),
                    List.of(recorded(list, message, subscriber, outcome, at)));
            counts = counts.plus(outcome);
            recipients++;
        }
        Message ended = writtenAtItsDate(message)
                .resumed()
                .become(MessageStatus.QUEUING)
                .become(MessageStatus.PROCESSING)
                .counted(recipients, counts, message.scheduledDate().plusSeconds(recipients))
                .become(MessageStatus.COMPLETED);
        store.archive(new Versioned<>(ended, draft.etag()));
        figures.request(message.ref());
    }

    private static Message writtenAtItsDate(Message message) {
        return new Message(
                message.ref(),
                new Message.Created(message.scheduledDate(), message.created().by()),
                message.audience(),
                message.shards(),
                message.content(),
                message.schedule(),
                message.onUnknown(),
                message.mailClass(),
                message.state(),
                message.result());
    }

    private List<Subscriber> subscribed(MailingList list) {
        List<Subscriber> found = new ArrayList<>();
        SampleLists.people().forEach(address -> subscribers
                .find(list, address)
                .map(Versioned::value)
                .filter(Subscriber::verified)
                .ifPresent(found::add));
        return found;
    }

    private static RecordedOutcome recorded(
            MailingList list, Message message, Subscriber subscriber, Outcome outcome, Instant at) {
        Recipient recipient = new Recipient(
                list.name(),
                subscriber.address(),
                subscriber.profile().name(),
                subscriber.guid(),
                Map.of(),
                0,
                1,
                Range.Delay.NONE);
        return new RecordedOutcome(
                Recipient.rowKey(subscriber.address()),
                outcome,
                0,
                at,
                outcome == Outcome.FAILED ? "550 5.1.1 The mailbox does not exist." : "",
                recipient.toValues(message, list.fromEmail().value()));
    }
}
