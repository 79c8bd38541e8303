package org.azuremail.blobset;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.azuremail.blobset.BlobSet.Element;
import org.azuremail.reason.Reason;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/**
 * A function over all values of a set. Any number of processes work on the set, piece by piece. Declaring a bean of
 * this type is enough: every process with the scheduler's role runs its jobs. A piece may run twice, even at the same
 * time, but one conditional write decides which result counts, so the result of the job includes each piece once.
 *
 * @param <T> the type of the values of the set
 * @param <R> the type of the result of a piece, and of the job
 */
public interface SetJob<T, R> {

    /** Returns the unique name of this function. It must never change, because rows of jobs contain it. */
    String name();

    TextCodec<T> values();

    TextCodec<R> results();

    default int pieceSize() {
        return 64;
    }

    /**
     * Fills the set of a job that {@link SetJobs#start} started. The call may be repeated, so each value must have the
     * same id each time.
     *
     * @param about the parameters of {@link SetJobs#start}
     * @throws Failure if the job cannot succeed
     */
    default void fill(BlobSet<T> set, Map<String, String> about) throws Failure {}

    /**
     * Runs one step of a piece. Its side effects may happen more than once.
     *
     * @param values the values of the piece that have not been removed
     * @param soFar the result of the previous step; {@code null} for the first step
     * @throws Failure if the job cannot succeed; it then ends with this reason. Any other exception counts as a
     *     failure, and the fifth failure ends the job
     */
    Step<R> work(Piece piece, List<Element<T>> values, @Nullable R soFar) throws Exception;

    /**
     * Combines two results. The order must not matter: {@code x⊙y = y⊙x} and {@code (x⊙y)⊙z = x⊙(y⊙z)}. Results may
     * grow with their input, which costs only time.
     */
    R reduce(R one, R other) throws Exception;

    /** Runs after a job has succeeded. The call is repeated after a crash, so it must be idempotent. */
    default void done(End<R> end) {}

    /** Runs after a job was cancelled or failed. The call is repeated after a crash. */
    default void stopped(String job, Map<String, String> about) {}

    /**
     * The result of a step.
     *
     * @param result the result of this step and all previous steps of the piece
     * @param next where the next step begins; {@code null} after the last step
     * @param handled the progress that this step adds, in the job's own measure
     */
    record Step<R>(R result, @Nullable String next, long handled) {

        public static <R> Step<R> last(R result, long handled) {
            return new Step<>(result, null, handled);
        }
    }

    /**
     * The end of a job.
     *
     * @param result the result of the job; empty if its set was empty
     * @param queue puts an item on the queue of its class
     */
    record End<R>(
            String job, Map<String, String> about, Instant startedAt, Optional<R> result, Consumer<Object> queue) {}

    /**
     * The input of one step of a job, besides values.
     *
     * @param next where this step begins, as returned by the previous step; {@code null} for the first step
     * @param startedAt the start of the job, which is the same for all of its pieces
     * @param queue puts items on the queues of their classes, in batches as their types specify
     * @param files stores a part of the job's file and returns its name. The part belongs to the job once a result that
     *     contains its name counts
     */
    record Piece(
            String job,
            Map<String, String> about,
            Instant startedAt,
            @Nullable String next,
            Consumer<List<Object>> queue,
            Function<byte[], String> files) {}

    /** Thrown if a job cannot succeed, however often it is tried. */
    final class Failure extends Exception {

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
