package org.azuremail.delivery;

import java.util.Optional;
import java.util.Set;
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
import org.azuremail.message.Reopened;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.signal.Signals;

/**
 * Sends a completed message to some of its recipients again: whoever failed, is unknown, or one address. Never to anybody
 * whose outcome is Sent. A mark on the message keeps it from completing in between; after a crash the scheduler goes on.
 */
public class Reopening {

    private final MessageStore messages;
    private final DeliveryStore deliveries;
    private final ListStore lists;
    private final ShardTakeOver shards;
    private final WorkQueues work;
    private final Signals signals;
    private final Time time;

    public Reopening(
            MessageStore messages,
            DeliveryStore deliveries,
            ListStore lists,
            ShardTakeOver shards,
            WorkQueues work,
            Signals signals,
            Time time) {
        this.messages = messages;
        this.deliveries = deliveries;
        this.lists = lists;
        this.shards = shards;
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
        return begin(ref, new Reopened.Outcomes(outcomes));
    }

    /** Sends to one address, unless its outcome is Sent. */
    public Answer reopen(MessageRef ref, EmailAddress address) {
        return begin(ref, new Reopened.Address(address.folded()));
    }

    /**
     * Goes on with a reopening that broke off. Where the message was cancelled meanwhile it only ends it. Whoever does the
     * same, or wakes up later, adds nobody in a shard that somebody is through with.
     */
    public void goOn(Versioned<Message> marked) {
        Message message = marked.value();
        Reopened whom = message.reopening();
        if (whom == null) {
            return;
        }
        Optional<Message> newer =
                messages.findArchived(message).filter(archived -> archived.generation() >= message.generation());
        if (newer.isPresent()) {
            beginAnew(marked, newer.get(), whom);
            return;
        }
        for (int shard = 0; shard < message.shards(); shard++) {
            ShardKey key = new ShardKey(message.ref(), shard);
            if (message.status() == MessageStatus.PROCESSING) {
                new ShardReopening(deliveries, work, time, message, whom, key, from(message)).run();
            }
            shards.endReopening(key, message.generation());
        }
        messages.replace(marked, message.change(MessageChanges::reopeningFinished));
        signals.runSoon(Messages.DUE_MESSAGES);
    }

    /** Whoever began it had read the message, and slept until it had been reopened and ended by somebody else. */
    private void beginAnew(Versioned<Message> marked, Message archived, Reopened whom) {
        if (archived.status() == MessageStatus.COMPLETED) {
            messages.replace(marked, reopened(archived, whom)).done().ifPresent(this::goOn);
        } else {
            messages.replace(marked, archived);
        }
    }

    private static Message reopened(Message completed, Reopened whom) {
        return completed.become(MessageStatus.PROCESSING).change(c -> c.paused(false, Reason.NONE)
                .reopened(whom));
    }

    private Answer begin(MessageRef ref, Reopened whom) {
        Optional<Versioned<Message>> active = messages.findActive(ref);
        if (active.isPresent()) {
            Message message = active.get().value();
            if (message.status() != MessageStatus.PROCESSING || message.reopening() != null) {
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
        Optional<Versioned<Message>> inserted = messages.reactivate(reopened(archived.get(), whom), time.instant());
        inserted.ifPresent(this::goOn);
        return inserted.isPresent() ? Answer.REOPENED : Answer.NOT_NOW;
    }

    private String from(Message message) {
        return lists.find(message.list())
                .map(Versioned::value)
                .map(MailingList::fromEmail)
                .map(EmailAddress::value)
                .orElse("");
    }
}
