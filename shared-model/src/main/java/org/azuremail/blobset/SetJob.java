package org.azuremail.blobset;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.azuremail.blobset.BlobSet.Element;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A function over all values of a set, which any number of processes work on piece by piece. A bean of this type is enough: every
 * process with the scheduler's role runs its jobs. A piece may run twice, even at the same time, but one conditional write decides
 * which result counts, so each piece is in the result of the job once.
 *
 * @param <T> the values of the set
 * @param <R> the result of a piece, and of the job
 */
public interface SetJob<T, R> {

    /** Unique and stable: rows of jobs name it. */
    String name();

    TextForm<T> values();

    TextForm<R> results();

    default int together() {
        return 64;
    }

    /**
     * Fills the set of a job that {@link SetJobs#start} started. It may be repeated, so each value must have the same id each time.
     *
     * @param about the parameters of {@link SetJobs#start}
     * @throws Failure if the job cannot succeed
     */
    default void fill(BlobSet<T> set, Map<String, String> about) throws Failure {}

    /**
     * Runs one step of a piece. Its side effects may happen more than once.
     *
     * @param values those of the piece that have not been removed
     * @param soFar the result of the step before; {@code null} for the first step
     * @throws Failure if the job cannot succeed: it ends with this reason. Any other exception counts as a failure, and the
     *     fifth failure ends the job
     */
    Step<R> work(Piece piece, List<Element<T>> values, @Nullable R soFar) throws Exception;

    /**
     * Combines two results, in any order: {@code x⊙y = y⊙x} and {@code (x⊙y)⊙z = x⊙(y⊙z)}. Results that grow with their input cost
     * only time.
     */
    R reduce(R one, R other) throws Exception;

    /** Runs after a job has succeeded. It is repeated after a crash, so it must be idempotent. */
    default void done(End<R> end) {}

    /** Runs after a job was cancelled or failed. It is repeated after a crash. */
    default void stopped(String job, Map<String, String> about) {}

    /**
     * The result of a step.
     *
     * @param result of this step and those before it
     * @param next where the next step begins; {@code null} after the last
     * @param handled how much this step adds to the job's own measure of progress
     */
    record Step<R>(R result, @Nullable String next, long handled) {

        public static <R> Step<R> last(R result, long handled) {
            return new Step<>(result, null, handled);
        }
    }

    /**
     * The end of a job.
     *
     * @param result empty if the set was
     * @param queue puts an item on the queue of its class
     */
    record End<R>(
            String job, Map<String, String> about, Instant startedAt, Optional<R> result, Consumer<Object> queue) {}

    /**
     * The input of one step of a job, besides values.
     *
     * @param next where the step before ended; {@code null} for the first step
     * @param startedAt of the job: the same for all of its pieces
     * @param queue puts items on the queues of their classes, in batches as their types say
     * @param files stores a part of the job's file and returns its name; the part belongs to the job once a result with its name counts
     */
    record Piece(
            String job,
            Map<String, String> about,
            Instant startedAt,
            @Nullable String next,
            Consumer<List<Object>> queue,
            Function<byte[], String> files) {}

    /** A job cannot succeed, however often it is tried. */
    final class Failure extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Reason reason;

        public Failure(Reason reason) {
            super(reason.words());
            this.reason = reason;
        }

        Reason reason() {
            return reason;
        }
    }
}
