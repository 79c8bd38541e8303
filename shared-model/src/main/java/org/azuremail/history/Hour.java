package org.azuremail.history;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * The counts of an hour, of one process or of all.
 *
 * @param emails that providers accepted
 * @param refused emails that they refused
 * @param processes the most that ran at the same time
 * @param queues by name, without idle ones
 */
public record Hour(long emails, long refused, long processes, Map<String, Queue> queues) {

    public static final Hour NOTHING = new Hour(0, 0, 0, Map.of());

    /**
     * The work for one queue.
     *
     * @param done finished items
     * @param failed failed attempts and dead letters
     * @param most the most items that waited
     * @param last the number of waiting items at the last reading
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

    /** Refused emails, failed attempts and dead letters. */
    public long failures() {
        return refused + queues.values().stream().mapToLong(Queue::failed).sum();
    }

    /** Adds the counts of the same process later in the hour. */
    Hour then(Hour later) {
        return plus(later, Queue::then);
    }

    /** Adds the counts of another process. */
    Hour with(Hour other) {
        return plus(other, Queue::with);
    }

    private Hour plus(Hour other, BinaryOperator<Queue> sum) {
        Map<String, Queue> all = new TreeMap<>(queues);
        other.queues.forEach((name, queue) -> all.merge(name, queue, sum));
        return new Hour(emails + other.emails, refused + other.refused, Math.max(processes, other.processes), all);
    }
}
