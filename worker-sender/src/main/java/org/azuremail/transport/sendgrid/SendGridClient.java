package org.azuremail.transport.sendgrid;

import com.sendgrid.Client;
import com.sendgrid.Method;
import com.sendgrid.Request;
import com.sendgrid.Response;
import com.sendgrid.SendGrid;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.http.Header;
import org.apache.http.HttpEntityEnclosingRequest;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.config.ConnectionConfig;
import org.apache.http.config.MessageConstraints;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.impl.conn.PoolingHttpClientConnectionManager;
import org.apache.http.protocol.HttpContext;
import org.azuremail.app.Daemons;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.Conversation.Speaker;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;

/**
 * Adds to sendgrid-java a pool, time-outs, and an answer instead of an exception. There is one for the life of the
 * process, because a garbage-collected {@link Client} closes the pool during requests. Safe for use from many threads:
 * the headers of {@link SendGrid} are set once and never changed.
 */
final class SendGridClient implements AutoCloseable {

    private static final int CONNECTIONS = 64;
    private static final int CHECK_AFTER_REST_MILLIS = 1;
    private static final int LIFE_SECONDS = 60;
    private static final Duration UNREACHABLE = Duration.ofSeconds(30);

    /** The longest body that is read, enough for an error about each of a thousand recipients. */
    private static final int MAX_BODY_LENGTH = 512 * 1024;

    private static final MessageConstraints MAX_HEAD = MessageConstraints.custom()
            .setMaxLineLength(16 * 1024)
            .setMaxHeaderCount(200)
            .build();

    private static final int CHECK_INTERVAL_SECONDS = 2;

    private final Time time;
    private final RequestTracker mark;
    private final Conversation conversation;
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("sendgrid-watch"));
    private final CloseableHttpClient http;
    private final SendGrid sendGrid;
    private final String host;

    /**
     * @param connect the time limit for connecting or getting a connection of the pool; half of it for one address
     * @param answer the time limit until the last byte of SendGrid's answer
     */
    SendGridClient(
            SendGridProperties properties, Time time, Duration connect, Duration answer, Conversation conversation) {
        this.time = time;
        this.conversation = conversation;
        this.mark = new RequestTracker(time, connect, answer);
        watch.scheduleWithFixedDelay(
                this::closeOverdue, CHECK_INTERVAL_SECONDS, CHECK_INTERVAL_SECONDS, TimeUnit.SECONDS);
        this.http = http((int) connect.toMillis(), (int) answer.toMillis());
        this.host = properties.host();
        this.sendGrid = new SendGrid(properties.apiKey(), new Client(http, !properties.encrypted()));
        sendGrid.setHost(host);
    }

    private CloseableHttpClient http(int connectMillis, int answerMillis) {
        PoolingHttpClientConnectionManager pool =
                new PoolingHttpClientConnectionManager(LIFE_SECONDS, TimeUnit.SECONDS);
        pool.setMaxTotal(CONNECTIONS);
        pool.setDefaultMaxPerRoute(CONNECTIONS);
        pool.setDefaultConnectionConfig(
                ConnectionConfig.custom().setMessageConstraints(MAX_HEAD).build());
        // A connection that the server closed while idle would look like a request with a lost answer; the check costs
        // a millisecond.
        pool.setValidateAfterInactivity(CHECK_AFTER_REST_MILLIS);
        return HttpClients.custom()
                .setConnectionManager(pool)
                .setRequestExecutor(mark)
                // Nothing of such a request was written; no other is repeated.
                .setRetryHandler((failure, tries, context) -> failure instanceof RequestTracker.UnaskedAnswer)
                .disableRedirectHandling()
                .disableCookieManagement()
                .addInterceptorLast(mark)
                .addInterceptorLast((HttpRequest asked, HttpContext context) -> noteRequest(asked))
                .addInterceptorLast((HttpResponse said, HttpContext context) -> noteAnswer(said))
                .addInterceptorLast((HttpResponse said, HttpContext context) -> readBeginning(said))
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectTimeout(connectMillis / 2)
                        .setConnectionRequestTimeout(connectMillis)
                        .setSocketTimeout(answerMillis)
                        .build())
                .build();
    }

    private void noteRequest(HttpRequest asked) {
        conversation.add(Speaker.US, asked.getRequestLine().toString());
        for (Header header : asked.getAllHeaders()) {
            boolean secret = header.getName().equalsIgnoreCase("Authorization");
            conversation.add(Speaker.US, header.getName() + ": " + (secret ? Conversation.MASK : header.getValue()));
        }
        if (asked instanceof HttpEntityEnclosingRequest with && with.getEntity() != null) {
            conversation.add(Speaker.EMAIL, String.valueOf(with.getEntity().getContentLength()));
        }
    }

    private void noteAnswer(HttpResponse said) {
        conversation.add(Speaker.SERVER, said.getStatusLine().toString());
        for (Header header : said.getAllHeaders()) {
            conversation.add(Speaker.SERVER, header.getName() + ": " + header.getValue());
        }
    }

    /**
     * Reads only the beginning of a body, because the library would read all of it into memory, whatever its length.
     */
    private static void readBeginning(HttpResponse said) throws IOException {
        if (said.getEntity() != null) {
            said.setEntity(new ByteArrayEntity(said.getEntity().getContent().readNBytes(MAX_BODY_LENGTH)));
        }
    }

    SendGridReply send(String json) {
        Request request = new Request();
        request.setMethod(Method.POST);
        request.setEndpoint("mail/send");
        request.setBody(json);
        try {
            Response response = sendGrid.api(request);
            if (response.getBody() != null && !response.getBody().isBlank()) {
                conversation.add(Speaker.SERVER, response.getBody());
            }
            return SendGridReply.of(response, time.instant());
        } catch (IOException broken) {
            IOException failure = mark.cause(broken);
            conversation.add(Speaker.BROKE, Unavailable.noConnection(failure).words());
            return brokenOff(failure);
        } finally {
            mark.over();
        }
    }

    /** Returns the reply to a request that broke off. The head of the answer counts even if its body was lost. */
    private SendGridReply brokenOff(IOException failure) {
        HttpResponse head = mark.head();
        if (head != null) {
            Map<String, String> headers = new HashMap<>();
            for (Header header : head.getAllHeaders()) {
                headers.putIfAbsent(header.getName(), header.getValue());
            }
            Response response = new Response(head.getStatusLine().getStatusCode(), "", headers);
            return SendGridReply.of(response, time.instant());
        }
        Reason why = Unavailable.noConnection(failure);
        return mark.sent()
                ? new SendGridReply.InDoubt(Reason.of(SendGridReason.SENDGRID_LOST, why))
                : new SendGridReply.Closed(new Unavailable(
                        Unavailable.Kind.WAIT, Reason.of(SendGridReason.SENDGRID_UNREACHABLE, host, why), UNREACHABLE));
    }

    /** Called by the watch every few seconds. */
    void closeOverdue() {
        mark.closeOverdue();
    }

    @Override
    public void close() throws IOException {
        watch.shutdownNow();
        http.close();
    }
}
