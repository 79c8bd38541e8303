package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class RetryWithinDeadlineTest {

    private static final Duration TRY = Duration.ofSeconds(8);
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final ManualTime time = ManualTime.thatSleepsByItself();
    private final Service service = new Service();
    private final HttpPipeline pipeline = new HttpPipelineBuilder()
            .policies(new RetryWithinDeadline(time, TRY, DEADLINE, () -> 1.0))
            .httpClient(service)
            .build();

    /** Gives the prepared answers and repeats the last one; a time-out takes as long as the client allows. */
    private final class Service implements HttpClient {

        private final Deque<Object> script = new ArrayDeque<>();
        private final List<Duration> patience = new ArrayList<>();

        Service says(Object... answers) {
            script.addAll(List.of(answers));
            return this;
        }

        @Override
        public HttpResponse sendSync(HttpRequest request, Context context) {
            Duration limit =
                    (Duration) context.getData("azure-response-timeout").orElseThrow();
            patience.add(limit);
            Object next = script.size() > 1 ? script.poll() : script.getFirst();
            if (next instanceof HttpTimeoutException) {
                time.advance(limit);
            }
            if (next instanceof Exception failure) {
                throw failure instanceof IOException io
                        ? new UncheckedIOException(io)
                        : new RuntimeException((Exception) next);
            }
            return new CannedResponse((Integer) next);
        }

        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            return send(request, Context.NONE);
        }

        @Override
        public Mono<HttpResponse> send(HttpRequest request, Context context) {
            return Mono.fromCallable(() -> sendSync(request, context));
        }

        int tries() {
            return patience.size();
        }
    }

    private HttpRequest request() {
        return new HttpRequest(HttpMethod.POST, "http://127.0.0.1:9").setBody("body");
    }

    private int status() {
        return pipeline.sendSync(request(), Context.NONE).getStatusCode();
    }

    @Test
    void busyServiceIsRetriedAfterGrowingPauses() {
        service.says(503, 500, 429, 204);

        assertThat(status()).isEqualTo(204);

        assertThat(service.tries()).isEqualTo(4);
        assertThat(time.elapsed()).isEqualTo(Duration.ofMillis(100 + 200 + 400));
    }

    @Test
    void pausesDifferBetweenCallers() {
        service.says(503, 204);
        HttpPipeline other = new HttpPipelineBuilder()
                .policies(new RetryWithinDeadline(time, TRY, DEADLINE, () -> 0.0))
                .httpClient(service)
                .build();

        other.sendSync(request(), Context.NONE);

        assertThat(time.elapsed()).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void outcomesAndRefusalsAreNotRetried() {
        for (int status : new int[] {200, 304, 400, 401, 403, 404, 409, 412, 413, 501}) {
            Service once = new Service().says(status);
            HttpResponse response = new HttpPipelineBuilder()
                    .policies(new RetryWithinDeadline(time, TRY, DEADLINE, () -> 1.0))
                    .httpClient(once)
                    .build()
                    .sendSync(request(), Context.NONE);
            assertThat(response.getStatusCode()).isEqualTo(status);
            assertThat(once.tries()).isOne();
        }
    }

    @Test
    void busyServiceIsGivenUpAfterSixTries() {
        service.says(503);

        assertThat(status()).isEqualTo(503);

        assertThat(service.tries()).isEqualTo(RetryWithinDeadline.MAX_TRIES);
        assertThat(time.elapsed()).isLessThan(DEADLINE);
    }

    @Test
    void silentServiceIsGivenUpAtTheDeadline() {
        service.says(new HttpTimeoutException("silence"));

        Throwable failure = catchThrowable(this::status);

        assertThat(AzureErrors.reason(failure)).isEqualTo(Reason.TIMED_OUT);
        assertThat(time.elapsed()).isLessThanOrEqualTo(DEADLINE).isGreaterThan(DEADLINE.minusSeconds(1));
        assertThat(service.patience).hasSize(3).first().isEqualTo(TRY);
        assertThat(service.patience.get(2)).isEqualTo(Duration.ofMillis(20_000 - 16_000 - 300));
    }

    @Test
    void refusalAfterALostAnswerIsNotBelieved() {
        for (int refusal : new int[] {401, 403, 429, 503}) {
            for (Object lost : List.of(new IOException("broken off"), new HttpTimeoutException("silence"), 500, 504)) {
                Service half = new Service().says(lost, refusal);
                HttpPipeline pipe = new HttpPipelineBuilder()
                        .policies(new RetryWithinDeadline(time, TRY, DEADLINE, () -> 1.0))
                        .httpClient(half)
                        .build();
                assertThatThrownBy(() -> pipe.sendSync(request(), Context.NONE))
                        .hasMessageContaining("an earlier try may have happened")
                        .satisfies(failure ->
                                assertThat(AzureErrors.reason(failure)).isEqualTo(Reason.UNAVAILABLE));
            }
        }
    }

    /** The identity's token ended between two tries, and no new one was to be had. */
    @Test
    void failedSignInProvesNothingAfterALostAnswer() {
        ClientAuthenticationException noToken = new ClientAuthenticationException("no token", null);
        service.says(new IOException("broken off"), noToken);

        assertThat(AzureErrors.reason(catchThrowable(this::status))).isEqualTo(Reason.UNAVAILABLE);

        service.script.clear();
        service.says(noToken);
        assertThat(AzureErrors.reason(catchThrowable(this::status))).isEqualTo(Reason.DENIED);
    }

    @Test
    void refusalAfterNoConnectionIsBelieved() {
        service.says(new ConnectException("nobody there"), 503, 403);

        assertThat(status()).isEqualTo(403);
    }

    @Test
    void outcomeAfterALostAnswerIsLeftToTheCaller() {
        service.says(new IOException("broken off"), 409);

        assertThat(status()).isEqualTo(409);
    }

    @Test
    void streamIsNotSentTwice() {
        service.says(503, 204);
        HttpRequest once = request().setBody(BinaryData.fromStream(InputStream.nullInputStream(), 0L));

        assertThat(pipeline.sendSync(once, Context.NONE).getStatusCode()).isEqualTo(503);

        assertThat(service.tries()).isOne();
    }

    @Test
    void interruptEndsTheCall() {
        service.says(new InterruptedException(), 204);

        assertThat(AzureErrors.reason(catchThrowable(this::status))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(service.tries()).isOne();

        service.script.clear();
        service.says(503, 204);
        Thread.currentThread().interrupt();
        Throwable whilePausing = catchThrowable(this::status);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(AzureErrors.reason(whilePausing)).isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void asynchronousCallsAreRetriedAlike() {
        service.says(503, new ConnectException("nobody there"), 204);
        assertThat(pipeline.send(request()).block(Duration.ofSeconds(30)).getStatusCode())
                .isEqualTo(204);
        assertThat(service.tries()).isEqualTo(3);

        service.script.clear();
        service.says(new IOException("broken off"), 403);
        assertThatThrownBy(() -> pipeline.send(request()).block(Duration.ofSeconds(30)))
                .hasMessageContaining("an earlier try may have happened");
    }
}
