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
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.azuremail.work.Tuned;
import org.azuremail.work.WorkFacts;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Lease;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * One queue or one scheduled service, and what an admin may change of it while it runs. Looking costs what {@link Operations}
 * costs and two storage calls. Safe for use from many threads; throws a {@link org.azuremail.storage.StorageException} when the
 * storage is out of reach.
 */
public record Console(
        Operations operations,
        Instances instances,
        Leases leases,
        Signals signals,
        OperationsProperties settings,
        Time time) {

    /** An interval may be this many times shorter than usual; never less than a second. */
    static final int SHORTER = 100;

    /** An interval may be this many times longer than usual. */
    static final int LONGER = 10;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    /**
     * A scheduled service.
     *
     * @param processes how many that live may run it
     * @param usual its interval unless somebody changes it; {@code null} where it runs in every process for itself, or no
     *     process has said
     * @param tuned how somebody changed it; {@code null} when it is as usual
     * @param lastRun the last run that is recorded: of a service that runs often, later ones are not; {@code null} when none is
     */
    public record Service(
            String name,
            int processes,
            Switches.@Nullable Stop stop,
            @Nullable Duration usual,
            @Nullable Tuned tuned,
            @Nullable Instant lastRun) {

        public @Nullable Duration every() {
            return tuned == null || tuned.interval() == null ? usual : tuned.interval();
        }

        public Duration shortest() {
            Duration part = usual == null ? Duration.ZERO : usual.dividedBy(SHORTER);
            return part.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : part;
        }

        public Duration longest() {
            return usual == null ? Duration.ZERO : usual.multipliedBy(LONGER);
        }

        /** Returns whether its interval may be changed, and to this. */
        public boolean allows(Duration interval) {
            return usual != null && interval.compareTo(shortest()) >= 0 && interval.compareTo(longest()) <= 0;
        }
    }

    /**
     * A queue.
     *
     * @param tuned how somebody changed it; {@code null} when it is as usual
     * @param sharing the pool whose places it shares with other queues; empty when it has its own
     * @param limit items a second from each queue of the storage, by the settings or the console; 0 for any number
     * @param lately items a second in the last hour, on average
     * @param polling how the processes look at it while it is empty
     * @param most up to how many items at a time all processes together handle, where the number follows the queue; 0 where it
     *     is fixed
     * @param recommended how many items at a time would have what waits done within {@link OperationsProperties#drainWithin}
     */
    public record Queue(
            Overview.Queue seen,
            @Nullable Tuned tuned,
            String sharing,
            int limit,
            double lately,
            Set<String> polling,
            long most,
            long recommended) {

        /** Returns whether more would be needed than these processes can do. */
        public boolean tooFew() {
            return recommended > Math.max(most, seen.places());
        }

        /** Its share of the limit in the last hour, in percent; {@code null} without a limit. */
        public @Nullable Long percentOfLimit() {
            return limit == 0 ? null : Math.round(100 * lately / limit);
        }
    }

    /**
     * @param priority 1 to {@link Tuned#MOST_PRIORITY}; {@code null} for the usual one
     * @param perSecond 1 to {@link Tuned#MOST_PER_SECOND}; {@code null} for what the settings say
     */
    public record Weight(
            @Nullable Integer priority, @Nullable Integer perSecond) {

        public static Weight of(Optional<Tuned> tuned) {
            return new Weight(
                    tuned.map(Tuned::priority).orElse(null),
                    tuned.map(Tuned::perSecond).orElse(null));
        }
    }

    /** @return empty when no process has such a service */
    public Optional<Service> service(String name) {
        Overview look = operations.look();
        return look.services().stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .map(service -> new Service(
                        name,
                        service.instances(),
                        service.stop(),
                        number(live(), WorkFacts.EVERY + name, Math::min)
                                .map(Duration::ofSeconds)
                                .orElse(null),
                        look.tuned().get(name),
                        leases.read(name).map(Row::values).map(Lease::toldRun).orElse(null)));
    }

    /** @return empty when there is no such queue */
    public Optional<Queue> queue(String name) {
        Overview look = operations.look();
        return look.queues().stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .map(queue -> queue(queue, look.tuned().get(name), live()));
    }

    private Queue queue(Overview.Queue seen, @Nullable Tuned tuned, Collection<Instance> live) {
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

    /** Returns how many items at a time would finish so many in time; one while the time of an item is unknown. */
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
     * @param interval one that the service allows; {@code null} for the usual one
     * @param unless whether to leave it, given how it is tuned now
     * @return false when it was left
     */
    public boolean runEvery(String service, @Nullable Duration interval, Predicate<Optional<Tuned>> unless, String by) {
        Tuned wanted = new Tuned(service, interval, null, null, time.instant(), by);
        return operations.tune(service, now -> unless.test(now) ? Optional.empty() : Optional.of(wanted));
    }

    /**
     * Changes the priority and the limit of a queue in all processes.
     *
     * @param change is given how it is tuned now, again when somebody else changes that meanwhile; it answers nothing to leave it
     * @return false when it was left
     */
    public boolean weigh(String queue, Function<Optional<Tuned>, Optional<Weight>> change, String by) {
        return operations.tune(queue, now -> change.apply(now)
                .map(wanted -> new Tuned(queue, null, wanted.priority(), wanted.perSecond(), time.instant(), by)));
    }

    /** Lets a service run as soon as it may, once over all processes. */
    public void runNow(String service) {
        signals.runSoon(service);
    }

    private List<Instance> live() {
        Instant now = time.instant();
        return instances.known().stream()
                .filter(instance -> instances.alive(instance, now))
                .toList();
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
