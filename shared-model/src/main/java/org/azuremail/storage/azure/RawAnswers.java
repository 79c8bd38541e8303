package org.azuremail.storage.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.Context;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Keeps what the service answered to a write, for callers that ask for it. The library alone does not do: it loses the
 * ETags of a batch, cannot read some refusals of one, and swallows a 404. A batch that failed inside because the
 * service is overloaded is shown to the policies around this one as the failure that it is, so that it is repeated.
 */
final class RawAnswers implements HttpPipelinePolicy {

    private static final String KEY = "azuremail-raw-answer";

    /** Holds the answer to one call. */
    static final class Holder {

        private @Nullable WriteAnswer answer;

        /** The context that makes a call leave its answer here. */
        Context context() {
            return new Context(KEY, this);
        }

        /** Empty when none came. */
        Optional<WriteAnswer> answer() {
            return Optional.ofNullable(answer);
        }
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        Holder holder = (Holder) context.getData(KEY).orElse(null);
        if (holder == null) {
            return next.processSync();
        }
        holder.answer = null;
        HttpResponse response = next.processSync().buffer();
        WriteAnswer answer = WriteAnswer.of(
                response.getStatusCode(),
                response.getHeaderValue(HttpHeaderName.ETAG),
                response.getBodyAsBinaryData() == null
                        ? ""
                        : response.getBodyAsBinaryData().toString());
        holder.answer = answer;
        return Retries.mayPass(answer.status()) ? new FailedInside(response, answer.status()) : response;
    }

    /** Tables are written by synchronous clients only. */
    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return next.process();
    }
}
