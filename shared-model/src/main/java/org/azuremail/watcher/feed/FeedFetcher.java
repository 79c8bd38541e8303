package org.azuremail.watcher.feed;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.utils.DateUtils;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.azuremail.outbound.GuardedHttp;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.reason.Reason;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.watcher.feed.FeedException.FeedReason;
import org.jspecify.annotations.Nullable;

/** Reads feeds over HTTP, with limits on size, time and redirects. Safe for use from many threads. */
final class FeedFetcher implements AutoCloseable {

    static final int MAX_REDIRECTS = 5;
    private static final int MEBIBYTE = 1 << 20;
    private static final int MAX_MEBIBYTES = 5;
    private static final int MAX_BYTES = MAX_MEBIBYTES * MEBIBYTE;
    private static final Duration MAX_PAUSE = Duration.ofDays(1);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_TAG_LENGTH = 1_000;

    private final CloseableHttpClient client;
    private final Duration timeout;
    private final Time time;

    FeedFetcher(PublicAddresses addresses, Time time) {
        this(addresses, time, Duration.ofSeconds(30));
    }

    /** @param whole the time limit of one read, including its redirects */
    FeedFetcher(PublicAddresses addresses, Time time, Duration whole) {
        this.timeout = whole;
        this.time = time;
        this.client = GuardedHttp.client(addresses, CONNECT_TIMEOUT, whole);
    }

    /**
     * An answer.
     *
     * @param body empty when the feed has not changed
     * @param from its address after redirects
     */
    record Response(boolean unchanged, byte[] body, String contentType, String etag, String modified, URI from) {}

    /** Reads a feed unless it is unchanged since the given ETag and date. */
    Response get(URI address, String etag, String modified) throws FeedException {
        Duration end = time.elapsed().plus(timeout);
        URI at = address;
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            HttpGet request = request(at, etag, modified);
            CompletableFuture<Void> deadline = GuardedHttp.deadline(request, left(end));
            try {
                ClassicHttpResponse response = client.executeOpen(null, request, null);
                Optional<URI> next = redirect(at, response);
                if (next.isEmpty()) {
                    return answer(at, response);
                }
                at = next.get();
            } catch (IOException e) {
                throw toFeedException(at, e, request.isCancelled());
            } finally {
                // This closes the connection. Closing the response would read the rest of its body first.
                request.cancel();
                deadline.complete(null);
            }
        }
        throw new FeedException(FeedReason.FEED_REDIRECTS, MAX_REDIRECTS);
    }

    private Duration left(Duration end) {
        Duration left = end.minus(time.elapsed());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static HttpGet request(URI at, String etag, String modified) {
        HttpGet request = new HttpGet(at);
        request.setHeader(
                "Accept",
                "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.1");
        if (!etag.isEmpty()) {
            request.setHeader("If-None-Match", etag);
        }
        if (!modified.isEmpty()) {
            request.setHeader("If-Modified-Since", modified);
        }
        return request;
    }

    private static Optional<URI> redirect(URI at, ClassicHttpResponse response) throws FeedException {
        Optional<String> location = GuardedHttp.redirect(response);
        if (location.isEmpty()) {
            return Optional.empty();
        }
        Optional<URI> next = PublicAddresses.parse(GuardedHttp.resolved(at, location.get()));
        if (next.isEmpty()) {
            throw new FeedException(FeedReason.FEED_ADDRESS, truncate(location.get()));
        }
        return next;
    }

    private Response answer(URI at, ClassicHttpResponse response) throws IOException, FeedException {
        int status = response.getCode();
        if (status == 304) {
            return new Response(true, new byte[0], "", "", "", at);
        }
        if (status != 200) {
            throw refused(status, pause(GuardedHttp.header(response, "Retry-After")));
        }
        return new Response(
                false,
                body(response.getEntity()),
                GuardedHttp.header(response, "Content-Type"),
                withinTagLimit(GuardedHttp.header(response, "ETag")),
                withinTagLimit(GuardedHttp.header(response, "Last-Modified")),
                at);
    }

    private FeedException refused(int status, Optional<Duration> pause) {
        if (status == 410) {
            return new FeedException(FeedReason.FEED_GONE);
        }
        return (status == 429 || status == 503) && pause.isPresent()
                ? new FeedException(
                        Reason.of(FeedReason.FEED_WAIT, status, time.instant().plus(pause.get())), pause.get())
                : new FeedException(FeedReason.FEED_STATUS, status);
    }

    /** Parses seconds or a date (RFC 9110, 10.2.3); at most a day. */
    private Optional<Duration> pause(String retryAfter) {
        Duration asked = null;
        if (retryAfter.matches("[0-9]{1,9}")) {
            asked = Duration.ofSeconds(Long.parseLong(retryAfter));
        } else {
            Instant until = DateUtils.parseStandardDate(retryAfter);
            asked = until == null ? null : Duration.between(time.instant(), until);
        }
        return Optional.ofNullable(asked)
                .filter(pause -> !pause.isNegative())
                .map(pause -> Durations.min(pause, MAX_PAUSE));
    }

    /**
     * Reads the body. The rest of a body that is too large is not read, because the length that the server states may
     * be wrong.
     */
    private static byte[] body(@Nullable HttpEntity entity) throws IOException, FeedException {
        if (entity == null) {
            return new byte[0];
        }
        if (entity.getContentLength() <= MAX_BYTES) {
            InputStream in = entity.getContent();
            byte[] read = in.readNBytes(MAX_BYTES + 1);
            if (read.length <= MAX_BYTES) {
                return read;
            }
        }
        throw new FeedException(FeedReason.FEED_LARGE, MAX_MEBIBYTES);
    }

    private FeedException toFeedException(URI at, IOException e, boolean tooLate) {
        if (e instanceof PublicAddresses.NotPublic) {
            return new FeedException(FeedReason.FEED_PRIVATE, at.getHost());
        }
        if (e instanceof UnknownHostException) {
            return new FeedException(FeedReason.FEED_NO_HOST, at.getHost());
        }
        return tooLate || e instanceof InterruptedIOException
                ? new FeedException(FeedReason.FEED_SLOW, timeout.toSeconds())
                : new FeedException(FeedReason.FEED_UNREACHABLE, truncate(String.valueOf(e.getMessage())));
    }

    /** Returns the validator, or an empty text if it is too long to be kept. */
    private static String withinTagLimit(String mark) {
        return mark.length() > MAX_TAG_LENGTH ? "" : mark;
    }

    static String truncate(String text) {
        return Reason.truncate(text, 300);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
