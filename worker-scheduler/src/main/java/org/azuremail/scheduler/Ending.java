package org.azuremail.scheduler;

import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.FiguresWanted;
import org.azuremail.delivery.archive.LateCounts;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a message whose recipients all have an outcome: writes its last status with its sums, then archives it. */
record Ending(MessageStore messages, MessageControl control, LateCounts lateCounts, FiguresWanted figures, Time time) {

    private static final Logger LOG = LoggerFactory.getLogger(Ending.class);

    /**
     * Ends a message in this status if every recipient has an outcome. The write carries the ETag of the message row that was read
     * before the sums.
     *
     * @return whether every recipient has an outcome, so that nothing is left to queue
     */
    boolean complete(Versioned<Message> read, MessageStatus end) {
        return complete(read, end, control.progress(read.value()));
    }

    /** @param summed read after the message row, or after a version that only the caller has replaced since */
    boolean complete(Versioned<Message> read, MessageStatus end, MessageProgress summed) {
        Message message = read.value();
        MessageProgress progress = summed;
        if (!progress.finished() || message.state().reopening() != null) {
            return false;
        }
        if (progress.counts().unknown() > 0) {
            lateCounts.recountUnknown(message);
            progress = control.progress(message);
        }
        MessageProgress sums = progress;
        if (!sums.finished()) {
            return false;
        }
        figures.ask(message.ref());
        Message counted = message.counted(sums.recipients(), sums.counts(), time.instant());
        Message ended = end == MessageStatus.COMPLETED ? counted.become(end) : counted;
        Saved<Message> saved = messages.replace(read, ended);
        saved.done().ifPresent(done -> {
            messages.archive(done);
            LOG.info("message {} is {}: {}", message.ref(), end.stored(), sums.counts());
        });
        return true;
    }
}
