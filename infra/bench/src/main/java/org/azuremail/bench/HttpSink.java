package org.azuremail.bench;

import static org.azuremail.bench.Sink.ascii;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server with the endpoint {@code POST /v3/mail/send}. It accepts every request and counts the recipient of each
 * personalization.
 */
record HttpSink(MailCounter counter, AtomicLong requests) implements Sink.Conversation {

    private static final byte[] TO = ascii("\"to\":[{\"email\":\"");
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");
    private static final String SEND = "POST /v3/mail/send ";

    static Sink start(Lab lab) throws IOException {
        return lab.keep(new Sink(new HttpSink(lab.tally(), new AtomicLong())));
    }

    @Override
    public void converse(Sink.Input in, OutputStream out) throws IOException {
        for (int head = in.lengthTo(Sink.HEAD_END); head >= 0; head = in.lengthTo(Sink.HEAD_END)) {
            String text = in.takeText(head);
            Matcher length = LENGTH.matcher(text);
            if (!text.startsWith(SEND) || !length.find()) {
                out.write(answer("400 Bad Request", ""));
                return;
            }
            int size = Integer.parseInt(length.group(1));
            int body = in.take(size);
            count(in.bytes(), body, size);
            out.write(answer("202 Accepted", "X-Message-Id: bench" + requests.incrementAndGet() + "\r\n"));
        }
    }

    private static byte[] answer(String status, String header) {
        return ascii("HTTP/1.1 " + status + "\r\n" + header + "Content-Length: 0\r\n\r\n");
    }

    /** Counts the recipients. The mark cannot occur in a value, because quotes would be escaped there. */
    private void count(byte[] bytes, int from, int size) {
        counter.stamp();
        int end = from + size - TO.length;
        for (int at = from; at < end; at++) {
            if (bytes[at] == '"' && Arrays.equals(bytes, at, at + TO.length, TO, 0, TO.length)) {
                counter.record(bytes, at + TO.length);
                at += TO.length;
            }
        }
    }
}
