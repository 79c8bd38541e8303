package org.azuremail.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.FiguresWanted;
import org.azuremail.delivery.archive.LateCounts;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.list.ListStore;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStore;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.message.Messages;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Row;
import org.azuremail.subscription.Confirmations;
import org.azuremail.subscription.growth.Growth;
import org.azuremail.subscription.store.Chores;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;

/**
 * The scheduler's one look at everything that is not final: every message makes its next step, whatever else is in the
 * index is looked after. Every step is repeatable; whatever a crash left half done, the next look goes on with.
 */
class DueMessages implements ScheduledService {

    /** Two looks may fail, and who follows messages still looks. */
    private static final Duration ACTIVE_FOR = Duration.ofSeconds(150);

    /** For what nobody signalled, in a process that is alone: it died, mostly, and looks when it starts. */
    private static final Duration LONGEST_ALONE = Duration.ofHours(12);

    private final MessageStore messages;
    private final Confirmations confirmations;
    private final LateCounts lateCounts;
    private final Growth growth;
    private final Time time;
    private final MessageSteps steps;
    private final Signals signals;
    private final ChoreCalls choreCalls;
    private final Requeueing requeueing;
    private volatile Outlook outlook;

    DueMessages(
            MessageStore messages,
            MessageBlobs blobs,
            ListStore lists,
            Segments segments,
            MailClasses classes,
            DeliveryStore deliveries,
            MessageControl control,
            LateCounts lateCounts,
            Reopening reopening,
            Confirmations confirmations,
            FiguresWanted figures,
            FeedbackProperties feedback,
            Growth growth,
            WorkQueues work,
            RangeQueues ranges,
            Switches switches,
            Signals signals,
            Time time) {
        this.messages = messages;
        this.confirmations = confirmations;
        this.lateCounts = lateCounts;
        this.growth = growth;
        this.time = time;
        this.requeueing = new Requeueing(
                deliveries,
                control,
                work,
                message -> switches.stopped(ranges.queueOf(message)) || ranges.closed(message, time.instant()),
                time);
        Ending ending = new Ending(messages, control, lateCounts, figures, time);
        this.steps = new MessageSteps(
                messages,
                blobs,
                lists,
                segments,
                classes,
                deliveries,
                control,
                reopening,
                requeueing,
                ending,
                figures,
                feedback,
                time);
        this.signals = signals;
        this.choreCalls = new ChoreCalls(signals, time);
        this.outlook = new Outlook(time.instant());
    }

    /** Of how many ranges and shards this process remembers that it queued them. */
    int remembered() {
        return requeueing.remembered();
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
        growth.wakeOnNewDay(signals);
        MessageStore.ActiveIndex index = messages.activeIndex();
        requeueing.forgetAllBut(index.messages().stream().map(ActiveEntry::ref).collect(Collectors.toSet()));
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
        if (seen.active() != outlook.active()) {
            signals.needAttention();
        }
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

    /** A failure at one message must not keep the others from being looked at. */
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
        messages.look(entry, time.instant()).ifPresent(found -> {
            seen.saw(found.value());
            steps.next(found);
        });
    }
}
