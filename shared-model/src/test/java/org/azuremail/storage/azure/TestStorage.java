package org.azuremail.storage.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.concurrent.atomic.LongAdder;
import org.azuremail.storage.Storage;
import reactor.core.publisher.Mono;

/** The three ports on the account for tests, for contracts of what is on them. */
public final class TestStorage {

    private static final Storage SHARED = of();

    private TestStorage() {}

    /** The one that all tests of this JVM share: names are to be fresh. */
    public static Storage shared() {
        return SHARED;
    }

    /** One whose every n-th answer is lost on its way, after what was asked for is done. */
    public static Storage losingEvery(int n) {
        LostAnswers answers = new LostAnswers();
        answers.loseEvery(n);
        return of(answers);
    }

    /** One whose requests are counted as they leave; one that is tried again counts again. */
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
