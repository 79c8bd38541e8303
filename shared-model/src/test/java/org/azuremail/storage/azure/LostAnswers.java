package org.azuremail.storage.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Passes every request on, so that it takes effect, and drops the answers that a test selects. */
final class LostAnswers implements HttpPipelinePolicy {

    private final AtomicInteger tries = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private volatile int at;
    private volatile int every;

    /** Drops only the n-th answer from now on. */
    void loseThe(int n) {
        every = 0;
        at = n;
        restart();
    }

    /** Drops every n-th answer from now on. */
    void loseEvery(int n) {
        every = n;
        at = 0;
        restart();
    }

    private void restart() {
        tries.set(0);
        lost.set(0);
    }

    /** Returns the number of answers dropped since the last selection. */
    int lost() {
        return lost.get();
    }

    /** Returns the number of requests since the last selection, including repeated ones. */
    int tries() {
        return tries.get();
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_RETRY;
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        HttpResponse response = next.processSync();
        if (loses()) {
            response.close();
            throw new UncheckedIOException(lostAnswer());
        }
        return response;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return next.process().flatMap(response -> {
            if (loses()) {
                response.close();
                return Mono.error(lostAnswer());
            }
            return Mono.just(response);
        });
    }

    private boolean loses() {
        int number = tries.incrementAndGet();
        boolean loses = number == at || every > 0 && number % every == 0;
        if (loses) {
            lost.incrementAndGet();
        }
        return loses;
    }

    private static IOException lostAnswer() {
        return new IOException("the answer was lost");
    }
}
