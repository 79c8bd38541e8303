package org.azuremail.history;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.azuremail.history.ActivityHistory.HourlyCounts;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.run.Workload;
import org.azuremail.work.service.LocalService;

/**
 * Records the activity of this process in each hour. Every five minutes it compares its counts with the previous ones.
 * Only if they differ does it read the lengths of the queues concerned and write. An idle process makes no storage
 * call. A crash loses at most the last five minutes; an outage of the storage loses nothing, since the counts are
 * written later.
 */
final class HistoryRecorder implements LocalService {

    static final Duration EVERY = Duration.ofMinutes(5);

    private final ActivityHistory history;
    private final Supplier<Totals> totals;
    private final Instances instances;
    private final ToLongFunction<String> waiting;
    private final Time time;
    private final String process;
    private final Map<Integer, HourlyCounts> hours = new TreeMap<>();
    private Totals before = new Totals(0, 0, Map.of());
    private long processesBefore;
    private LocalDate day = LocalDate.EPOCH;
    private boolean unwritten;

    /** The counts of this process since its start. */
    record Totals(long emails, long refused, Map<String, Workload.QueueCounts> queues) {

        long of(String queue, ToLongFunction<Workload.QueueCounts> count) {
            Workload.QueueCounts done = queues.get(queue);
            return done == null ? 0 : count.applyAsLong(done);
        }
    }

    /**
     * @param waiting returns the approximate number of items in a queue
     * @param process the unique name of this process
     */
    HistoryRecorder(
            ActivityHistory history,
            Supplier<Totals> totals,
            Instances instances,
            ToLongFunction<String> waiting,
            String process,
            Time time) {
        this.history = history;
        this.totals = totals;
        this.instances = instances;
        this.waiting = waiting;
        this.process = process;
        this.time = time;
    }

    @Override
    public String name() {
        return "history";
    }

    @Override
    public Duration turn(boolean called) {
        record();
        return EVERY;
    }

    /** Records the last minutes before the process ends. */
    @Override
    public void end() {
        record();
    }

    private synchronized void record() {
        Totals now = totals.get();
        long processes = processes();
        Map<String, HourlyCounts.HourlyQueueCounts> changed = changes(now);
        boolean news = !changed.isEmpty()
                || now.emails() != before.emails()
                || now.refused() != before.refused()
                || processes != processesBefore;
        if (news) {
            changed.replaceAll((queue, done) -> withQueueLength(queue, done));
            add(new HourlyCounts(now.emails() - before.emails(), now.refused() - before.refused(), processes, changed));
            before = now;
            processesBefore = processes;
        }
        write();
    }

    /** Returns the number of processes, including this one even before its row exists. */
    private long processes() {
        String self = instances.self().map(Instance::id).orElse("");
        return 1
                + instances.lastSeen().stream()
                        .filter(one -> !one.id().equals(self))
                        .count();
    }

    private Map<String, HourlyCounts.HourlyQueueCounts> changes(Totals now) {
        Map<String, HourlyCounts.HourlyQueueCounts> changed = new HashMap<>();
        now.queues().keySet().forEach(queue -> {
            long dead = increase(now, queue, Workload.QueueCounts::dead);
            long done = increase(now, queue, Workload.QueueCounts::finished) - dead;
            long failed = increase(now, queue, Workload.QueueCounts::failed) + dead;
            if (done + failed > 0) {
                changed.put(queue, new HourlyCounts.HourlyQueueCounts(done, failed, 0, 0));
            }
        });
        return changed;
    }

    private long increase(Totals now, String queue, ToLongFunction<Workload.QueueCounts> count) {
        return now.of(queue, count) - before.of(queue, count);
    }

    private HourlyCounts.HourlyQueueCounts withQueueLength(String queue, HourlyCounts.HourlyQueueCounts done) {
        long items = waiting.applyAsLong(queue);
        return new HourlyCounts.HourlyQueueCounts(done.done(), done.failed(), items, items);
    }

    /**
     * Adds counts to their hour. If the clock was set back across midnight, they are added to the first hour of the
     * later day, because the earlier day is already written.
     */
    private void add(HourlyCounts counts) {
        ZonedDateTime now = time.instant().atZone(ZoneOffset.UTC);
        LocalDate today = now.toLocalDate();
        boolean setBack = today.plusDays(1).equals(day);
        if (!today.equals(day) && !setBack) {
            write();
            hours.clear();
            day = today;
        }
        hours.merge(setBack ? 0 : now.getHour(), counts, HourlyCounts::plusLater);
        unwritten = true;
    }

    private void write() {
        if (unwritten) {
            history.write(day, process, hours);
            unwritten = false;
        }
    }
}
