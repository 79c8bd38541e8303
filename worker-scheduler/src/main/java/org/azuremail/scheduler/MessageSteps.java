package org.azuremail.scheduler;

import java.util.Optional;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.MessageProgress;
import org.azuremail.delivery.Reopening;
import org.azuremail.delivery.ShardKey;
import org.azuremail.list.ListStore;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The next step of a message, by its status. Each may be repeated: what a crash left half done, the next call goes on with. */
final class MessageSteps {

    private static final Logger LOG = LoggerFactory.getLogger(MessageSteps.class);

    private final MessageStore messages;
    private final MessageBlobs blobs;
    private final ListStore lists;
    private final DeliveryStore deliveries;
    private final MessageControl control;
    private final Reopening reopening;
    private final Requeueing requeueing;
    private final Ending ending;
    private final Time time;

    MessageSteps(
            MessageStore messages,
            MessageBlobs blobs,
            ListStore lists,
            DeliveryStore deliveries,
            MessageControl control,
            Reopening reopening,
            Requeueing requeueing,
            Ending ending,
            Time time) {
        this.messages = messages;
        this.blobs = blobs;
        this.lists = lists;
        this.deliveries = deliveries;
        this.control = control;
        this.reopening = reopening;
        this.requeueing = requeueing;
        this.ending = ending;
        this.time = time;
    }

    /** @param found the message as it was read; what changed since then is refused, and left to the next call */
    void next(Versioned<Message> found) {
        Message message = found.value();
        if (message.status().goesOut() && lists.findActive(message.list()).isEmpty()) {
            LOG.warn("message {} is cancelled: its list {} is being deleted", message.ref(), message.list());
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

    private void startIfDue(Versioned<Message> pending) {
        Message message = pending.value();
        if (lists.findActive(message.list()).isEmpty()) {
            ending.fail(pending, Reason.of(ReasonCode.LIST_GONE, message.list().value()));
        } else if (message.due(time.instant()) && !message.paused()) {
            Optional<Message> ended = messages.findArchived(message);
            if (ended.isPresent()) {
                endAgain(pending, ended.get());
                return;
            }
            if (blobs.read(message.ref(), message.revision()).isEmpty()) {
                ending.fail(pending, Reason.of(ReasonCode.NO_BODY));
                return;
            }
            messages.replace(pending, message.become(MessageStatus.QUEUING))
                    .done()
                    .ifPresent(queuing -> {
                        LOG.info("message {} to {} is due", message.ref(), message.list());
                        requeueing.shards(queuing.value(), message.shardNumbers(), false);
                    });
        }
    }

    /** Whoever moved it to this date slept until it had been sent, and put it here once more; others may have changed it since. */
    private void endAgain(Versioned<Message> pending, Message ended) {
        LOG.warn("message {} is not sent again: it had ended before it was moved here", ended.ref());
        messages.replace(pending, ended, time.instant()).done().ifPresent(messages::archive);
    }

    private void goOnQueuing(Versioned<Message> queuing) {
        Message message = queuing.value();
        MessageProgress progress = control.progress(message);
        if (!progress.walked()) {
            requeueing.shards(
                    message, message.shardNumbers().filter(shard -> !walked(new ShardKey(message.ref(), shard))), true);
            requeueing.ranges(message);
            return;
        }
        if (progress.recipients() == 0) {
            ending.fail(queuing, Reason.of(ReasonCode.NO_SUBSCRIBERS));
            return;
        }
        messages.replace(queuing, message.become(MessageStatus.PROCESSING))
                .done()
                .ifPresent(processing -> complete(processing, progress));
    }

    private void goOnSending(Versioned<Message> processing) {
        if (processing.value().reopening() != null) {
            reopening.goOn(processing);
            return;
        }
        complete(processing, control.progress(processing.value()));
    }

    private void complete(Versioned<Message> processing, MessageProgress progress) {
        if (!ending.complete(processing, MessageStatus.COMPLETED, progress)) {
            requeueing.ranges(processing.value());
        }
    }

    private void goOnCancelling(Versioned<Message> cancelled) {
        Message message = cancelled.value();
        if (message.reopening() != null) {
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
