package org.azuremail.storage.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Repeats calls until a deadline if the service is overloaded or cannot be reached. The pauses grow and vary. Each try
 * waits no longer than its own time-out and never beyond the deadline, so a call ends by its deadline. Only an answer
 * that has begun to arrive may take longer, as long as further parts of it arrive.
 */
record RetryWithinDeadline(Time time, Duration tryTimeout, Duration deadline, DoubleSupplier random)
        implements HttpPipelinePolicy {

    static final int MAX_TRIES = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(4);
    private static final Duration MIN_TRY = Duration.ofMillis(50);
    private static final Set<Integer> TRANSIENT = Set.of(408, 429, 500, 502, 503, 504);
    private static final Set<Integer> NOT_EXECUTED = Set.of(401, 403, 429, 503);

    /** The key, known to the HTTP client, for the longest wait of this request for its answer. */
    private static final String RESPONSE_TIMEOUT = "azure-response-timeout";

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        Tries tries = new Tries(context);
        while (true) {
            tries.begin();
            Answer answer = once(next.clone());
            Duration pause = tries.pauseAfter(answer);
            if (pause == null) {
                return tries.requireReliable(answer);
            }
            answer.discard();
            sleep(pause);
        }
    }

    private static Answer once(HttpPipelineNextSyncPolicy next) {
        try {
            return new Answer(next.processSync(), null);
        } catch (RuntimeException e) {
            return new Answer(null, e);
        }
    }

    private void sleep(Duration pause) {
        try {
            time.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new InterruptedIOException("interrupted between two tries"));
        }
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return Mono.defer(() -> attempt(next, new Tries(context)));
    }

    private static Mono<HttpResponse> attempt(HttpPipelineNextPolicy next, Tries tries) {
        tries.begin();
        return next.clone()
                .process()
                .map(response -> new Answer(response, null))
                .onErrorResume(failure -> Mono.just(new Answer(null, failure)))
                .flatMap(answer -> {
                    Duration pause = tries.pauseAfter(answer);
                    if (pause == null) {
                        return Mono.fromCallable(() -> tries.requireReliable(answer));
                    }
                    answer.discard();
                    return Mono.delay(pause).flatMap(ignored -> attempt(next, tries));
                });
    }

    private record Answer(
            @Nullable HttpResponse response, @Nullable Throwable failure) {

        void discard() {
            if (response != null) {
                response.close();
            }
        }
    }

    /**
     * The tries of one call. This class decides whether and when another try follows, and what the last answer proves.
     */
    private final class Tries {

        private final HttpPipelineCallContext context;
        private final HttpRequest request;
        private final Duration end = time.elapsed().plus(deadline);
        private int made;
        private boolean inDoubt;

        Tries(HttpPipelineCallContext context) {
            this.context = context;
            this.request = context.getHttpRequest();
        }

        /**
         * Begins a try. Each try uses a copy of the request without date and signature, because later policies sign it.
         */
        void begin() {
            made++;
            Duration left = end.minus(time.elapsed());
            Duration limit = Durations.min(left, tryTimeout);
            context.setHttpRequest(request.copy());
            context.setData(RESPONSE_TIMEOUT, Durations.max(limit, MIN_TRY));
        }

        /** Returns the pause before the next try; {@code null} if this answer is the last. */
        @Nullable
        Duration pauseAfter(Answer answer) {
            if (made >= MAX_TRIES || !isTransient(answer) || !isRepeatable()) {
                return null;
            }
            Duration pause = pause();
            if (time.elapsed().plus(pause).plus(MIN_TRY).compareTo(end) > 0) {
                return null;
            }
            inDoubt |= leavesDoubt(answer);
            return pause;
        }

        private boolean isTransient(Answer answer) {
            return answer.response() != null
                    ? TRANSIENT.contains(status(answer.response()))
                    : AzureErrors.isTransient(answer.failure());
        }

        /** Returns whether the request can be sent again. A stream can be read only once. */
        private boolean isRepeatable() {
            BinaryData body = request.getBodyAsBinaryData();
            return body == null || body.isReplayable();
        }

        /** Returns the status of a batch's failed part, if any, because an accepted batch may have failed inside. */
        private int status(HttpResponse response) {
            return BatchAnswerPolicy.find(context).map(WriteAnswer::status).orElseGet(response::getStatusCode);
        }

        /**
         * Returns a pause that is half fixed and half random, so that callers that failed together do not retry
         * together.
         */
        private Duration pause() {
            long longest = Math.min(MAX_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << (made - 1));
            return Duration.ofMillis(Math.round(longest * (0.5 + random.getAsDouble() / 2)));
        }

        private boolean leavesDoubt(Answer answer) {
            return answer.response() != null
                    ? !NOT_EXECUTED.contains(status(answer.response()))
                    : AzureErrors.mayHaveArrived(answer.failure());
        }

        /**
         * Returns the last answer if it is reliable. A refusal shows that nothing happened, unless an earlier try may
         * have taken effect. The outcome is then unknown, and this method throws an exception.
         */
        HttpResponse requireReliable(Answer answer) {
            HttpResponse response = answer.response();
            if (response == null) {
                Reason reason = AzureErrors.reason(answer.failure());
                boolean promises = reason == Reason.DENIED || reason == Reason.THROTTLED;
                throw inDoubt && promises ? doubtful(reason.name()) : thrown(answer.failure());
            }
            int status = status(response);
            if (inDoubt && NOT_EXECUTED.contains(status)) {
                response.close();
                BatchAnswerPolicy.forget(context);
                throw doubtful(String.valueOf(status));
            }
            return response;
        }

        private static RuntimeException doubtful(String last) {
            return new UncheckedIOException(
                    new IOException("an earlier try may have happened; the last was answered with " + last));
        }

        private RuntimeException thrown(@Nullable Throwable failure) {
            return failure instanceof RuntimeException unchecked
                    ? unchecked
                    : new UncheckedIOException(new IOException("the call failed", failure));
        }
    }
}
