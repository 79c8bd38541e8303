package org.azuremail.web;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardControl;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.Time;

/** Creates messages in the state in which scheduler and sender leave them. */
public class EndedMessage {

    private final ListStore lists;
    private final Messages messages;
    private final MessageStore store;
    private final DeliveryStore deliveries;
    private final OutcomeArchive archive;
    private final Time time;

    EndedMessage(
            ListStore lists,
            Messages messages,
            MessageStore store,
            DeliveryStore deliveries,
            OutcomeArchive archive,
            Time time) {
        this.lists = lists;
        this.messages = messages;
        this.store = store;
        this.deliveries = deliveries;
        this.archive = archive;
        this.time = time;
    }

    /** Returns a completed message to a list of one shard, with these outcomes by address. */
    public Message completed(String list, Map<String, Outcome> outcomes) {
        Message message = processing(list);
        OutcomeCounts counts = record(message, new TreeMap<>(outcomes), outcomes.size());
        Versioned<Message> last = current(message);
        store.archive(new Versioned<>(
                last.value().counted(outcomes.size(), counts, time.instant()).become(MessageStatus.COMPLETED),
                last.etag()));
        return messages.find(message.ref()).orElseThrow();
    }

    /** Returns a message that is being sent to this number of recipients, some of whom have outcomes. */
    public Message goingOut(String list, Map<String, Outcome> outcomes, int recipients) {
        Message message = processing(list);
        record(message, new TreeMap<>(outcomes), recipients);
        return message;
    }

    /**
     * Creates a message that is being sent and has a waiting range, with the reason in the form that an older version
     * stored.
     *
     * @return whether the range still waits
     */
    public BooleanSupplier waiting(String list, Instant until, String why) {
        Message message = goingOut(list, Map.of("ann@" + list + ".test", Outcome.SENT), 2);
        RangeKey key = new RangeKey(new ShardKey(message.ref(), 0), 1);
        Versioned<Range> held = deliveries.range(key).orElseThrow();
        deliveries.replaceRange(held, held.value().released(until, Reason.read(why)));
        return () -> deliveries.range(key).orElseThrow().value().delay().notBefore() != null;
    }

    /** Returns a message that is being sent. */
    public Message processing(String list) {
        ListName name = new ListName(list);
        lists.create(Lists.with(
                MailingList.of(
                        name,
                        "News",
                        new Mailbox(new EmailAddress("news@example.org"), ""),
                        OptIn.DOUBLE,
                        time.instant()),
                "shards",
                1));
        Draft draft = new Draft("News for " + list, "<p>News</p>".getBytes(StandardCharsets.UTF_8), null);
        Messages.MessageCreateResult made = messages.create(new Messages.NewMessage(
                name, draft, new Schedule(time.instant(), ZoneOffset.UTC), OnUnknown.HOLD, "ann@example.org", false));
        Message message = ((Messages.MessageCreateResult.Created) made).message();
        for (MessageStatus next : List.of(MessageStatus.QUEUING, MessageStatus.PROCESSING)) {
            Versioned<Message> last = current(message);
            store.replace(last, last.value().become(next));
        }
        return messages.find(message.ref()).orElseThrow();
    }

    private OutcomeCounts record(Message message, TreeMap<String, Outcome> outcomes, int recipients) {
        ShardKey key = new ShardKey(message.ref(), 0);
        List<RecordedOutcome> recorded = new ArrayList<>();
        OutcomeCounts counts = OutcomeCounts.NONE;
        for (var one : outcomes.entrySet()) {
            Recipient recipient = new Recipient(
                    message.list(),
                    new EmailAddress(one.getKey()),
                    "",
                    new SubscriberGuid("0." + "0".repeat(22)),
                    Map.of(),
                    0,
                    0,
                    Range.Delay.NONE);
            Write.Insert row =
                    (Write.Insert) deliveries.emailRow(recipient, message, "news@example.org", Optional.empty());
            recorded.add(new RecordedOutcome(
                    row.rowKey(), one.getValue(), 0, time.instant(), one.getValue() + " reason", row.values()));
            counts = counts.plus(one.getValue());
        }
        archive.record(key, recorded);
        String from = Recipient.rowKey(new EmailAddress(outcomes.firstKey()));
        String to = Recipient.rowKey(new EmailAddress(outcomes.lastKey()));
        ShardControl first = ShardControl.first("test", time.instant());
        deliveries.insertShard(key, first);
        Range held = Range.of(
                        message,
                        new RangeKey(key, 1),
                        new Range.Span(from, to, recipients, message.generation()),
                        time.instant())
                .held("test", time.instant())
                .counted(counts);
        Range range = recipients == outcomes.size() ? held.finished() : held;
        ShardControl walked = first.filled(from, to, recipients).closed().asWalked();
        deliveries.fanOut(key, deliveries.shard(key).orElseThrow(), walked, List.of(), List.of(range));
        return counts;
    }

    private Versioned<Message> current(Message message) {
        return messages.findActive(message.ref()).orElseThrow();
    }
}
