package org.azuremail.operations;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.work.Switches;
import org.azuremail.work.TuningOverride;
import org.azuremail.work.instance.Instances;
import org.jspecify.annotations.Nullable;

/**
 * The state of the service at one moment. The facts that instances report are up to one heartbeat old. Numbers of
 * waiting items are approximate, like those of the storage.
 *
 * @param at when the state was read
 * @param queues the queues, by name
 * @param services the scheduled services, by name
 * @param instances the live processes and those that fell silent lately; the process that reads the state is last
 * @param byOperation the storage calls of live processes, by store and operation
 * @param byName the same calls by table, queue or container, the most frequent first
 * @param all the sum of all these calls
 * @param emptyReceives the calls among them that asked a queue for items and got none
 * @param deadLettersCut whether there are more dead letters than were read
 * @param tuned the changes that admins made to queues and services, by name
 * @param ownCalls how many storage calls it took to read the state
 */
public record Overview(
        Instant at,
        List<Queue> queues,
        List<Service> services,
        List<Process> instances,
        List<Calls> byOperation,
        List<Calls> byName,
        Calls all,
        Calls emptyReceives,
        boolean deadLettersCut,
        Map<String, TuningOverride> tuned,
        long ownCalls) {

    public boolean idle() {
        return queues.stream().allMatch(queue -> queue.waiting() == 0);
    }

    /**
     * Returns the time since which the numbers of the last hour include all live processes, or {@code null} if that is
     * the whole hour. The numbers do not include processes that have ended.
     */
    public @Nullable Instant countedSince() {
        return instances.stream()
                .filter(Process::alive)
                .map(Process::startedAt)
                .filter(start -> start.plus(LastHour.HOUR).isAfter(at))
                .max(Instant::compareTo)
                .orElse(null);
    }

    /** Returns whether live processes use different templates. */
    public boolean templatesDiffer() {
        return instances.stream()
                        .filter(one -> one.alive() && !one.templates().isEmpty())
                        .map(Process::templates)
                        .distinct()
                        .count()
                > 1;
    }

    /**
     * Returns the template files that differ between live processes. A file that a process does not have counts as
     * different.
     */
    public List<String> differingTemplates() {
        List<Map<String, String>> files = instances.stream()
                .filter(one -> one.alive() && !one.templates().isEmpty())
                .map(Process::templateFiles)
                .toList();
        return files.stream()
                .flatMap(one -> one.keySet().stream())
                .distinct()
                .filter(name -> files.stream()
                                .map(one -> one.getOrDefault(name, ""))
                                .distinct()
                                .count()
                        > 1)
                .sorted()
                .toList();
    }

    public long stoppedServices() {
        return services.stream().filter(service -> service.stop() != null).count();
    }

    /**
     * A queue.
     *
     * @param waiting the approximate number of items that are not done, including those being handled and those that
     *     rest
     * @param oldest the age of the oldest item among the first 32 visible ones; {@code null} if none is visible
     * @param deliveries the most deliveries of one of these items; 0 if none is visible
     * @param average the time of handlers per finished item, in the last hour or, if no item was finished in it, since
     *     the processes started; {@code null} if no item was ever finished
     * @param places how many items all live instances together handle at the same time
     * @param remaining how long the waiting items will take; {@code null} if unknown
     * @param finished the items finished in the last hour
     * @param failed the tries that failed in the last hour
     * @param retried the deliveries in the last hour after which the item is delivered again although it did not fail
     * @param deadLetters the items that were given up and wait for an admin
     * @param stop the admin who stopped it, and when; {@code null} if it runs
     * @param waited how long items had waited when their work began, in the last hour
     */
    public record Queue(
            String name,
            long waiting,
            @Nullable Duration oldest,
            int deliveries,
            @Nullable Duration average,
            long places,
            @Nullable Duration remaining,
            long finished,
            long failed,
            long retried,
            int deadLetters,
            Switches.@Nullable Stop stop,
            WaitStatistics waited) {

        /** Returns whether items wait that no live instance handles, although the queue is not stopped. */
        public boolean abandoned() {
            return waiting > 0 && places == 0 && stop == null;
        }
    }

    /**
     * The waits of a queue's items in the last hour, over all live instances.
     *
     * @param looks the calls that asked for items
     * @param emptyLooks the calls among them that returned no items
     * @param begun the items whose work began for the first time
     * @param late the items among them that had waited for longer than their target
     * @param starved the items that were taken only because their queue had aged
     * @param steps how many items had waited for how long, by the steps of {@link org.azuremail.work.run.WaitHistogram}
     */
    public record WaitStatistics(
            long looks, long emptyLooks, long begun, long late, long starved, Map<Integer, Long> steps) {

        static final WaitStatistics NOTHING = new WaitStatistics(0, 0, 0, 0, 0, Map.of());

        WaitStatistics plus(WaitStatistics other) {
            Map<Integer, Long> both = new TreeMap<>(steps);
            other.steps.forEach((step, count) -> both.merge(step, count, Long::sum));
            return new WaitStatistics(
                    looks + other.looks,
                    emptyLooks + other.emptyLooks,
                    begun + other.begun,
                    late + other.late,
                    starved + other.starved,
                    both);
        }
    }

    /**
     * A scheduled service.
     *
     * @param instances how many live processes may run it; one at a time does
     * @param stop the admin who stopped it, and when; {@code null} if it runs
     */
    public record Service(String name, int instances, Switches.@Nullable Stop stop) {}

    /**
     * A process.
     *
     * @param id the id of the instance
     * @param name the name of its host
     * @param heartbeatAt the time of its last heartbeat, or the present time for the process that reads the state
     * @param alive whether its last heartbeat is recent and it is not known to have ended
     * @param gone whether it is known to have ended without being stopped; false if that is unknown
     * @param deaf whether signals of others do not reach it, so that it polls for work
     * @param busy the share of its places that was taken in the last hour, 0 to 1; {@code null} if it handles no items
     * @param calls its storage calls in the last hour
     * @param templates the version of the shared templates that it uses; empty for an older program
     * @param templateFiles the files among them that replace the product's own, with the hashes of their texts
     */
    public record Process(
            String id,
            String name,
            Set<String> roles,
            Instant startedAt,
            Instant heartbeatAt,
            boolean alive,
            boolean gone,
            boolean deaf,
            @Nullable Double busy,
            long calls,
            String templates,
            Map<String, String> templateFiles) {

        /** Returns whether the process is alive, but has missed a heartbeat by more than two clocks differ. */
        public boolean late(Instant at) {
            return alive
                    && heartbeatAt.plus(Instances.HEARTBEAT).plusSeconds(60).isBefore(at);
        }

        public @Nullable Long busyPercent() {
            return busy == null ? null : Math.round(busy * 100);
        }
    }

    /**
     * Storage calls.
     *
     * @param store {@code table}, {@code queue}, {@code blob}, or empty for all
     * @param what the operation, or the name of the table, queue or container
     * @param lately the calls in the last hour, or since the start of younger processes
     * @param total the calls since the start of the live processes
     * @param month the calls in a month of 30 days, projected from that hour; {@code null} for the first ten minutes
     * @param cost the cost of that month, at the price in the settings
     */
    public record Calls(
            String store,
            String what,
            long lately,
            long total,
            @Nullable Long month,
            @Nullable BigDecimal cost) {}
}
