package org.azuremail.scheduler;

import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.FiguresWanted;
import org.azuremail.delivery.archive.MessageProgress;
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

/** The next step of a message, by its status. Each may be repeated: what a crash left half done, the next call goes on with. */
record MessageSteps(
        MessageStore messages,
        MessageBlobs blobs,
        ListStore lists,
        Segments segments,
        MailClasses classes,
        DeliveryStore deliveries,
        MessageControl control,
        Reopening reopening,
        Requeueing requeueing,
        Ending ending,
        FiguresWanted figures,
        FeedbackProperties feedback,
        Time time) {

    private static final Logger LOG = LoggerFactory.getLogger(MessageSteps.class);

    /** @param found the message as it was read; what changed since then is refused, and left to the next call */
    void next(Versioned<Message> found) {
        Message message = found.value();
        Optional<ListName> gone = goneList(message);
        if (message.status().goesOut() && gone.isPresent()) {
            LOG.warn("message {} is cancelled: its list {} is being deleted", message.ref(), gone.get());
            control.cancel(message.ref());
            return;
        }
        switch (message.status()) {
            case PENDING -> startIfDue(found);
            case QUEUING -> goOnQueuing(found);
            case PROCESSING -> goOnSending(found);
            case CANCELLED -> goOnCancelling(found);
            case COMPLETED, FAILED -> messages.archive(found);
            case MOVING -> LOG.debug("message {} is being moved", message.ref());
        }
    }

    private Optional<ListName> goneList(Message message) {
        return message.lists().stream()
                .filter(list -> lists.findActive(list).isEmpty())
                .findFirst();
    }

    private void startIfDue(Versioned<Message> pending) {
        Message message = pending.value();
        Optional<ListName> gone = goneList(message);
        if (gone.isPresent()) {
            ending.fail(pending, Reason.of(ReasonCode.LIST_GONE, gone.get().value()));
        } else if (message.due(time.instant()) && !message.paused()) {
            Optional<Message> ended = messages.findArchived(message);
            if (ended.isPresent()) {
                endAgain(pending, ended.get());
                return;
            }
            if (blobs.read(message.ref(), message.content().revision()).isEmpty()) {
                ending.fail(pending, Reason.of(ReasonCode.NO_BODY));
                return;
            }
            begin(pending);
        }
    }

    /** The rules by which recipients are counted are fixed in the same write; later shards use the same. */
    private void begin(Versioned<Message> pending) {
        Message message = pending.value();
        SegmentName segment = message.audience().segment();
        Optional<Segments.Resolved> rules =
                segment == null ? Optional.empty() : segments.resolve(message.list(), segment);
        List<MailingList> audience = message.lists().stream()
                .flatMap(list -> lists.findActive(list).stream())
                .toList();
        if (audience.stream().anyMatch(list -> list.shards() != message.shards())) {
            ending.fail(
                    pending,
                    Reason.of(ReasonCode.PARTS_DIFFER, message.audience().toString()));
        } else if (segment != null && rules.isEmpty()) {
            ending.fail(pending, Reason.of(ReasonCode.SEGMENT_GONE, segment.value()));
        } else if (segment != null && rules.get().rule() == null) {
            ending.fail(pending, Segments.broken(segment, rules.get().faults()));
        } else {
            String fixed = rules.flatMap(Segments.Resolved::applicable)
                    .map(RuleJson::text)
                    .orElse(null);
            messages.replace(pending, message.takenUp(fixed, mailClass(message, audience)))
                    .done()
                    .ifPresent(queuing -> {
                        LOG.info("message {} to {} is due", message.ref(), message.audience());
                        requeueing.shards(queuing.value(), message.shardNumbers(), false);
                    });
        }
    }

    /** The first list is that of the message's segment, and the one that counts for people on several. */
    private MailClass mailClass(Message message, List<MailingList> audience) {
        return message.mailClass() == null
                ? classes.forPlan(audience.isEmpty() ? null : audience.get(0).plan())
                : classes.of(message.mailClass());
    }

    /**
     * The process that moved it to this date slept until it had been sent, and put it here again; others may have changed it
     * since.
     */
    private void endAgain(Versioned<Message> pending, Message ended) {
        LOG.warn("message {} is not sent again: it had ended before it was moved here", ended.ref());
        messages.replace(pending, ended, time.instant()).done().ifPresent(messages::archive);
    }

    private void goOnQueuing(Versioned<Message> queuing) {
        Message message = queuing.value();
        String rules = message.audience().rules();
        SegmentName segment = message.audience().segment();
        if (rules != null && segment != null && RuleJson.read(rules).rule() == null) {
            ending.fail(queuing, Segments.broken(segment, RuleJson.read(rules).faults()));
            return;
        }
        MessageProgress progress = control.progress(message);
        pauseForFeedback(message, progress);
        if (!progress.walked()) {
            requeueing.shards(
                    message, message.shardNumbers().filter(shard -> !walked(new ShardKey(message.ref(), shard))), true);
            requeueing.ranges(message);
            return;
        }
        if (progress.recipients() == 0 && message.audience().occasion() == null) {
            ending.fail(queuing, Reason.of(ReasonCode.NO_SUBSCRIBERS));
            return;
        }
        messages.replace(queuing, message.become(MessageStatus.PROCESSING))
                .done()
                .ifPresent(processing -> complete(processing, progress));
    }

    private void goOnSending(Versioned<Message> processing) {
        if (processing.value().state().reopening() != null) {
            reopening.goOn(processing);
            return;
        }
        MessageProgress progress = control.progress(processing.value());
        if (!progress.finished()) {
            pauseForFeedback(processing.value(), progress);
            figures.grown(processing.value().ref(), progress.counts().sum());
        }
        complete(processing, progress);
    }

    /** Once; somebody who resumes it has seen the reason. */
    private void pauseForFeedback(Message message, MessageProgress progress) {
        if (!message.paused() && !message.state().warned()) {
            feedback.tooMany(progress.counts()).ifPresent(reason -> {
                LOG.warn("message {} is paused: {}", message.ref(), reason);
                control.pause(message.ref(), reason);
            });
        }
    }

    private void complete(Versioned<Message> processing, MessageProgress progress) {
        if (!ending.complete(processing, MessageStatus.COMPLETED, progress)) {
            requeueing.ranges(processing.value());
        }
    }

    private void goOnCancelling(Versioned<Message> cancelled) {
        Message message = cancelled.value();
        if (message.state().reopening() != null) {
            reopening.goOn(cancelled);
            return;
        }
        boolean walking = message.shardNumbers().anyMatch(shard -> !walked(new ShardKey(message.ref(), shard)));
        if (walking) {
            control.endWalks(message);
        }
        requeueing.ranges(message);
        ending.complete(cancelled, MessageStatus.CANCELLED);
    }

    private boolean walked(ShardKey key) {
        return deliveries.shard(key).map(shard -> shard.value().walked()).orElse(false);
    }
}
