package org.azuremail.storage.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.concurrent.atomic.LongAdder;
import org.azuremail.storage.Storage;
import reactor.core.publisher.Mono;

/** The three ports on the test account, for contracts of features on the storage. */
public final class TestStorage {

    private static final Storage SHARED = of();

    private TestStorage() {}

    /** Returns the storage that all tests of this JVM share, which therefore use fresh names. */
    public static Storage shared() {
        return SHARED;
    }

    /** Returns a storage that loses every n-th answer after the request took effect. */
    public static Storage losingEvery(int n) {
        LostAnswers answers = new LostAnswers();
        answers.loseEvery(n);
        return of(answers);
    }

    /** Returns a storage that counts its requests, including repeated attempts. */
    public static Storage counting(LongAdder requests) {
        return of(new HttpPipelinePolicy() {
            @Override
            public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
                requests.increment();
                return next.process();
            }

            @Override
            public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
                requests.increment();
                return next.processSync();
            }
        });
    }

    private static Storage of(HttpPipelinePolicy... nearTheWire) {
        return TestClients.of(nearTheWire).storage();
    }
}
