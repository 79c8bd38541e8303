package org.azuremail.work.signal;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.azuremail.id.InstallationKey;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends signals by HTTP, each as one sealed POST request. */
public final class HttpSignalSender implements SignalSender {

    private static final Logger LOG = LoggerFactory.getLogger(HttpSignalSender.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final SignalSignature signature;
    private @Nullable HttpClient http;

    public HttpSignalSender(InstallationKey key, Time time) {
        this.signature = new SignalSignature(key, time);
    }

    @Override
    public Signal.Answer send(String instance, String address, Signal signal) {
        try {
            return answerTo(request(instance, address, signal));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Signal.Answer.SILENT;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.debug("{} at {} does not answer: {}", instance, address, e.toString());
            return Signal.Answer.SILENT;
        }
    }

    /**
     * Returns the answer if all of it arrives in time. A request's own timeout would end with the first bytes of the
     * answer.
     */
    private Signal.Answer answerTo(HttpRequest request)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<HttpResponse<String>> response = client().sendAsync(request, BodyHandlers.ofString());
        try {
            HttpResponse<String> answer = response.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return answer.statusCode() == 200 ? Signal.Answer.valueOf(answer.body()) : Signal.Answer.SILENT;
        } finally {
            response.cancel(true);
        }
    }

    private HttpRequest request(String instance, String address, Signal signal) {
        byte[] body = SignalRequest.write(instance, signal);
        String now = signature.now();
        return HttpRequest.newBuilder(URI.create("http://" + address + SignalServer.PATH))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .header(SignalSignature.TIME_HEADER, now)
                .header(SignalSignature.SEAL_HEADER, signature.of(now, body))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    /** Returns the client, which is created when it is first needed because it has its own thread. */
    private synchronized HttpClient client() {
        if (http == null) {
            http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .proxy(HttpClient.Builder.NO_PROXY)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(TIMEOUT)
                    .build();
        }
        return http;
    }
}
