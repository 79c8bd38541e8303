package org.azuremail.operations;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.testmail.TestMail;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.azuremail.work.run.WaitHistogram;
import org.jspecify.annotations.Nullable;

/**
 * The figures of each mail class, and the switch that suspends it. Reading the figures costs what {@link
 * Operations#overview} costs, and nothing else. Safe for use from many threads. Throws a {@link
 * org.azuremail.storage.StorageException} if the storage is out of reach.
 */
public record ClassFigures(MailClasses classes, Operations operations, Time time) {

    private static final double MEDIAN = 0.5;
    private static final double MAX = 0.95;

    /**
     * The figures of one class. Waits are those of the last hour, or {@code null} if no item of the class was begun in
     * it.
     *
     * @param queues the queues of its messages, and of confirmations and test emails if it is the most urgent class
     * @param waiting the approximate number of items that are not done
     * @param oldest the age of the oldest visible item among the first of each queue; {@code null} if none is visible
     * @param remaining how long the waiting items will take; {@code null} if unknown
     * @param deadLetters the items that were given up and wait for an admin
     * @param median the time after its queueing within which half of the items were begun
     * @param most the time after its queueing within which 95 % of the items were begun
     * @param withinTarget the share of items that were begun within the target of the class, 0 to 1
     * @param starved the items that were taken only because the class had waited for its ageing bound
     * @param places how many items of it all live processes handle at the same time; in a strict pool, other classes
     *     share them
     * @param looks how often its queues were polled for items
     * @param emptyLooks how often a poll returned no items
     * @param stop the admin who suspended it, and when; {@code null} if it is not suspended
     * @param closedFor how long until its hours begin; zero during its hours
     */
    public record Figures(
            MailClass mailClass,
            List<String> queues,
            long waiting,
            @Nullable Duration oldest,
            @Nullable Duration remaining,
            long deadLetters,
            @Nullable Duration median,
            @Nullable Duration most,
            @Nullable Double withinTarget,
            long starved,
            long places,
            long looks,
            long emptyLooks,
            Switches.@Nullable Stop stop,
            Duration closedFor) {}

    /** Returns the figures of all classes, the most urgent one first. */
    public List<Figures> all() {
        return of(operations.overview());
    }

    public List<Figures> of(Overview overview) {
        return classes.all().stream().map(one -> figures(one, overview)).toList();
    }

    private Figures figures(MailClass one, Overview overview) {
        List<String> names = queuesOf(one);
        List<Overview.Queue> queues = overview.queues().stream()
                .filter(queue -> names.contains(queue.name()))
                .toList();
        Overview.WaitStatistics waited = queues.stream()
                .map(Overview.Queue::waited)
                .reduce(Overview.WaitStatistics.NOTHING, Overview.WaitStatistics::plus);
        boolean none = waited.begun() == 0;
        return new Figures(
                one,
                names,
                queues.stream().mapToLong(Overview.Queue::waiting).sum(),
                queues.stream().map(Overview.Queue::oldest).reduce(null, QueueProbe.QueueState::older),
                remaining(queues),
                queues.stream().mapToLong(Overview.Queue::deadLetters).sum(),
                none ? null : WaitHistogram.percentile(waited.steps(), MEDIAN),
                none ? null : WaitHistogram.percentile(waited.steps(), MAX),
                none ? null : 1 - (double) waited.late() / waited.begun(),
                waited.starved(),
                queues.stream().mapToLong(Overview.Queue::places).sum(),
                waited.looks(),
                waited.emptyLooks(),
                queues.stream()
                        .filter(queue -> queue.name().equals(names.get(0)))
                        .findFirst()
                        .map(Overview.Queue::stop)
                        .orElse(null),
                one.hours().closedFor(time.instant()));
    }

    private static @Nullable Duration remaining(List<Overview.Queue> queues) {
        Duration all = Duration.ZERO;
        for (Overview.Queue queue : queues) {
            Duration one = queue.remaining();
            if (one == null) {
                return null;
            }
            all = Durations.max(all, one);
        }
        return all;
    }

    /** Returns all queues from which emails are sent. */
    public Set<String> queues() {
        Set<String> queues = new TreeSet<>();
        classes.all().forEach(one -> queues.addAll(queuesOf(one)));
        return queues;
    }

    private List<String> queuesOf(MailClass one) {
        List<String> queues = new ArrayList<>(List.of(one.queue(MailItem.TYPE.queue())));
        if (one.equals(classes.mostUrgent())) {
            queues.add(ConfirmationItem.TYPE.queue());
            queues.add(TestMail.TYPE.queue());
        }
        return queues;
    }

    /**
     * Suspends the messages of a class in all processes. Runs end between two lots, and nothing is lost. Confirmations
     * and test emails are still sent, because people wait for them.
     *
     * @return empty if there is no such class
     */
    public Optional<MailClass> suspend(String label, String by) {
        Optional<MailClass> found = classes.find(label);
        found.ifPresent(one -> operations.stop(queuesOf(one).get(0), by));
        return found;
    }

    /** Resumes the messages of a class. Does nothing if they are not suspended. */
    public Optional<MailClass> resume(String label) {
        Optional<MailClass> found = classes.find(label);
        found.ifPresent(one -> operations.start(queuesOf(one).get(0)));
        return found;
    }
}
