package org.azuremail.linkcheck;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpHead;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.azuremail.linkcheck.LinkFinding.Finding;
import org.azuremail.outbound.GuardedHttp;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.reason.Reason;

/** Requests one link and follows its redirects. Reads no body. Safe for use from many threads. */
final class LinkRequests implements AutoCloseable {

    static final int MAX_REDIRECTS = 5;
    private static final int MAX_WORDS = 200;

    private final CloseableHttpClient client;
    private final Duration timeout;
    private final Predicate<URI> own;

    /**
     * @param timeout the time limit of one request
     * @param own whether an address leads to this installation, and is not requested
     */
    LinkRequests(PublicAddresses addresses, Duration timeout, Predicate<URI> own) {
        this.client = GuardedHttp.client(addresses, timeout, timeout);
        this.timeout = timeout;
        this.own = own;
    }

    private record Reply(int status, Optional<String> redirect) {}

    Finding check(URI link) {
        URI at = link;
        URI moved = link;
        try {
            for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
                if (own.test(at)) {
                    return LinkFinding.LINK_OWN.of();
                }
                Reply reply = reply(at);
                if (reply.redirect().isEmpty()) {
                    return finding(reply.status(), link, moved);
                }
                Optional<URI> next = next(at, reply.redirect().get());
                if (next.isEmpty()) {
                    return LinkFinding.LINK_REDIRECT_INVALID.of(
                            words(reply.redirect().get()));
                }
                boolean permanent = reply.status() == 301 || reply.status() == 308;
                moved = permanent && moved.equals(at) ? next.get() : moved;
                at = next.get();
            }
            return LinkFinding.LINK_REDIRECTS.of(MAX_REDIRECTS);
        } catch (IOException e) {
            return finding(at, e);
        }
    }

    /** Asks for the header alone, and a second time as browsers do if the server refuses that. */
    private Reply reply(URI at) throws IOException {
        Reply reply = send(new HttpHead(at));
        return reply.status() < 400 || reply.status() == 410 || reply.status() == 429 ? reply : send(new HttpGet(at));
    }

    private Reply send(HttpUriRequestBase request) throws IOException {
        CompletableFuture<Void> deadline = GuardedHttp.deadline(request, timeout);
        try {
            ClassicHttpResponse response = client.executeOpen(null, request, null);
            // This closes the connection. Closing the response would read the rest of its body first.
            request.cancel();
            return new Reply(response.getCode(), GuardedHttp.redirect(response));
        } catch (IOException e) {
            throw request.isCancelled() ? new InterruptedIOException() : e;
        } finally {
            deadline.complete(null);
        }
    }

    /** Returns the address of a redirect. A header is read as Latin-1, while servers write UTF-8. */
    private static Optional<URI> next(URI at, String location) {
        String text = new String(location.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8).strip();
        return text.isEmpty()
                ? Optional.empty()
                : LinkAddress.parse(
                        LinkAddress.isHttp(text) ? text : GuardedHttp.resolved(at, LinkAddress.encoded(text)));
    }

    private static Finding finding(int status, URI link, URI moved) {
        if (status == 404 || status == 410) {
            return LinkFinding.LINK_NOT_FOUND.of(status);
        }
        if (status >= 400) {
            return (status >= 500 ? LinkFinding.LINK_SERVER_ERROR : LinkFinding.LINK_REFUSED).of(status);
        }
        return moved.equals(link) ? LinkFinding.LINK_WORKS.of() : LinkFinding.LINK_MOVED.of(words(moved.toString()));
    }

    private Finding finding(URI at, IOException e) {
        if (e instanceof PublicAddresses.NotPublic) {
            return LinkFinding.LINK_PRIVATE.of(at.getHost());
        }
        if (e instanceof UnknownHostException) {
            return LinkFinding.LINK_NO_HOST.of(at.getHost());
        }
        if (e instanceof SSLException) {
            return LinkFinding.LINK_CERTIFICATE.of(words(String.valueOf(e.getMessage())));
        }
        return e instanceof InterruptedIOException
                ? LinkFinding.LINK_SLOW.of(timeout.toSeconds())
                : LinkFinding.LINK_UNREACHABLE.of(words(String.valueOf(e.getMessage())));
    }

    private static String words(String text) {
        return Reason.truncate(text, MAX_WORDS);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
