package org.azuremail.scheduler;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.archive.PendingRecounts;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.SegmentName;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.segment.RuleJson;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the next step of a message, by its status. Each step can be repeated: the next call continues what a crash left
 * unfinished.
 */
record MessageSteps(
        MessageStore messages,
        MessageBlobs blobs,
        ListStore lists,
        Segments segments,
        MailClasses classes,
        DeliveryStore deliveries,
        MessageControl control,
        Reopening reopening,
        Reconciler reconciler,
        PendingRecounts pendingRecounts,
        FigureRequests figures,
        FeedbackProperties feedback,
        Time time) {

    private static final Logger LOG = LoggerFactory.getLogger(MessageSteps.class);

    /**
     * @param found the message as it was read; if it has changed since, nothing is written, and the next call continues
     */
    void next(Versioned<Message> found) {
        Message message = found.value();
        if (message.status().isSending()) {
            Optional<ListName> gone = findDeletedList(message);
            if (gone.isPresent()) {
                LOG.warn("message {} is cancelled: its list {} is being deleted", message.ref(), gone.get());
                control.cancel(found);
                return;
            }
        }
        switch (message.status()) {
            case PENDING -> startIfDue(found);
            case QUEUING -> continueQueuing(found);
            case PROCESSING -> continueSending(found);
            case CANCELLED -> continueCancelling(found);
            case COMPLETED, FAILED -> messages.archive(found);
            case MOVING -> LOG.debug("message {} is being moved", message.ref());
        }
    }

    private Optional<ListName> findDeletedList(Message message) {
        return message.lists().stream()
                .filter(list -> lists.findActive(list).isEmpty())
                .findFirst();
    }

    private void startIfDue(Versioned<Message> pending) {
        Message message = pending.value();
        Optional<ListName> gone = findDeletedList(message);
        if (gone.isPresent()) {
            control.fail(pending, Reason.of(ReasonCode.LIST_GONE, gone.get().value()));
        } else if (message.due(time.instant()) && !message.paused()) {
            Optional<Message> ended = messages.findArchived(message);
            if (ended.isPresent()) {
                endAgain(pending, ended.get());
            } else if (blobs.read(message.ref(), message.content().revision()).isEmpty()) {
                control.fail(pending, Reason.of(ReasonCode.NO_BODY));
            } else {
                begin(pending);
            }
        }
    }

    /** The same write fixes the rules by which recipients are counted, so that all shards use the same rules. */
    private void begin(Versioned<Message> pending) {
        Message message = pending.value();
        SegmentName segment = message.audience().segment();
        Optional<Segments.Resolved> rules =
                segment == null ? Optional.empty() : segments.resolve(message.list(), segment);
        List<MailingList> audience = message.lists().stream()
                .flatMap(list -> lists.findActive(list).stream())
                .toList();
        if (audience.stream().anyMatch(list -> list.shards() != message.shards())) {
            control.fail(
                    pending,
                    Reason.of(ReasonCode.PARTS_DIFFER, message.audience().toString()));
        } else if (segment != null && rules.isEmpty()) {
            control.fail(pending, Reason.of(ReasonCode.SEGMENT_GONE, segment.value()));
        } else if (segment != null && rules.get().rule() == null) {
            control.fail(pending, Segments.broken(segment, rules.get().faults()));
        } else {
            String fixed = rules.flatMap(Segments.Resolved::applicable)
                    .map(RuleJson::text)
                    .orElse(null);
            messages.replace(pending, message.startedWith(fixed, mailClass(message, audience)))
                    .done()
                    .ifPresent(queuing -> {
                        LOG.info("message {} to {} is due", message.ref(), message.audience());
                        reconciler.requeueShards(queuing.value(), ShardKey.all(message), false);
                    });
        }
    }

    /** The first list is the list of the message's segment, and counts for people on several lists. */
    private MailClass mailClass(Message message, List<MailingList> audience) {
        return message.mailClass() == null
                ? classes.forPlan(audience.isEmpty() ? null : audience.get(0).plan())
                : classes.of(message.mailClass());
    }

    /**
     * The process that moved the message to this date was suspended until the message had been sent, and then inserted
     * the message here again. Other processes may have changed it since.
     */
    private void endAgain(Versioned<Message> pending, Message ended) {
        LOG.warn("message {} is not sent again: it had ended before it was moved here", ended.ref());
        messages.replace(pending, ended, time.instant()).done().ifPresent(messages::archive);
    }

    private void continueQueuing(Versioned<Message> queuing) {
        Message message = queuing.value();
        String rules = message.audience().rules();
        SegmentName segment = message.audience().segment();
        if (rules != null && segment != null) {
            RuleJson.Read read = RuleJson.read(rules);
            if (read.rule() == null) {
                control.fail(queuing, Segments.broken(segment, read.faults()));
                return;
            }
        }
        MessageProgress progress = control.progress(message);
        pauseForFeedback(queuing, progress);
        if (!progress.walked()) {
            reconciler.requeueShards(message, unwalked(message), true);
            reconciler.requeueRanges(message);
            return;
        }
        if (progress.recipients() == 0 && message.audience().occasion() == null) {
            control.fail(queuing, Reason.of(ReasonCode.NO_SUBSCRIBERS));
            return;
        }
        messages.replace(queuing, message.become(MessageStatus.PROCESSING))
                .done()
                .ifPresent(processing -> complete(processing, progress));
    }

    private void continueSending(Versioned<Message> processing) {
        if (processing.value().state().reopening() != null) {
            reopening.resume(processing);
            return;
        }
        MessageProgress progress = control.progress(processing.value());
        if (!progress.finished()) {
            pauseForFeedback(processing, progress);
            figures.requestIfGrown(processing.value().ref(), progress.counts().sum());
        }
        complete(processing, progress);
    }

    /** Sending is paused only once for this reason, because the admin who resumes the message has seen it. */
    private void pauseForFeedback(Versioned<Message> read, MessageProgress progress) {
        Message message = read.value();
        if (!message.paused() && !message.state().warned()) {
            feedback.findPauseReason(progress.counts()).ifPresent(reason -> {
                LOG.warn("message {} is paused: {}", message.ref(), reason);
                control.pause(read, reason);
            });
        }
    }

    private void complete(Versioned<Message> processing, MessageProgress progress) {
        if (!end(processing, MessageStatus.COMPLETED, progress)) {
            reconciler.requeueRanges(processing.value());
        }
    }

    /**
     * Writes the message's last status with its sums, and archives it, if every recipient has an outcome. The write
     * carries the ETag of the message row that was read before the sums.
     *
     * @param summed read after the message row, or after a version that only the caller has replaced since
     * @return whether every recipient has an outcome, so that nothing is left to queue
     */
    boolean end(Versioned<Message> read, MessageStatus end, MessageProgress summed) {
        Message message = read.value();
        MessageProgress progress = summed;
        if (!progress.finished() || message.state().reopening() != null) {
            return false;
        }
        if (progress.counts().unknown() > 0) {
            pendingRecounts.recountUnknown(message);
            progress = control.progress(message);
        }
        MessageProgress sums = progress;
        if (!sums.finished()) {
            return false;
        }
        figures.request(message.ref());
        Message counted = message.counted(sums.recipients(), sums.counts(), time.instant());
        Message ended = end == MessageStatus.COMPLETED ? counted.become(end) : counted;
        messages.replace(read, ended).done().ifPresent(done -> {
            messages.archive(done);
            LOG.info("message {} is {}: {}", message.ref(), end.stored(), sums.counts());
        });
        return true;
    }

    private void continueCancelling(Versioned<Message> cancelled) {
        Message message = cancelled.value();
        if (message.state().reopening() != null) {
            reopening.resume(cancelled);
            return;
        }
        if (unwalked(message).findAny().isPresent()) {
            control.endWalks(message);
        }
        reconciler.requeueRanges(message);
        end(cancelled, MessageStatus.CANCELLED, control.progress(message));
    }

    private Stream<ShardKey> unwalked(Message message) {
        return ShardKey.all(message).filter(key -> deliveries
                .shard(key)
                .filter(shard -> shard.value().walked())
                .isEmpty());
    }
}
