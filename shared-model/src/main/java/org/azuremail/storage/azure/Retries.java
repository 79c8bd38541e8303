package org.azuremail.storage.azure;

import com.azure.core.http.HttpResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** The tries of one call: whether there is another, after which pause, and what the last answer then proves. */
final class Retries {

    /** The result of one try: an answer or a failure. */
    record Answer(@Nullable HttpResponse response, @Nullable Throwable failure) {

        static Answer of(HttpResponse response) {
            return new Answer(response, null);
        }

        static Answer of(Throwable failure) {
            return new Answer(null, failure);
        }

        void discard() {
            if (response != null) {
                response.close();
            }
        }
    }

    static final int MAX_TRIES = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(4);
    private static final Duration SHORTEST_TRY = Duration.ofMillis(50);
    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);
    private static final Set<Integer> NOTHING_HAPPENED = Set.of(401, 403, 429, 503);

    private final Time time;
    private final Duration tryTimeout;
    private final Duration end;
    private final DoubleSupplier random;
    private final boolean repeatable;
    private int made;
    private boolean inDoubt;

    Retries(Time time, Duration tryTimeout, Duration deadline, DoubleSupplier random, boolean repeatable) {
        this.time = time;
        this.tryTimeout = tryTimeout;
        this.end = time.elapsed().plus(deadline);
        this.random = random;
        this.repeatable = repeatable;
    }

    /** Begins a try and says how long it may wait for its answer. */
    Duration begin() {
        made++;
        Duration left = end.minus(time.elapsed());
        Duration limit = left.compareTo(tryTimeout) < 0 ? left : tryTimeout;
        return limit.compareTo(SHORTEST_TRY) < 0 ? SHORTEST_TRY : limit;
    }

    /** Returns the pause before the next try; null when this answer is the last. */
    @Nullable
    Duration pauseAfter(Answer answer) {
        if (!repeatable || made >= MAX_TRIES || !mayPass(answer)) {
            return null;
        }
        Duration pause = pause();
        if (time.elapsed().plus(pause).plus(SHORTEST_TRY).compareTo(end) > 0) {
            return null;
        }
        inDoubt |= leavesDoubt(answer);
        return pause;
    }

    private static boolean mayPass(Answer answer) {
        return answer.response() != null
                ? mayPass(answer.response().getStatusCode())
                : AzureErrors.passing(answer.failure());
    }

    /** Returns whether an answer with this status may be another one soon. */
    static boolean mayPass(int status) {
        return PASSING.contains(status);
    }

    /** Half of it fixed, half by chance: callers that failed together do not come back together. */
    private Duration pause() {
        long longest = Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << (made - 1));
        return Duration.ofMillis(Math.round(longest * (0.5 + random.getAsDouble() / 2)));
    }

    private static boolean leavesDoubt(Answer answer) {
        return answer.response() != null
                ? !NOTHING_HAPPENED.contains(answer.response().getStatusCode())
                : AzureErrors.mayHaveArrived(answer.failure());
    }

    /**
     * The last answer, when it can be believed. A refusal says that nothing happened, but not when an earlier try got no
     * answer: then nobody knows, and that is what is thrown.
     */
    HttpResponse settled(Answer answer) {
        HttpResponse response = answer.response();
        if (response == null) {
            throw thrown(answer.failure());
        }
        if (inDoubt && NOTHING_HAPPENED.contains(response.getStatusCode())) {
            response.close();
            throw new UncheckedIOException(new IOException(
                    "an earlier try may have happened; the last was answered with " + response.getStatusCode()));
        }
        return response;
    }

    private static RuntimeException thrown(@Nullable Throwable failure) {
        return failure instanceof RuntimeException unchecked
                ? unchecked
                : new UncheckedIOException(new IOException("the call failed", failure));
    }
}
