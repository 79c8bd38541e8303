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
import org.azuremail.history.ActivityHistory.HourlyCounts.HourlyQueueCounts;
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
    private final Supplier<HourlyCounts> totals;
    private final Instances instances;
    private final ToLongFunction<String> waiting;
    private final Time time;
    private final String process;
    private final Map<Integer, HourlyCounts> hours = new TreeMap<>();
    private HourlyCounts before = new HourlyCounts(0, 0, 0, Map.of());
    private LocalDate day = LocalDate.EPOCH;
    private boolean unwritten;

    /**
     * @param totals returns the counts of this process since its start; see {@link #totals}
     * @param waiting returns the approximate number of items in a queue
     * @param process the unique name of this process
     */
    HistoryRecorder(
            ActivityHistory history,
            Supplier<HourlyCounts> totals,
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

    static HourlyCounts totals(long emails, long refused, Map<String, Workload.QueueCounts> queues) {
        Map<String, HourlyQueueCounts> all = new HashMap<>();
        queues.forEach((queue, counts) -> {
            long done = counts.finished() - counts.dead();
            long failed = counts.failed() + counts.dead();
            if (done + failed > 0) {
                all.put(queue, new HourlyQueueCounts(done, failed, 0, 0));
            }
        });
        return new HourlyCounts(emails, refused, 0, all);
    }

    private synchronized void record() {
        HourlyCounts sums = totals.get();
        HourlyCounts now = new HourlyCounts(sums.emails(), sums.refused(), processes(), sums.queues());
        if (!now.equals(before)) {
            Map<String, HourlyQueueCounts> changed = new HashMap<>();
            now.queues().forEach((queue, total) -> {
                HourlyQueueCounts old = before.queue(queue);
                if (!total.equals(old)) {
                    long items = waiting.applyAsLong(queue);
                    changed.put(
                            queue,
                            new HourlyQueueCounts(
                                    total.done() - old.done(), total.failed() - old.failed(), items, items));
                }
            });
            add(new HourlyCounts(
                    now.emails() - before.emails(), now.refused() - before.refused(), now.processes(), changed));
            before = now;
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
