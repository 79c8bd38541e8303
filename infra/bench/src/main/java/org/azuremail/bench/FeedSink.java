package org.azuremail.bench;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Serves one feed of ten entries under every address; whoever knows its ETag is told that nothing has changed. */
final class FeedSink extends Sink {

    private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UNCHANGED =
            "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final byte[] feed = answer();
    private final AtomicLong readings = new AtomicLong();

    static FeedSink start() {
        FeedSink sink = new FeedSink();
        sink.open();
        return sink;
    }

    private static byte[] answer() {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            items.append("<item><guid>%d</guid><title>Entry %d</title><link>https://news.example/%d</link></item>"
                    .formatted(i, i, i));
        }
        String body = "<rss version=\"2.0\"><channel><title>News</title>" + items + "</channel></rss>";
        return ("HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nETag: \"1\"\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    void converse(Socket client) throws IOException {
        Input in = new Input(client.getInputStream());
        for (int head = in.lengthTo(HEAD_END); head >= 0; head = in.lengthTo(HEAD_END)) {
            int start = in.take(head);
            String text = new String(in.bytes(), start, head, StandardCharsets.ISO_8859_1);
            client.getOutputStream().write(text.contains("If-None-Match: \"1\"") ? UNCHANGED : feed);
            readings.incrementAndGet();
        }
    }

    long readings() {
        return readings.get();
    }
}
