package org.azuremail.history;

import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of an hour, of one process or of all.
 *
 * @param emails that providers took
 * @param refused emails that they refused
 * @param processes that lived, the most that were seen
 * @param queues by name; those for which nothing was done are left out
 */
public record Hour(long emails, long refused, long processes, Map<String, Queue> queues) {

    public static final Hour NOTHING = new Hour(0, 0, 0, Map.of());

    /**
     * The work for one queue.
     *
     * @param done items that were finished
     * @param failed tries that failed, and items that were given up
     * @param most items that waited, the most that were seen
     * @param last items that waited when somebody looked last
     */
    public record Queue(long done, long failed, long most, long last) {

        static final Queue NOTHING = new Queue(0, 0, 0, 0);

        /** Adds the counts of the same process later in the hour. */
        Queue then(Queue later) {
            return new Queue(done + later.done, failed + later.failed, Math.max(most, later.most), later.last);
        }

        /** Adds the counts of another process. */
        Queue with(Queue other) {
            return new Queue(
                    done + other.done, failed + other.failed, Math.max(most, other.most), Math.max(last, other.last));
        }
    }

    public Hour {
        queues = Map.copyOf(queues);
    }

    public Queue queue(String name) {
        return queues.getOrDefault(name, Queue.NOTHING);
    }

    /** Emails that were refused, tries that failed and items that were given up. */
    public long failures() {
        return refused + queues.values().stream().mapToLong(Queue::failed).sum();
    }

    Hour then(Hour later) {
        Map<String, Queue> all = new TreeMap<>(queues);
        later.queues.forEach((name, queue) -> all.merge(name, queue, Queue::then));
        return plus(later, all);
    }

    Hour with(Hour other) {
        Map<String, Queue> all = new TreeMap<>(queues);
        other.queues.forEach((name, queue) -> all.merge(name, queue, Queue::with));
        return plus(other, all);
    }

    private Hour plus(Hour other, Map<String, Queue> all) {
        return new Hour(emails + other.emails, refused + other.refused, Math.max(processes, other.processes), all);
    }
}
