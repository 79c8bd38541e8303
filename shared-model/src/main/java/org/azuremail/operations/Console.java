package org.azuremail.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.storage.Row;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.azuremail.work.TuningOverride;
import org.azuremail.work.WorkFacts;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Lease;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue or a scheduled service, and changes what an admin may change of it while it runs. Reading costs what
 * {@link Operations} costs and two storage calls. Safe for use from many threads. Throws a {@link
 * org.azuremail.storage.StorageException} if the storage is out of reach.
 */
public record Console(
        Operations operations,
        Instances instances,
        Leases leases,
        Signals signals,
        OperationsProperties settings,
        Time time) {

    /** How many times shorter than usual an interval may be. It is never less than a second. */
    static final int SHORTER = 100;

    /** How many times longer than usual an interval may be. */
    static final int LONGER = 10;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    /**
     * A scheduled service.
     *
     * @param processes how many live processes may run it
     * @param usual the interval unless an admin changes it; {@code null} if the service runs in every process, or if no
     *     process has reported it
     * @param tuned an admin's changes; {@code null} if there are none
     * @param lastRun the last run that is recorded, or {@code null} if none is; later runs of a frequent service are
     *     not recorded
     */
    public record Service(
            String name,
            int processes,
            Switches.@Nullable Stop stop,
            @Nullable Duration usual,
            @Nullable TuningOverride tuned,
            @Nullable Instant lastRun) {

        public @Nullable Duration every() {
            return tuned == null || tuned.interval() == null ? usual : tuned.interval();
        }

        public Duration shortest() {
            Duration part = usual == null ? Duration.ZERO : usual.dividedBy(SHORTER);
            return Durations.max(part, Duration.ofSeconds(1));
        }

        public Duration longest() {
            return usual == null ? Duration.ZERO : usual.multipliedBy(LONGER);
        }

        /** Returns whether the interval may be changed to this value. */
        public boolean allows(Duration interval) {
            return usual != null && interval.compareTo(shortest()) >= 0 && interval.compareTo(longest()) <= 0;
        }
    }

    /**
     * A queue.
     *
     * @param tuned an admin's changes; {@code null} if there are none
     * @param sharing the pool whose places it shares with other queues; empty if it has its own
     * @param limit the most items a second from each queue of the storage, by the settings or the console; 0 for no
     *     limit
     * @param lately the average number of items a second in the last hour
     * @param polling the ways in which the processes poll it while it is empty
     * @param most the most items that all processes together handle at the same time, if the number follows the length
     *     of the queue; 0 if it is fixed
     * @param recommended how many items at a time would finish the waiting items within {@link
     *     OperationsProperties#drainWithin}
     */
    public record Queue(
            Overview.Queue seen,
            @Nullable TuningOverride tuned,
            String sharing,
            int limit,
            double lately,
            Set<String> polling,
            long most,
            long recommended) {

        /** Returns whether more items at a time are recommended than these processes can handle. */
        public boolean tooFew() {
            return recommended > Math.max(most, seen.places());
        }

        /**
         * Returns the share of the limit that was used in the last hour, in percent, or {@code null} without a limit.
         */
        public @Nullable Long percentOfLimit() {
            return limit == 0 ? null : Math.round(100 * lately / limit);
        }
    }

    /**
     * @param priority 1 to {@link TuningOverride#MAX_PRIORITY}; {@code null} for the usual one
     * @param perSecond 1 to {@link TuningOverride#MAX_PER_SECOND}; {@code null} for the one in the settings
     */
    public record Weight(
            @Nullable Integer priority, @Nullable Integer perSecond) {

        public static Weight of(Optional<TuningOverride> tuned) {
            return new Weight(
                    tuned.map(TuningOverride::priority).orElse(null),
                    tuned.map(TuningOverride::perSecond).orElse(null));
        }
    }

    /** @return empty if no process has such a service */
    public Optional<Service> service(String name) {
        Overview overview = operations.overview();
        return overview.services().stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .map(service -> new Service(
                        name,
                        service.instances(),
                        service.stop(),
                        number(instances.liveNow(), WorkFacts.EVERY + name, Math::min)
                                .map(Duration::ofSeconds)
                                .orElse(null),
                        overview.tuned().get(name),
                        leases.read(name)
                                .map(Row::values)
                                .map(Lease::reportedRun)
                                .orElse(null)));
    }

    /** @return empty if there is no such queue */
    public Optional<Queue> queue(String name) {
        Overview overview = operations.overview();
        return overview.queues().stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .map(queue -> queue(queue, overview.tuned().get(name), instances.liveNow()));
    }

    private Queue queue(Overview.Queue seen, @Nullable TuningOverride tuned, Collection<Instance> live) {
        String name = seen.name();
        Integer perSecond = tuned == null ? null : tuned.perSecond();
        List<Instance> its =
                live.stream().filter(one -> one.queues().contains(name)).toList();
        return new Queue(
                seen,
                tuned,
                facts(its, WorkFacts.POOL + name).findFirst().orElse(""),
                perSecond == null
                        ? number(its, WorkFacts.LIMIT + name, Math::max)
                                .orElse(0L)
                                .intValue()
                        : perSecond,
                seen.finished() / (double) LastHour.HOUR.toSeconds(),
                facts(its, WorkFacts.POLLING).collect(Collectors.toCollection(TreeSet::new)),
                facts(its, WorkFacts.MOST + name)
                        .filter(NUMBER.asMatchPredicate())
                        .mapToLong(Long::parseLong)
                        .sum(),
                recommended(seen.waiting(), seen.average()));
    }

    /**
     * Returns how many items at a time would finish the waiting items in time; one while the time that an item takes is
     * unknown.
     */
    long recommended(long waiting, @Nullable Duration average) {
        if (waiting == 0) {
            return 0;
        }
        long within = settings.drainWithin().toMillis();
        long work = average == null ? 0 : average.multipliedBy(waiting).toMillis();
        return Math.max(1, (work + within - 1) / within);
    }

    /**
     * Changes the interval of a service in all processes.
     *
     * @param interval an interval that the service allows; {@code null} for the usual one
     * @param unless returns whether to leave the interval as it is, given the present tuning
     * @return false if it was left as it is
     */
    public boolean runEvery(
            String service, @Nullable Duration interval, Predicate<Optional<TuningOverride>> unless, String by) {
        TuningOverride wanted = new TuningOverride(service, interval, null, null, time.instant(), by);
        return operations.tune(service, now -> unless.test(now) ? Optional.empty() : Optional.of(wanted));
    }

    /**
     * Changes the priority and the limit of a queue in all processes.
     *
     * @param change receives the present tuning and returns the new weight, or an empty result to leave it as it is;
     *     called again if another process changes the tuning meanwhile
     * @return false if it was left as it is
     */
    public boolean weigh(String queue, Function<Optional<TuningOverride>, Optional<Weight>> change, String by) {
        return operations.tune(queue, now -> change.apply(now)
                .map(wanted ->
                        new TuningOverride(queue, null, wanted.priority(), wanted.perSecond(), time.instant(), by)));
    }

    /** Runs a service once as soon as possible, in one of the processes. */
    public void runNow(String service) {
        signals.runSoon(service);
    }

    private static Optional<Long> number(Collection<Instance> live, String fact, BinaryOperator<Long> which) {
        return facts(live, fact)
                .filter(NUMBER.asMatchPredicate())
                .map(Long::valueOf)
                .reduce(which);
    }

    private static Stream<String> facts(Collection<Instance> live, String fact) {
        return live.stream()
                .map(Instance::facts)
                .map(facts -> facts.getOrDefault(fact, ""))
                .filter(text -> !text.isEmpty());
    }
}
