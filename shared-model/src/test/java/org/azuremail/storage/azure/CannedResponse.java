package org.azuremail.storage.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An empty answer with a given status. */
final class CannedResponse extends HttpResponse {

    private final int status;

    CannedResponse(int status) {
        super(new HttpRequest(HttpMethod.GET, "http://127.0.0.1:9"));
        this.status = status;
    }

    @Override
    public int getStatusCode() {
        return status;
    }

    @Override
    @Deprecated
    public String getHeaderValue(String name) {
        return getHeaders().getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
        return new HttpHeaders();
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        return Flux.empty();
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return Mono.empty();
    }

    @Override
    public Mono<String> getBodyAsString() {
        return Mono.empty();
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return Mono.empty();
    }
}
