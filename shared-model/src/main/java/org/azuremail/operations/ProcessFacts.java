package org.azuremail.operations;

import java.util.Map;
import java.util.TreeMap;
import org.azuremail.id.AsciiWord;
import org.azuremail.storage.StorageCalls;
import org.azuremail.time.Time;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.run.Workload;

/**
 * The facts that this process reports to the others: its storage calls and its work, in the last hour and since its
 * start.
 */
final class ProcessFacts implements InstanceFacts {

    private final StorageCalls calls;
    private final Workload workload;
    private final LastHour hour;

    ProcessFacts(StorageCalls calls, Workload workload, Time time) {
        this.calls = calls;
        this.workload = workload;
        this.hour = new LastHour(time, this::totals);
    }

    @Override
    public Map<String, String> facts() {
        Map<String, Long> places = new TreeMap<>();
        workload.snapshot().forEach((queue, done) -> places.put(queue, (long) done.places()));
        return ProcessReport.write(hour.growth(), places, workload.capacity());
    }

    private Map<String, Long> totals() {
        Map<String, Long> totals = new TreeMap<>();
        calls.snapshot()
                .forEach((kind, count) -> totals.merge(
                        ProcessReport.callName(AsciiWord.of(kind.store()), kind.name(), AsciiWord.of(kind.operation())),
                        count.calls(),
                        Long::sum));
        workload.snapshot().forEach((queue, done) -> add(totals, queue, done));
        return totals;
    }

    private static void add(Map<String, Long> totals, String queue, Workload.QueueCounts done) {
        totals.put(ProcessReport.workName(queue, ProcessReport.EMPTY), done.emptyReceives());
        totals.put(ProcessReport.workName(queue, ProcessReport.FINISHED), done.finished());
        totals.put(ProcessReport.workName(queue, ProcessReport.RETRIED), done.retried());
        totals.put(ProcessReport.workName(queue, ProcessReport.FAILED), done.failed());
        totals.put(
                ProcessReport.workName(queue, ProcessReport.MILLIS), done.took().toMillis());
        totals.put(ProcessReport.workName(queue, ProcessReport.LOOKS), done.receives());
        totals.put(ProcessReport.workName(queue, ProcessReport.BEGUN), done.begun());
        totals.put(ProcessReport.workName(queue, ProcessReport.LATE), done.late());
        totals.put(ProcessReport.workName(queue, ProcessReport.STARVED), done.starved());
        done.waits()
                .forEach((step, count) -> totals.put(ProcessReport.workName(queue, ProcessReport.WAIT + step), count));
    }
}
