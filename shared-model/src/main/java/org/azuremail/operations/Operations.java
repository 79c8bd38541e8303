package org.azuremail.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.azuremail.storage.Page;
import org.azuremail.template.SharedTemplates;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.azuremail.work.TuningOverride;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.jspecify.annotations.Nullable;

/**
 * The present state of the service. Reading it costs three storage calls and one or two more for each queue (for each
 * partition, if a queue has several), no matter how many items wait. The result is shared by all readers for {@link
 * #CACHE_TTL}, during which reading costs nothing. Safe for use from many threads. Throws a {@link
 * org.azuremail.storage.StorageException} if the storage is out of reach.
 */
public final class Operations {

    /** The greatest age of the figures that are shown. */
    public static final Duration CACHE_TTL = Duration.ofSeconds(5);

    /** The number of dead letters that are read, newest first. */
    static final int DEAD_LETTERS = 200;

    private final Instances instances;
    private final ProcessFacts own;
    private final DeadLetters deadLetters;
    private final Switches switches;
    private final QueueProbe probe;
    private final Supplier<Set<String>> knownQueues;
    private final Supplier<Set<String>> formerQueues;
    private final OperationsProperties settings;
    private final Time time;
    private @Nullable Overview last;
    private Duration refreshedElapsed = Duration.ZERO;

    private record Known(Instance instance, ProcessReport report, Instant heartbeatAt, boolean alive) {}

    /** @param formerQueues queues that are shown only while items wait on them */
    Operations(
            Instances instances,
            ProcessFacts own,
            DeadLetters deadLetters,
            Switches switches,
            QueueProbe probe,
            Supplier<Set<String>> knownQueues,
            Supplier<Set<String>> formerQueues,
            OperationsProperties settings,
            Time time) {
        this.instances = instances;
        this.own = own;
        this.deadLetters = deadLetters;
        this.switches = switches;
        this.probe = probe;
        this.knownQueues = knownQueues;
        this.formerQueues = formerQueues;
        this.settings = settings;
        this.time = time;
    }

    /** Returns the state of the service now, or a few seconds ago. */
    public synchronized Overview overview() {
        Duration now = time.elapsed();
        if (last == null || now.minus(refreshedElapsed).compareTo(CACHE_TTL) >= 0) {
            last = refresh();
            refreshedElapsed = now;
        }
        return last;
    }

    /**
     * Returns how many items each live process has put on queues and taken off them since its start, by process. Empty
     * polls do not count. While the result stays the same, so do the queues. This costs one storage call; the counts of
     * other processes are up to a heartbeat old.
     */
    Map<String, Map<String, Long>> movements() {
        return known(time.instant()).stream()
                .filter(Known::alive)
                .collect(Collectors.toMap(
                        one -> one.instance().id(), one -> one.report().movements()));
    }

    /** Returns whether there is a queue or a scheduled service of this name. */
    public boolean knows(String name) {
        Overview overview = overview();
        return overview.queues().stream().anyMatch(queue -> queue.name().equals(name))
                || overview.services().stream()
                        .anyMatch(service -> service.name().equals(name));
    }

    /** Stops a queue or a scheduled service in all processes. Work in progress ends, and no more is begun. */
    public synchronized void stop(String name, String by) {
        switches.stop(name, by);
        last = null;
    }

    public synchronized void start(String name) {
        switches.start(name);
        last = null;
    }

    /**
     * Changes how a queue or a scheduled service runs, in all processes. {@link Console} defines which changes are
     * allowed.
     */
    synchronized boolean tune(String name, Function<Optional<TuningOverride>, Optional<TuningOverride>> change) {
        boolean tuned = switches.tune(name, change);
        last = null;
        return tuned;
    }

    private Overview refresh() {
        Instant now = time.instant();
        List<Known> known = known(now);
        List<ProcessReport> live =
                known.stream().filter(Known::alive).map(Known::report).toList();
        Page<DeadLetter> letters = deadLetters.page(DEAD_LETTERS, null);
        Map<String, Long> dead =
                letters.items().stream().collect(Collectors.groupingBy(DeadLetter::queue, Collectors.counting()));
        Switches.SwitchStates switchStates = switches.states();
        Map<String, Switches.Stop> stops = new HashMap<>(switchStates.stops());
        long calls = 3;
        List<Overview.Queue> queues = new ArrayList<>();
        Set<String> used = queues(known, live, dead.keySet());
        Set<String> names = new TreeSet<>(formerQueues.get());
        names.addAll(used);
        for (String queue : names) {
            QueueProbe.QueueState seen = probe.sample(queue, now);
            calls += seen.calls();
            if (seen.waiting() == 0 && !used.contains(queue)) {
                continue;
            }
            queues.add(line(queue, seen, new WorkSums(live, queue), dead.getOrDefault(queue, 0L), stops.remove(queue)));
        }
        CallSums sums = new CallSums(live, settings.pricePerMillion());
        return new Overview(
                now,
                queues,
                services(known, stops),
                known.stream().map(this::process).toList(),
                sums.byOperation(),
                sums.byName(),
                sums.all(),
                sums.emptyReceives(),
                !letters.last(),
                switchStates.tuned(),
                calls);
    }

    /** Returns the present facts of this process, which is alive, and the last reported facts of the others. */
    private List<Known> known(Instant now) {
        List<Known> all = new ArrayList<>();
        Optional<Instance> self = instances.self();
        for (Instance instance : instances.known()) {
            if (self.filter(me -> me.id().equals(instance.id())).isEmpty()) {
                all.add(new Known(
                        instance,
                        ProcessReport.read(instance.facts()),
                        instance.heartbeatAt(),
                        instances.alive(instance, now)));
            }
        }
        self.ifPresent(me -> all.add(new Known(me, ProcessReport.read(own.facts()), now, true)));
        return all;
    }

    private Set<String> queues(Collection<Known> known, Collection<ProcessReport> live, Collection<String> dead) {
        Set<String> queues = new TreeSet<>(knownQueues.get());
        known.forEach(one -> queues.addAll(one.instance().queues()));
        live.forEach(report -> queues.addAll(report.places().keySet()));
        queues.addAll(dead);
        return queues;
    }

    private static Overview.Queue line(
            String queue, QueueProbe.QueueState seen, WorkSums work, long deadLetters, Switches.@Nullable Stop stop) {
        return new Overview.Queue(
                queue,
                seen.waiting(),
                seen.oldest(),
                seen.deliveries(),
                work.average(),
                work.places(),
                stop == null ? work.remaining(seen.waiting()) : null,
                work.lately(ProcessReport.FINISHED),
                work.lately(ProcessReport.FAILED),
                work.lately(ProcessReport.RETRIED),
                (int) deadLetters,
                stop,
                work.waited());
    }

    /** Returns the services that live processes run, and all others that are stopped. */
    private static List<Overview.Service> services(List<Known> known, Map<String, Switches.Stop> stops) {
        Map<String, Integer> instances = new TreeMap<>();
        stops.keySet().forEach(name -> instances.put(name, 0));
        known.stream()
                .filter(Known::alive)
                .flatMap(one -> one.instance().services().stream())
                .forEach(name -> instances.merge(name, 1, Integer::sum));
        return instances.entrySet().stream()
                .map(entry -> new Overview.Service(entry.getKey(), entry.getValue(), stops.get(entry.getKey())))
                .toList();
    }

    private Overview.Process process(Known known) {
        Instance instance = known.instance();
        return new Overview.Process(
                instance.id(),
                instance.name(),
                instance.roles(),
                instance.startedAt(),
                known.heartbeatAt(),
                known.alive(),
                instances.isDead(instance.id()),
                known.alive() && instance.deaf(),
                known.report().busy().orElse(null),
                known.report().calls().values().stream()
                        .mapToLong(LastHour.Count::lately)
                        .sum(),
                instance.facts().getOrDefault(SharedTemplates.VERSION, ""),
                instance.factsBelow(SharedTemplates.FILE));
    }
}
