package org.azuremail.operations;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.work.Switches;
import org.azuremail.work.Tuned;
import org.azuremail.work.instance.Instances;
import org.jspecify.annotations.Nullable;

/**
 * The state of the service at one moment. The facts that instances report are up to one heartbeat old; numbers of waiting items
 * are approximate, as the storage's are.
 *
 * @param at when it was looked at
 * @param queues by name
 * @param services scheduled services, by name
 * @param instances who lives and who fell silent lately; last the process that looks
 * @param byOperation storage calls of those who live, by store and operation
 * @param byName the same calls by table, queue or container, the most frequent first
 * @param all all these calls together
 * @param emptyReceives those among them that asked a queue and got nothing
 * @param deadLettersCut whether there are more dead letters than were looked at
 * @param tuned what admins changed of queues and services, by name
 * @param ownCalls how many storage calls it took to look
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
        Map<String, Tuned> tuned,
        long ownCalls) {

    public boolean idle() {
        return queues.stream().allMatch(queue -> queue.waiting() == 0);
    }

    /**
     * Since when the numbers of the last hour count all that is alive now, where that is less than an hour; what processes that
     * have ended did is not in them.
     */
    public @Nullable Instant countedSince() {
        return instances.stream()
                .filter(Process::alive)
                .map(Process::startedAt)
                .filter(start -> start.plus(LastHour.HOUR).isAfter(at))
                .max(Instant::compareTo)
                .orElse(null);
    }

    /** Returns whether processes that live read different templates. */
    public boolean templatesDiffer() {
        return instances.stream()
                        .filter(one -> one.alive() && !one.templates().isEmpty())
                        .map(Process::templates)
                        .distinct()
                        .count()
                > 1;
    }

    /** The files of templates in which they differ; one that a process does not have counts as another one. */
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
     * @param waiting items that are not done, approximately; those being handled and those that rest count as well
     * @param oldest age of the oldest item among the first 32 that are visible; {@code null} when none is
     * @param deliveries how often one of these was delivered, at most; 0 when none is visible
     * @param average time of handlers per finished item, in the last hour or, when nothing was finished in it, since the
     *     processes started; {@code null} when nothing ever was
     * @param places how many items all live instances together handle at the same time
     * @param remaining how long the waiting items will take; {@code null} if unknown
     * @param finished items in the last hour
     * @param failed tries that failed in the last hour
     * @param retried deliveries in the last hour that ended with <em>not now</em>
     * @param deadLetters items that were given up and wait for a person
     * @param stop who stopped it, and when; {@code null} when it runs
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
            Waited waited) {

        /** Returns whether items wait and no instance that lives would take them, although nobody stopped the queue. */
        public boolean abandoned() {
            return waiting > 0 && places == 0 && stop == null;
        }
    }

    /**
     * The waits of a queue's items in the last hour, over all live instances.
     *
     * @param looks calls that asked for items
     * @param emptyLooks those among them that got none
     * @param begun items whose work began for the first time
     * @param late those among them that had waited for longer than their target
     * @param starved items that were taken only because their queue had waited for so long
     * @param steps how long items had waited, by the steps of {@link org.azuremail.work.run.Waits}
     */
    public record Waited(long looks, long emptyLooks, long begun, long late, long starved, Map<Integer, Long> steps) {

        static final Waited NOTHING = new Waited(0, 0, 0, 0, 0, Map.of());

        Waited plus(Waited other) {
            Map<Integer, Long> both = new TreeMap<>(steps);
            other.steps.forEach((step, count) -> both.merge(step, count, Long::sum));
            return new Waited(
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
     * @param instances how many that live may run it; one at a time does
     * @param stop who stopped it, and when; {@code null} when it runs
     */
    public record Service(String name, int instances, Switches.@Nullable Stop stop) {}

    /**
     * A process.
     *
     * @param id names it
     * @param name its host
     * @param heartbeatAt when it last said that it lives; of the process that looks, now
     * @param alive whether it said so lately, and is not known to have ended
     * @param gone whether it is known to have ended without being stopped; false where nobody can know
     * @param deaf whether signals of others do not reach it: it looks for work by itself
     * @param busy which share of its places was taken in the last hour, 0 to 1; {@code null} when it handles no items
     * @param calls its storage calls in the last hour
     * @param templates names the templates that all lists share as it reads them; empty of an older version
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

        /** Returns whether it lives, but has missed a heartbeat by more than two clocks differ. */
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
     * @param lately in the last hour, or since the start of those who are younger
     * @param total since the start of those who live
     * @param month in a month of 30 days if all months were like that hour; {@code null} for the first ten minutes
     * @param cost of that month, at the price in the settings
     */
    public record Calls(
            String store,
            String what,
            long lately,
            long total,
            @Nullable Long month,
            @Nullable BigDecimal cost) {}
}
