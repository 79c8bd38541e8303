package org.azuremail.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageChanges;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.azuremail.work.Signals;
import org.azuremail.work.WorkQueues;

/**
 * Sends a completed message to some of its recipients again: whoever failed, is unknown, or one address. Never to anybody
 * whose outcome is Sent. A mark on the message keeps it from completing in between; after a crash the scheduler goes on.
 */
public class Reopening {

    private static final String ADDRESS = "address:";
    private static final String OUTCOMES = "outcomes:";

    private final MessageStore messages;
    private final DeliveryStore deliveries;
    private final ListStore lists;
    private final WorkQueues work;
    private final Signals signals;
    private final Time time;

    public Reopening(
            MessageStore messages,
            DeliveryStore deliveries,
            ListStore lists,
            WorkQueues work,
            Signals signals,
            Time time) {
        this.messages = messages;
        this.deliveries = deliveries;
        this.lists = lists;
        this.work = work;
        this.signals = signals;
        this.time = time;
    }

    /** What became of a wish to reopen. */
    public enum Answer {
        /** The recipients are queued again. */
        REOPENED,
        /** The message is not completed, or is being reopened already: try again later. */
        NOT_NOW,
        /** There is no such message. */
        MISSING
    }

    /** Sends to everybody with one of these outcomes. */
    public Answer reopen(MessageRef ref, Set<Outcome> outcomes) {
        StringBuilder whom = new StringBuilder(OUTCOMES);
        outcomes.stream().filter(outcome -> outcome != Outcome.SENT).sorted().forEach(outcome -> whom.append(
                        outcome.name())
                .append(' '));
        return begin(ref, whom.toString().strip());
    }

    /** Sends to one address, unless its outcome is Sent. */
    public Answer reopen(MessageRef ref, EmailAddress address) {
        return begin(ref, ADDRESS + address.folded());
    }

    /** Goes on with a reopening that broke off. */
    public void goOn(Versioned<Message> marked) {
        Message message = marked.value();
        Predicate<Recorded> whom = whom(message.reopening());
        String from = lists.find(message.list())
                .map(Versioned::value)
                .map(MailingList::fromEmail)
                .map(EmailAddress::value)
                .orElse("");
        for (int shard = 0; shard < message.shards(); shard++) {
            reopenShard(message, new ShardKey(message.ref(), shard), whom, from);
        }
        messages.replace(marked, message.change(MessageChanges::reopeningFinished));
        signals.runSoon(Messages.DUE_MESSAGES);
    }

    private Answer begin(MessageRef ref, String whom) {
        Optional<Versioned<Message>> active = messages.findActive(ref);
        if (active.isPresent()) {
            Message message = active.get().value();
            if (message.status() != MessageStatus.PROCESSING
                    || !message.reopening().isEmpty()) {
                return Answer.NOT_NOW;
            }
            Saved<Message> saved = messages.replace(active.get(), message.change(c -> c.reopened(whom)));
            saved.done().ifPresent(this::goOn);
            return saved.done().isPresent() ? Answer.REOPENED : Answer.NOT_NOW;
        }
        Optional<Message> archived = messages.find(ref);
        if (archived.isEmpty()) {
            return Answer.MISSING;
        }
        if (archived.get().status() != MessageStatus.COMPLETED
                || lists.findActive(archived.get().list()).isEmpty()) {
            return Answer.NOT_NOW;
        }
        Message reopened = archived.get().become(MessageStatus.PROCESSING).change(c -> c.reopened(whom));
        Optional<Versioned<Message>> inserted = messages.reactivate(reopened, time.instant());
        inserted.ifPresent(this::goOn);
        return inserted.isPresent() ? Answer.REOPENED : Answer.NOT_NOW;
    }

    private void reopenShard(Message message, ShardKey key, Predicate<Recorded> whom, String from) {
        String continuation = null;
        do {
            DeliveryStore.OutcomePage page =
                    deliveries.outcomes(key, deliveries.limits().page(), continuation);
            List<Recorded> wanted = page.outcomes().stream()
                    .filter(recorded -> recorded.outcome() != Outcome.SENT)
                    .filter(recorded -> recorded.generation() < message.generation())
                    .filter(whom)
                    .toList();
            int room = Math.max(1, deliveries.limits().batch() / 2 - 1);
            for (int at = 0; at < wanted.size(); at += room) {
                reopenBatch(message, key, wanted.subList(at, Math.min(at + room, wanted.size())), from);
            }
            continuation = page.continuation();
        } while (continuation != null);
    }

    /** One batch: new e-mail rows, their range, S, and the old ranges without these outcomes; repeated until it is done. */
    private void reopenBatch(Message message, ShardKey key, List<Recorded> batch, String from) {
        boolean done = false;
        while (!done) {
            DeliveryStore.Controls controls = deliveries.controls(key);
            List<Recorded> missing = batch.stream()
                    .map(recorded -> deliveries.outcome(key, recorded.rowKey()).orElse(recorded))
                    .filter(recorded -> !recorded.settles(message.generation()))
                    .filter(recorded ->
                            deliveries.waiting(key, recorded.rowKey()).isEmpty())
                    .toList();
            done = missing.isEmpty() || writeBatch(message, key, controls, missing, from);
        }
    }

    /** S was read before the rows: whoever reopened or sent in between has changed it, and nothing is written. */
    private boolean writeBatch(
            Message message, ShardKey key, DeliveryStore.Controls controls, List<Recorded> batch, String from) {
        Versioned<ShardControl> shard = controls.shard().orElseThrow();
        Range range = Range.of(
                message,
                new RangeKey(key, shard.value().nextRange()),
                batch.get(0).rowKey(),
                batch.get(batch.size() - 1).rowKey(),
                batch.size(),
                time.instant());
        List<Write> writes = new ArrayList<>();
        batch.forEach(recorded -> writes.add(
                deliveries.emailRow(recorded.recipient().inGeneration(message.generation()), message, from)));
        writes.add(new Write.Replace(ShardControl.ROW, shard.value().closed().toValues(), shard.etag()));
        writes.add(Write.insert(range.key().row(), range.toValues()));
        withoutOutcomes(controls.ranges(), batch)
                .forEach((old, counted) ->
                        writes.add(new Write.Replace(counted.key().row(), counted.toValues(), old.etag())));
        boolean written = deliveries.reopen(key, writes) instanceof WriteResult.Written;
        if (written) {
            work.put(MailItem.range(message.datePartition(), range.key(), true));
        }
        return written;
    }

    /** The ranges that counted these outcomes, without them. */
    private static Map<Versioned<Range>, Range> withoutOutcomes(List<Versioned<Range>> ranges, List<Recorded> batch) {
        Map<Integer, Versioned<Range>> before = new HashMap<>();
        Map<Integer, Range> after = new LinkedHashMap<>();
        for (Recorded recorded : batch) {
            for (Versioned<Range> candidate : ranges) {
                Range range = candidate.value();
                if (range.generation() == recorded.generation() && range.covers(recorded.rowKey())) {
                    before.put(range.key().number(), candidate);
                    Range now = after.getOrDefault(range.key().number(), range);
                    after.put(range.key().number(), now.counted(now.counts().minus(recorded.outcome())));
                    break;
                }
            }
        }
        Map<Versioned<Range>, Range> changed = new LinkedHashMap<>();
        after.forEach((number, range) -> changed.put(before.get(number), range));
        return changed;
    }

    private static Predicate<Recorded> whom(String reopening) {
        if (reopening.startsWith(ADDRESS)) {
            String address = reopening.substring(ADDRESS.length());
            return recorded -> Recipient.foldedAddress(recorded.rowKey()).equals(address);
        }
        Set<String> names = Set.of(reopening.substring(OUTCOMES.length()).split(" "));
        return recorded -> names.contains(recorded.outcome().name());
    }
}
