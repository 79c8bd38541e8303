package org.azuremail.delivery.reopen;

import java.util.Optional;
import java.util.Set;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.delivery.range.ShardTakeOver;
import org.azuremail.list.ListStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.ReopenScope;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.suppression.Suppressions;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;

/**
 * Sends a completed message to some of its recipients again: those who are Failed or Unknown, or one address, but never
 * to a recipient whose outcome is Sent. A mark on the message keeps it from completing in between; after a crash the
 * scheduler continues.
 */
public record Reopening(
        MessageStore messages,
        DeliveryStore deliveries,
        ListStore lists,
        Suppressions suppressions,
        ShardTakeOver shards,
        RangeQueues ranges,
        Signals signals,
        Time time) {

    public enum Answer {
        /** The recipients are queued again. */
        REOPENED,
        /** The message is not completed, or is being reopened already; the caller may try again later. */
        NOT_NOW,
        /** The outcomes of its recipients have been removed. */
        RETIRED,
        MISSING
    }

    /** Sends to all recipients with one of these outcomes. */
    public Answer reopen(MessageRef ref, Set<Outcome> outcomes) {
        return begin(ref, new ReopenScope.Outcomes(outcomes));
    }

    /** Sends to one address, unless its outcome is Sent. */
    public Answer reopen(MessageRef ref, EmailAddress address) {
        return begin(ref, new ReopenScope.Address(address.folded()));
    }

    /**
     * Sends to one address, unless it has another outcome by now.
     *
     * @param seen the generation of the outcome that the caller read
     */
    public Answer reopen(MessageRef ref, EmailAddress address, int seen) {
        return begin(ref, new ReopenScope.Address(address.folded(), seen));
    }

    /**
     * Continues an interrupted reopening, or ends it if the message was cancelled meanwhile. Another process that does
     * the same, or was suspended, adds no recipients in a finished shard.
     */
    public void resume(Versioned<Message> marked) {
        Message message = marked.value();
        ReopenScope scope = message.state().reopening();
        if (scope == null) {
            return;
        }
        Optional<Message> newer =
                messages.findArchived(message).filter(archived -> archived.generation() >= message.generation());
        if (newer.isPresent()) {
            beginAnew(marked, newer.get(), scope);
            return;
        }
        ShardKey.all(message).forEach(shard -> {
            if (message.status() == MessageStatus.PROCESSING) {
                new ShardReopening(deliveries, suppressions, ranges, time, message, scope, shard).run();
            }
            shards.endReopening(shard, message.generation());
        });
        messages.replace(marked, message.reopeningFinished());
        signals.runSoon(Messages.DUE_MESSAGES);
    }

    /**
     * Starts a reopening again. The process that began it was suspended after it read the message, and another process
     * has reopened and ended the message since.
     */
    private void beginAnew(Versioned<Message> marked, Message archived, ReopenScope scope) {
        if (archived.status() == MessageStatus.COMPLETED) {
            messages.replace(marked, reopened(archived, scope)).done().ifPresent(this::resume);
        } else {
            messages.replace(marked, archived);
        }
    }

    private static Message reopened(Message completed, ReopenScope scope) {
        return completed.become(MessageStatus.PROCESSING).resumed().reopenedFor(scope);
    }

    private Answer begin(MessageRef ref, ReopenScope scope) {
        Optional<Versioned<Message>> active = messages.findActive(ref);
        if (active.isPresent()) {
            Message message = active.get().value();
            if (message.status() != MessageStatus.PROCESSING || message.state().reopening() != null) {
                return Answer.NOT_NOW;
            }
            Saved<Message> saved = messages.replace(active.get(), message.reopenedFor(scope), time.instant());
            saved.done().ifPresent(this::resume);
            return saved.done().isPresent() ? Answer.REOPENED : Answer.NOT_NOW;
        }
        Optional<Message> archived = messages.find(ref);
        if (archived.isEmpty()) {
            return Answer.MISSING;
        }
        if (archived.get().retired()) {
            return Answer.RETIRED;
        }
        if (archived.get().status() != MessageStatus.COMPLETED
                || archived.get().lists().stream()
                        .anyMatch(list -> lists.findActive(list).isEmpty())) {
            return Answer.NOT_NOW;
        }
        Optional<Versioned<Message>> inserted = messages.reactivate(reopened(archived.get(), scope), time.instant());
        inserted.ifPresent(this::resume);
        return inserted.isPresent() ? Answer.REOPENED : Answer.NOT_NOW;
    }
}
