package org.azuremail.outbound;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpMessage;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.util.Timeout;

/**
 * HTTP clients that connect to {@link PublicAddresses} only. They keep no connections, cookies or passwords, try
 * nothing twice, and follow no redirects: their users look at each of them.
 */
public final class GuardedHttp {

    private static final int MAX_CONNECTIONS = 64;

    /** The size of a buffer. Each request has two, on a separate connection, and most answers have no body. */
    private static final int BUFFER = 1024;

    private GuardedHttp() {}

    /** @param reply the time limit of each read; {@link #deadline} limits a whole request */
    public static CloseableHttpClient client(PublicAddresses addresses, Duration connect, Duration reply) {
        return HttpClientBuilder.create()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(addresses)
                        .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                                .http1Config(Http1Config.custom()
                                        .setBufferSize(BUFFER)
                                        .build())
                                .build())
                        .setMaxConnTotal(MAX_CONNECTIONS)
                        .setMaxConnPerRoute(MAX_CONNECTIONS)
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(Timeout.of(connect))
                                .setSocketTimeout(Timeout.of(reply))
                                .build())
                        .build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectionRequestTimeout(Timeout.of(reply))
                        .setResponseTimeout(Timeout.of(reply))
                        .build())
                .setConnectionReuseStrategy((request, response, context) -> false)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .setUserAgent("AzureMail")
                .build();
    }

    /** Cancels a request after this time. A request that completes earlier leaves no timer behind. */
    public static CompletableFuture<Void> deadline(HttpUriRequestBase request, Duration left) {
        CompletableFuture<Void> deadline = new CompletableFuture<>();
        deadline.whenComplete((inTime, late) -> {
            if (late != null) {
                request.cancel();
            }
        });
        return deadline.orTimeout(left.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns the reference that a redirect contains, which may be empty or invalid; empty if it is no redirect. */
    public static Optional<String> redirect(HttpResponse response) {
        return switch (response.getCode()) {
            case 301, 302, 303, 307, 308 -> Optional.of(header(response, "Location"));
            default -> Optional.empty();
        };
    }

    /** Returns the value of a header; empty if the message does not have it. */
    public static String header(HttpMessage message, String name) {
        Header header = message.getFirstHeader(name);
        return header == null || header.getValue() == null ? "" : header.getValue();
    }

    /** Returns the absolute address of a reference; empty if the reference is invalid. */
    public static String resolved(URI at, String location) {
        try {
            return at.resolve(location.strip()).toString();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
