package org.azuremail.storage.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelineSyncPolicy;
import java.util.Locale;

/**
 * Replaces the content type of an XML answer with that of JSON. Tables answer in JSON, but a request that is refused
 * before it reaches them, for example by a proxy or the signature check, may get an XML answer. The library would look
 * for an XML parser that it does not include, and throw a {@link LinkageError} without the status.
 */
final class XmlAnswerPolicy extends HttpPipelineSyncPolicy {

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    protected HttpResponse afterReceivedResponse(HttpPipelineCallContext context, HttpResponse response) {
        String type = response.getHeaderValue(HttpHeaderName.CONTENT_TYPE);
        if (type != null && type.toLowerCase(Locale.ROOT).contains("xml")) {
            response.getHeaders().set(HttpHeaderName.CONTENT_TYPE, "application/json");
        }
        return response;
    }
}
