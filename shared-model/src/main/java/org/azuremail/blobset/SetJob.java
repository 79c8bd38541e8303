package org.azuremail.blobset;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.azuremail.blobset.BlobSet.Element;
import org.jspecify.annotations.Nullable;

/**
 * Work over all of a set, in pieces, by any number of processes. A bean of this type is all it takes: any process that has the
 * scheduler's role works on its jobs. A piece may be worked on twice, even at the same time, but one conditional write decides
 * which result counts, so each piece goes into the result of the job once.
 *
 * @param <T> the values of the set
 * @param <R> what a piece comes to, and all pieces together
 */
public interface SetJob<T, R> {

    /** Unique and stable: rows of jobs name it. */
    String name();

    TextForm<T> values();

    TextForm<R> results();

    /** The number of values in one piece. */
    default int together() {
        return 64;
    }

    /**
     * Makes the set of a job that was started by {@link SetJobs#start}. May be repeated: values have ids that are always the
     * same.
     *
     * @param about what {@link SetJobs#start} was given
     * @throws JobFailure when the job is pointless
     */
    default void fill(BlobSet<T> set, Map<String, String> about) throws JobFailure {}

    /**
     * One step of a piece. Anything it does besides its result may happen more than once.
     *
     * @param values those of the piece that have not been removed
     * @param soFar what the step before came to; {@code null} at the first
     * @throws JobFailure when the job is pointless: it ends, and says why. Any other exception counts as a failure, and the fifth
     *     ends the job
     */
    Step<R> work(Piece piece, List<Element<T>> values, @Nullable R soFar) throws Exception;

    /**
     * Makes one result of two, in any order: {@code x⊙y = y⊙x} and {@code (x⊙y)⊙z = x⊙(y⊙z)}. Results that grow with what went in
     * cost time only.
     */
    R reduce(R one, R other) throws Exception;

    /** Follows the end of a job that nobody cancelled. It is repeated after a crash, so that it must not add anything twice. */
    default void done(End<R> end) {}

    /** Follows the end of a job that was cancelled or failed. It is repeated after a crash. */
    default void stopped(String job, Map<String, String> about) {}

    /**
     * The result of a step.
     *
     * @param result of this step and those before it
     * @param next where the next step begins; {@code null} after the last
     * @param handled how many of what the job counts this step has done
     */
    record Step<R>(R result, @Nullable String next, long handled) {

        public static <R> Step<R> last(R result, long handled) {
            return new Step<>(result, null, handled);
        }
    }

    /**
     * The end of a job.
     *
     * @param result empty when the set was
     * @param queue puts an item on the queue of its class
     */
    record End<R>(
            String job, Map<String, String> about, Instant startedAt, Optional<R> result, Consumer<Object> queue) {}
}
