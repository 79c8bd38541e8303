package org.azuremail.operations;

import java.util.Map;
import java.util.TreeMap;
import org.azuremail.id.AsciiWord;
import org.azuremail.storage.StorageCalls;
import org.azuremail.time.Time;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.run.Workload;

/** The facts that this process reports to the others: its storage calls and its work, in the last hour and since its start. */
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
        return Report.write(hour.growth(), places, workload.capacity());
    }

    private Map<String, Long> totals() {
        Map<String, Long> totals = new TreeMap<>();
        calls.snapshot()
                .forEach((kind, count) -> totals.merge(
                        Report.callName(AsciiWord.of(kind.store()), kind.name(), AsciiWord.of(kind.operation())),
                        count.calls(),
                        Long::sum));
        workload.snapshot().forEach((queue, done) -> add(totals, queue, done));
        return totals;
    }

    private static void add(Map<String, Long> totals, String queue, Workload.Done done) {
        totals.put(Report.workName(queue, Report.EMPTY), done.emptyReceives());
        totals.put(Report.workName(queue, Report.FINISHED), done.finished());
        totals.put(Report.workName(queue, Report.RETRIED), done.retried());
        totals.put(Report.workName(queue, Report.FAILED), done.failed());
        totals.put(Report.workName(queue, Report.MILLIS), done.took().toMillis());
        totals.put(Report.workName(queue, Report.LOOKS), done.receives());
        totals.put(Report.workName(queue, Report.BEGUN), done.begun());
        totals.put(Report.workName(queue, Report.LATE), done.late());
        totals.put(Report.workName(queue, Report.STARVED), done.starved());
        done.waits().forEach((step, count) -> totals.put(Report.workName(queue, Report.WAIT + step), count));
    }
}
