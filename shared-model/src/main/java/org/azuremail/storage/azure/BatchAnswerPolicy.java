package org.azuremail.storage.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Keeps the service's answer to a batch for callers that ask for it, because the library loses the ETags of a batch and
 * cannot read some refusals of one.
 */
final class BatchAnswerPolicy implements HttpPipelinePolicy {

    private static final String KEY = "azuremail-raw-answer";

    /** Holds the answer to one call. */
    static final class Holder {

        private @Nullable WriteAnswer answer;

        /** Returns a context that stores the answer of a call here. */
        Context context() {
            return new Context(KEY, this);
        }

        /** Returns the answer; empty if none arrived. */
        Optional<WriteAnswer> answer() {
            return Optional.ofNullable(answer);
        }
    }

    /** Returns the answer to the last try of a call; empty if none arrived or no caller asked for it. */
    static Optional<WriteAnswer> find(HttpPipelineCallContext context) {
        return holder(context).flatMap(Holder::answer);
    }

    /** Drops the answer of a call, because it proves nothing. */
    static void forget(HttpPipelineCallContext context) {
        holder(context).ifPresent(holder -> holder.answer = null);
    }

    private static Optional<Holder> holder(HttpPipelineCallContext context) {
        return context.getData(KEY).map(Holder.class::cast);
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        Optional<Holder> holder = holder(context);
        if (holder.isEmpty()) {
            return next.processSync();
        }
        forget(context);
        HttpResponse response = next.processSync().buffer();
        BinaryData body = response.getBodyAsBinaryData();
        holder.get().answer = WriteAnswer.of(response.getStatusCode(), body == null ? "" : body.toString());
        return response;
    }

    /** Keeps no answer, because only synchronous clients write tables. */
    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return next.process();
    }
}
