package org.azuremail.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.LateCounts;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.MessageProgress;
import org.azuremail.delivery.Reopening;
import org.azuremail.delivery.ShardKey;
import org.azuremail.list.ListStore;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.message.Messages;
import org.azuremail.storage.Row;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Chores;
import org.azuremail.subscription.Confirmations;
import org.azuremail.time.Time;
import org.azuremail.work.ScheduledService;
import org.azuremail.work.Signals;
import org.azuremail.work.WorkQueues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler's one look at everything that is not final: starts what is due, queues again what lies idle, completes what
 * is done. Every step is repeatable; whatever a crash left half done, the next look goes on with.
 */
class DueMessages implements ScheduledService {

    private static final Logger LOG = LoggerFactory.getLogger(DueMessages.class);

    /** Two looks may fail, and who follows messages still looks. */
    private static final Duration ACTIVE_FOR = Duration.ofSeconds(150);

    /** For what nobody signalled, in a process that is alone: it died, mostly, and looks when it starts. */
    private static final Duration LONGEST_ALONE = Duration.ofHours(12);

    private final MessageStore messages;
    private final MessageBlobs blobs;
    private final ListStore lists;
    private final DeliveryStore deliveries;
    private final MessageControl control;
    private final Reopening reopening;
    private final Confirmations confirmations;
    private final LateCounts lateCounts;
    private final Time time;
    private final Requeueing requeueing;
    private final Ending ending;
    private final Signals signals;
    private final ChoreCalls choreCalls;
    private volatile Outlook outlook;

    DueMessages(
            MessageStore messages,
            MessageBlobs blobs,
            ListStore lists,
            DeliveryStore deliveries,
            MessageControl control,
            LateCounts lateCounts,
            Reopening reopening,
            Confirmations confirmations,
            WorkQueues work,
            Signals signals,
            Time time) {
        this.messages = messages;
        this.blobs = blobs;
        this.lists = lists;
        this.deliveries = deliveries;
        this.control = control;
        this.reopening = reopening;
        this.confirmations = confirmations;
        this.lateCounts = lateCounts;
        this.time = time;
        this.requeueing = new Requeueing(deliveries, control, work, time);
        this.ending = new Ending(messages, control, lateCounts, requeueing, time);
        this.signals = signals;
        this.choreCalls = new ChoreCalls(signals, time);
        this.outlook = new Outlook(time.instant());
    }

    @Override
    public String name() {
        return Messages.DUE_MESSAGES;
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(60);
    }

    /** While there is something under way another process must soon take over from one that died. */
    @Override
    public boolean active() {
        return outlook.active();
    }

    @Override
    public Duration restWhenAlone() {
        Outlook seen = outlook;
        if (seen.active()) {
            return interval();
        }
        Duration longest = seen.chores() ? ChoreCalls.AGAIN : LONGEST_ALONE;
        Duration untilDue =
                seen.next().map(due -> Duration.between(time.instant(), due)).orElse(longest);
        return untilDue.compareTo(longest) < 0 ? untilDue : longest;
    }

    @Override
    public void run() {
        MessageStore.ActiveIndex index = messages.activeIndex();
        Outlook seen = new Outlook(time.instant());
        List<Runnable> looks = new ArrayList<>();
        index.messages().forEach(entry -> looks.add(() -> look(entry, seen)));
        index.others().forEach(row -> looks.add(() -> lookAtOther(row, seen)));
        try {
            lookAtAll(looks);
        } catch (RuntimeException somethingIsLeft) {
            seen.sawSomething(true);
            throw somethingIsLeft;
        } finally {
            tellOf(seen);
        }
    }

    private void tellOf(Outlook seen) {
        outlook = seen;
        if (seen.active()) {
            signals.messagesActive(ACTIVE_FOR);
        }
    }

    private void lookAtOther(Row row, Outlook seen) {
        if (Confirmations.isIndexRow(row.rowKey())) {
            seen.sawSomething(confirmations.requeueStale(row));
        } else if (LateCounts.isIndexRow(row.rowKey())) {
            seen.sawChore();
            lateCounts.lookAt(row);
        }
        Chores.serviceOf(row).ifPresent(service -> {
            seen.sawChore();
            choreCalls.wake(service);
        });
    }

    /** What fails at one must not keep the others from being looked at. */
    private static void lookAtAll(List<Runnable> looks) {
        RuntimeException first = null;
        for (Runnable look : looks) {
            try {
                look.run();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void look(ActiveEntry entry, Outlook seen) {
        seen.dueAt(entry);
        messages.finishMove(entry, time.instant());
        Optional<Versioned<Message>> found = messages.findActive(entry.ref());
        if (found.isEmpty()) {
            messages.removeOrphan(entry, time.instant());
            return;
        }
        Message message = found.get().value();
        seen.saw(message);
        if (message.status().goesOut() && lists.findActive(message.list()).isEmpty()) {
            LOG.warn("message {} is cancelled: its list {} is being deleted", message.ref(), message.list());
            control.cancel(message.ref());
            return;
        }
        switch (message.status()) {
            case PENDING -> startIfDue(found.get());
            case QUEUING -> goOnQueuing(found.get());
            case PROCESSING -> goOnSending(found.get());
            case CANCELLED -> goOnCancelling(found.get());
            case COMPLETED, FAILED -> messages.archive(found.get());
            case MOVING -> LOG.debug("message {} is being moved", message.ref());
        }
    }

    private void startIfDue(Versioned<Message> pending) {
        Message message = pending.value();
        if (lists.findActive(message.list()).isEmpty()) {
            ending.fail(pending, "the list " + message.list() + " does not exist any more");
        } else if (message.due(time.instant()) && !message.paused()) {
            if (blobs.read(message.ref(), message.revision()).isEmpty()) {
                ending.fail(pending, "its body is missing");
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
            ending.fail(queuing, "no confirmed subscribers");
            return;
        }
        messages.replace(queuing, message.become(MessageStatus.PROCESSING))
                .done()
                .ifPresent(this::goOnSending);
    }

    private void goOnSending(Versioned<Message> processing) {
        if (!processing.value().reopening().isEmpty()) {
            reopening.goOn(processing);
            return;
        }
        if (!ending.complete(processing, MessageStatus.COMPLETED)) {
            requeueing.ranges(processing.value());
        }
    }

    private void goOnCancelling(Versioned<Message> cancelled) {
        Message message = cancelled.value();
        if (!message.reopening().isEmpty()) {
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
