package org.azuremail.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.delivery.archive.PendingRecounts;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.message.Messages;
import org.azuremail.storage.Row;
import org.azuremail.subscription.Growth;
import org.azuremail.subscription.SubscriberChores;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;

/**
 * The scheduler's pass over all messages that are not final. It takes each message to its next step and maintains
 * everything else in the index. Each step can be repeated: the next pass continues what a crash left unfinished.
 */
class DueMessages implements ScheduledService {

    /**
     * The time for which messages count as active. Two passes may fail within it, and the services that follow messages
     * still poll.
     */
    private static final Duration ACTIVE_FOR = Duration.ofSeconds(150);

    /**
     * The longest interval of a process that runs alone, for changes without a signal. Most of these happen because the
     * process died before it could signal, and it checks when it starts again.
     */
    private static final Duration MAX_ALONE = Duration.ofHours(12);

    /** The shortest time between two calls of a service that has maintenance to do. */
    static final Duration CHORE_INTERVAL = Duration.ofMinutes(5);

    private final MessageStore messages;
    private final MessageSteps steps;
    private final Reconciler reconciler;
    private final HeldMessages held;
    private final SubscriberChores chores;
    private final PendingRecounts pendingRecounts;
    private final Growth growth;
    private final Signals signals;
    private final Time time;
    private final Map<String, Duration> choresElapsed = new HashMap<>();
    private volatile NextDue nextDue;

    DueMessages(
            MessageStore messages,
            MessageSteps steps,
            Reconciler reconciler,
            HeldMessages held,
            SubscriberChores chores,
            PendingRecounts pendingRecounts,
            Growth growth,
            Signals signals,
            Time time) {
        this.messages = messages;
        this.steps = steps;
        this.reconciler = reconciler;
        this.held = held;
        this.chores = chores;
        this.pendingRecounts = pendingRecounts;
        this.growth = growth;
        this.signals = signals;
        this.time = time;
        this.nextDue = new NextDue(time.instant());
    }

    @Override
    public String name() {
        return Messages.DUE_MESSAGES;
    }

    /** The interval is shorter before a message is due, so that its sending starts in time. */
    @Override
    public Duration interval() {
        return nextDue.untilNext()
                .filter(wait -> wait.compareTo(NextDue.NEAR) < 0)
                .orElse(NextDue.NEAR);
    }

    /** While anything is under way, another process must soon take over from one that died. */
    @Override
    public boolean active() {
        return nextDue.active();
    }

    @Override
    public Duration restAsOnlyProcess() {
        NextDue seen = nextDue;
        if (seen.active()) {
            return interval();
        }
        Duration longest = seen.chores() ? CHORE_INTERVAL : MAX_ALONE;
        Duration untilDue =
                seen.next().map(due -> Duration.between(time.instant(), due)).orElse(longest);
        return Durations.min(untilDue, longest);
    }

    @Override
    public void run() {
        growth.wakeOnNewDay(signals);
        MessageStore.ActiveIndex index = messages.activeIndex();
        Set<MessageRef> all = index.messages().stream().map(ActiveEntry::ref).collect(Collectors.toSet());
        reconciler.retainOnly(all);
        held.retainOnly(all);
        NextDue seen = new NextDue(time.instant());
        List<Runnable> checks = new ArrayList<>();
        index.messages().forEach(entry -> checks.add(() -> check(entry, seen)));
        index.others().forEach(row -> checks.add(() -> checkOther(row, seen)));
        try {
            checkAll(checks);
        } catch (RuntimeException somethingIsLeft) {
            seen.observeWork(true);
            throw somethingIsLeft;
        } finally {
            announce(seen);
        }
    }

    private void announce(NextDue seen) {
        if (seen.active() != nextDue.active()) {
            signals.needAttention();
        }
        nextDue = seen;
        if (seen.active()) {
            signals.messagesActive(ACTIVE_FOR);
        }
    }

    private void checkOther(Row row, NextDue seen) {
        if (SubscriberChores.isIndexRow(row.rowKey())) {
            seen.observeWork(chores.requeueStale(row));
        } else if (PendingRecounts.isIndexRow(row.rowKey())) {
            seen.observeChore();
            pendingRecounts.recountIfDue(row);
        }
        ServiceChoreIndex.serviceOf(row).ifPresent(service -> {
            seen.observeChore();
            wake(service);
        });
    }

    private void wake(String service) {
        Duration now = time.elapsed();
        Duration woken = choresElapsed.get(service);
        if (woken == null || now.minus(woken).compareTo(CHORE_INTERVAL) >= 0) {
            choresElapsed.put(service, now);
            signals.runSoon(service);
        }
    }

    /** A failure at one message must not prevent the others from being processed. */
    private static void checkAll(List<Runnable> checks) {
        RuntimeException first = null;
        for (Runnable look : checks) {
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

    private void check(ActiveEntry entry, NextDue seen) {
        if (held.canSkipCheck(entry)) {
            return;
        }
        messages.resolve(entry, time.instant()).ifPresent(found -> {
            Message message = found.value();
            boolean waits = held.isHeld(message);
            seen.observe(message, waits, held.closedFor(message));
            boolean mayRest = waits || held.waitsForItsDate(message);
            if (!mayRest || held.due(entry, found)) {
                steps.next(found);
            }
        });
    }
}
