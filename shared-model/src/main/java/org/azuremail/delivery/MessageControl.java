package org.azuremail.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.delivery.range.ShardTakeOver;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.ListUse;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Page;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions on a message that is being sent, and its progress. Pausing and cancelling take effect at the next
 * hand-over of every sender: when a call returns, only hand-overs that had begun may still finish.
 */
public record MessageControl(
        MessageStore messages,
        ListStore lists,
        DeliveryStore deliveries,
        RangeRewriter rewriter,
        ShardTakeOver shards,
        RangeQueues ranges,
        Signals signals,
        Time time)
        implements ListUse {

    private static final Logger LOG = LoggerFactory.getLogger(MessageControl.class);

    /** Longer than a live process takes between writing a new message's index row and the message's row. */
    private static final Duration WRITTEN_WITHIN = Duration.ofMinutes(2);

    /**
     * Stops sending until {@link #resume}.
     *
     * @param reason none when an admin paused it
     * @return false when there is nothing to pause
     */
    public boolean pause(MessageRef ref, Reason reason) {
        return pause(ref, reason, found -> true);
    }

    /** Pauses unless the message has changed since it was read. */
    public boolean pause(Versioned<Message> read, Reason reason) {
        return pause(read.value().ref(), reason, unchangedSince(read));
    }

    private boolean pause(MessageRef ref, Reason reason, Predicate<Versioned<Message>> when) {
        AtomicBoolean changed = new AtomicBoolean();
        Optional<Saved.Done<Message>> paused = change(ref, when, message -> {
            changed.set(!message.paused() || !message.state().pauseReason().equals(reason));
            return message.status().ended() ? null : message.pausedFor(reason);
        });
        paused.ifPresent(done -> rewriter.touchAll(done.now().value()));
        if (paused.isPresent() && changed.get() && !reason.none()) {
            // All lots in flight meet the same refusal, perhaps at the same moment, and only one of them wrote the
            // pause.
            if (paused.get().written()) {
                LOG.warn("message {} is paused: {}", ref, reason);
            }
            // Signalled even if only the answer to the write was lost.
            signals.needAttention();
        }
        return paused.isPresent();
    }

    /** Resumes sending: clears the flag first, then queues every unfinished range. */
    public boolean resume(MessageRef ref) {
        Optional<Saved.Done<Message>> resumed =
                change(ref, found -> true, message -> message.paused() ? message.resumed() : null);
        resumed.ifPresent(done -> queueUnfinished(done.now().value()));
        return resumed.isPresent();
    }

    /** Resumes unless the message has changed since it was read. */
    public boolean resume(Versioned<Message> read) {
        Optional<Versioned<Message>> resumed = read.value().paused()
                ? messages.replace(read, read.value().resumed(), time.instant()).done()
                : Optional.empty();
        resumed.ifPresent(done -> queueUnfinished(done.value()));
        return resumed.isPresent();
    }

    /**
     * Stops the message permanently: first the state is written, then the walk of every shard is ended, then every
     * range is rewritten. Recipients who were not emailed are recorded as Skipped.
     */
    public boolean cancel(MessageRef ref) {
        return cancel(ref, found -> true);
    }

    /** Cancels unless the message has changed since it was read. */
    public boolean cancel(Versioned<Message> read) {
        return cancel(read.value().ref(), unchangedSince(read));
    }

    private boolean cancel(MessageRef ref, Predicate<Versioned<Message>> when) {
        Optional<Saved.Done<Message>> cancelled = change(
                ref,
                when,
                message -> message.status().mayBecome(MessageStatus.CANCELLED)
                        ? message.become(MessageStatus.CANCELLED).resumed()
                        : null);
        cancelled.ifPresent(done -> endWalks(done.now().value()));
        return cancelled.isPresent();
    }

    /** Ends the walks of a cancelled message. Repeatable: the scheduler does this again after a crash. */
    public void endWalks(Message cancelled) {
        ShardKey.all(cancelled).forEach(shard -> shards.end(shard, cancelled));
        rewriter.touchAll(cancelled);
        queueUnfinished(cancelled);
        signals.runSoon(Messages.DUE_MESSAGES);
    }

    /** Returns the progress of the message: from its own row when it is final, otherwise from its control rows. */
    public MessageProgress progress(Message message) {
        if (message.completedAt() != null) {
            return new MessageProgress(
                    message.result().recipients(), true, true, message.result().counts(), List.of());
        }
        if (message.status() == MessageStatus.PENDING) {
            return new MessageProgress(0, false, false, OutcomeCounts.NONE, List.of());
        }
        return MessageProgress.of(deliveries, message);
    }

    /**
     * Returns outcomes in order of shard and address.
     *
     * @throws IllegalArgumentException when the continuation is invalid
     */
    public Page<RecordedOutcome> outcomes(Message message, int limit, @Nullable String continuation) {
        return OutcomeCursor.page(message, limit, continuation, deliveries::outcomes);
    }

    /**
     * Returns the outcomes of one group. A page reads at most 20,000 outcomes, so it may be short or even empty and
     * still have a continuation.
     *
     * @throws IllegalArgumentException when the continuation is invalid
     */
    public Page<RecordedOutcome> outcomes(
            Message message, OutcomeGroup wanted, int limit, @Nullable String continuation) {
        return new OutcomeWalk(deliveries, message, wanted, limit, time.instant()).page(continuation);
    }

    /**
     * Returns recipients without an outcome, in order of shard and address.
     *
     * @throws IllegalArgumentException when the continuation is invalid
     */
    public Page<Recipient> waiting(Message message, int limit, @Nullable String continuation) {
        return OutcomeCursor.page(message, limit, continuation, deliveries::waiting);
    }

    @Override
    public boolean inUse(ListName list) {
        return messages.begun().stream().anyMatch(message -> message.lists().contains(list));
    }

    /**
     * Fails pending messages and drafts, and cancels messages under way, which stay until every recipient has an
     * outcome.
     */
    @Override
    public boolean endMessages(ListName list) {
        boolean ended = true;
        for (MessageStore.ActiveEntry entry : messages.unfinished()) {
            Optional<Versioned<Message>> found = messages.resolve(entry, time.instant());
            boolean mayStillBeWritten = entry.lists().contains(list)
                    && Duration.between(entry.since(), time.instant()).abs().compareTo(WRITTEN_WITHIN) < 0;
            if (found.isPresent() && found.get().value().lists().contains(list)) {
                ended &= end(found.get(), list);
            } else if (found.isEmpty() && mayStillBeWritten) {
                ended = false;
            }
        }
        return ended;
    }

    /**
     * Checks after the message was read whether the list is being deleted. So a process that was suspended, while
     * another one finished and a new list took the name, does not affect the messages of the new list.
     */
    private boolean end(Versioned<Message> found, ListName list) {
        Message message = found.value();
        if (!lists.isDeleting(list)) {
            return false;
        }
        if (message.editable()) {
            return fail(found, Reason.of(ReasonCode.LIST_GONE, list.value()));
        }
        if (message.status().isSending()) {
            cancel(found);
        }
        return false;
    }

    /**
     * Ends a message that cannot be sent.
     *
     * @return false when it changed meanwhile, so that nothing was done
     */
    public boolean fail(Versioned<Message> message, Reason reason) {
        Message failed = message.value().failedFor(reason, time.instant());
        Optional<Versioned<Message>> done =
                messages.replace(message, failed, time.instant()).done();
        done.ifPresent(ended -> {
            LOG.warn("message {} failed: {}", failed.ref(), reason);
            messages.archive(ended);
            signals.needAttention();
        });
        return done.isPresent();
    }

    /** Queues every range that is not done. The mark in R keeps the reconciler from queueing it again at once. */
    private void queueUnfinished(Message message) {
        deliveries.ranges(message).filter(range -> !range.value().done()).forEach(range -> queue(message, range));
        signals.runSoon(Messages.DUE_MESSAGES);
    }

    /**
     * Marks a range as queued and sends its item; a refused mark means that a sender works on it. Ranges of a cancelled
     * message do not wait for a transport, because nothing is handed over.
     */
    public void queue(Message message, Versioned<Range> range) {
        Instant now = time.instant();
        Range queued = message.status() == MessageStatus.CANCELLED
                ? range.value().queuedAtOnce(now)
                : range.value().queued(now);
        if (deliveries.replaceRange(range, queued).written()) {
            ranges.put(message, queued.key(), true);
        }
    }

    private static Predicate<Versioned<Message>> unchangedSince(Versioned<Message> read) {
        return found -> found.etag().equals(read.etag());
    }

    /**
     * Changes a message. A message that is already in the wanted state keeps its ETag, under which a page may have
     * shown it.
     */
    private Optional<Saved.Done<Message>> change(
            MessageRef ref, Predicate<Versioned<Message>> when, Function<Message, @Nullable Message> change) {
        return ConditionalWrites.retry("message " + ref, () -> {
            Optional<Versioned<Message>> found = messages.findActive(ref).filter(when);
            Message changed = found.isEmpty() ? null : change.apply(found.get().value());
            if (changed == null) {
                return Optional.of(Optional.empty());
            }
            Saved<Message> saved = changed.equals(found.get().value())
                    ? new Saved.Done<>(found.get(), false)
                    : messages.replace(found.get(), changed, time.instant());
            return saved instanceof Saved.Done<Message> done ? Optional.of(Optional.of(done)) : Optional.empty();
        });
    }
}
