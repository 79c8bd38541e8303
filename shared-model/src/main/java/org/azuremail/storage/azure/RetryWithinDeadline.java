package org.azuremail.storage.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.azuremail.storage.azure.Retries.Answer;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Repeats calls that met an overloaded or unreachable service, with pauses that grow and vary, until a deadline. Each
 * try waits no longer than its own time-out and never beyond the deadline, so that a call ends by its deadline; only an
 * answer whose content has begun to arrive may take longer, while its parts keep coming.
 */
record RetryWithinDeadline(Time time, Duration tryTimeout, Duration deadline, DoubleSupplier random)
        implements HttpPipelinePolicy {

    /** Known to the HTTP client: how long this one request may wait for its answer. */
    private static final String RESPONSE_TIMEOUT = "azure-response-timeout";

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        HttpRequest request = context.getHttpRequest();
        Retries tries = tries(request);
        while (true) {
            prepare(context, request, tries);
            Answer answer = once(next.clone());
            Duration pause = tries.pauseAfter(answer);
            if (pause == null) {
                return tries.settled(answer);
            }
            answer.discard();
            sleep(pause);
        }
    }

    private static Answer once(HttpPipelineNextSyncPolicy next) {
        try {
            return Answer.of(next.processSync());
        } catch (RuntimeException e) {
            return Answer.of(e);
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
        HttpRequest request = context.getHttpRequest();
        return Mono.defer(() -> attempt(context, next, request, tries(request)));
    }

    private Mono<HttpResponse> attempt(
            HttpPipelineCallContext context, HttpPipelineNextPolicy next, HttpRequest request, Retries tries) {
        prepare(context, request, tries);
        return next.clone()
                .process()
                .map(Answer::of)
                .onErrorResume(failure -> Mono.just(Answer.of(failure)))
                .flatMap(answer -> {
                    Duration pause = tries.pauseAfter(answer);
                    if (pause == null) {
                        return Mono.fromCallable(() -> tries.settled(answer));
                    }
                    answer.discard();
                    return Mono.delay(pause).flatMap(ignored -> attempt(context, next, request, tries));
                });
    }

    private Retries tries(HttpRequest request) {
        return new Retries(time, tryTimeout, deadline, random, repeatable(request.getBodyAsBinaryData()));
    }

    /** A stream that was read once is gone. */
    private static boolean repeatable(@Nullable BinaryData body) {
        return body == null || body.isReplayable();
    }

    /** The policies behind this one sign the request: each try starts from the one without date and signature. */
    private static void prepare(HttpPipelineCallContext context, HttpRequest request, Retries tries) {
        context.setHttpRequest(request.copy());
        context.setData(RESPONSE_TIMEOUT, tries.begin());
    }
}
