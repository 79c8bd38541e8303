package org.azuremail.bench;

import static org.azuremail.bench.Sink.ascii;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;

/** The raw loops, each in its own process: the least code that can do the same communication. */
final class RawThroughput {

    private RawThroughput() {}

    /**
     * Prints the emails a second as the last word.
     *
     * @param arguments the name of the loop and its parameters
     */
    static void run(List<String> arguments) throws Exception {
        int mails = Integer.parseInt(arguments.get(1));
        double perSecond =
                switch (arguments.get(0)) {
                    case "storage" -> Storage.run(mails, Path.of(arguments.get(2)));
                    case "smtp" ->
                        Smtp.run(mails, Integer.parseInt(arguments.get(2)), Integer.parseInt(arguments.get(3)));
                    case "http" ->
                        Http.run(mails, Integer.parseInt(arguments.get(2)), Integer.parseInt(arguments.get(3)));
                    default -> throw new IllegalArgumentException("no raw loop " + arguments.get(0));
                };
        System.out.println("mails a second: " + perSecond);
    }

    interface Part {
        void run(int from, int to) throws IOException;
    }

    /** Runs the parts in as many threads, and returns their joint emails a second. */
    static double together(int mails, int threads, Part part) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> parts = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int from = 1 + (int) ((long) mails * thread / threads);
                int to = 1 + (int) ((long) mails * (thread + 1) / threads);
                parts.add(() -> {
                    part.run(from, to);
                    return null;
                });
            }
            long began = System.nanoTime();
            for (Future<Void> end : pool.invokeAll(parts)) {
                end.get();
            }
            return mails / Lab.seconds(began);
        } finally {
            pool.shutdownNow();
        }
    }

    /**
     * Writes three rows for each email, in batches of 100 through the storage interface: the email's row is inserted,
     * its archive row is inserted, and its row is deleted.
     */
    private static final class Storage {

        private static final int BATCH = 100;
        private static final int SHARDS = 16;
        private static final int THREADS = 4;
        private static final String MESSAGE = "message";
        private static final String ARCHIVE = "messagearchive";

        /** @param directory the parent of a new directory for this run */
        static double run(int mails, Path directory) throws Exception {
            Path fresh = Files.createTempDirectory(directory, "run");
            try (EmbeddedStorage storage = EmbeddedStorage.open(fresh, Time.system())) {
                TableStore tables = storage.storage().tables();
                tables.createTable(MESSAGE);
                tables.createTable(ARCHIVE);
                together(mails / 4, THREADS, (from, to) -> mail(tables, "warm", from, to));
                return together(mails, THREADS, (from, to) -> mail(tables, "raw", from, to));
            }
        }

        private static void mail(TableStore tables, String message, int from, int to) {
            for (int first = from; first < to; first += BATCH) {
                String partition = String.format("mail.%02d.%s", first / BATCH % SHARDS, message);
                List<Write> in = new ArrayList<>(BATCH);
                List<Write> archived = new ArrayList<>(BATCH);
                List<Write> out = new ArrayList<>(BATCH);
                for (int number = first; number < Math.min(first + BATCH, to); number++) {
                    String key = "email:" + MailCounter.recipientAddress(number);
                    Values values = values(number);
                    in.add(Write.insert(key, values));
                    archived.add(Write.insert(key, outcome(values)));
                    out.add(Write.delete(key));
                }
                write(tables, MESSAGE, partition, in);
                write(tables, ARCHIVE, partition, archived);
                write(tables, MESSAGE, partition, out);
            }
        }

        private static void write(TableStore tables, String table, String partition, List<Write> writes) {
            if (!(tables.write(table, partition, writes) instanceof WriteResult.Written)) {
                throw new IllegalStateException("refused in " + partition);
            }
        }

        private static Values values(int number) {
            return Values.builder()
                    .put("MessageRef", 42L)
                    .put("ScheduledDate", Instant.EPOCH)
                    .put("SubjectLine", "News for {{name|friend}}")
                    .put("ListName", "readers")
                    .put("FromEmailAddress", "news@bench.test")
                    .put("EmailAddress", MailCounter.recipientAddress(number))
                    .put("SubscriberGUID", "07-0123456789abcdef" + number)
                    .put("EmailSent", false)
                    .put("Name", "Reader " + number)
                    .put("Attributes", "{\"city\":\"Town\",\"plan\":\"Plan\"}")
                    .put("Generation", 0)
                    .build();
        }

        private static Values outcome(Values values) {
            return values.toBuilder()
                    .put("EmailSent", true)
                    .put("Outcome", "Sent")
                    .put("OutcomeAt", Instant.EPOCH)
                    .put("Detail", "bench1234")
                    .build();
        }
    }

    /** Sends prepared requests with a fixed number of personalizations over two connections. */
    private static final class Http {

        private static final int CONNECTIONS = 2;
        private static final String PERSONALIZATION =
                "{\"to\":[{\"email\":\"%s\",\"name\":\"Reader\"}],\"subject\":\"News\","
                        + "\"headers\":{\"Message-ID\":\"<1.0123456789abcdef0123456789abcdef@bench.test>\","
                        + "\"List-Unsubscribe\":\"<http://localhost/unsubscribe?list=readers&guid=0123456789abcdef0123456789>\","
                        + "\"List-Unsubscribe-Post\":\"List-Unsubscribe=One-Click\",\"List-Id\":\"<readers.bench.test>\"},"
                        + "\"substitutions\":{\"%0123456789abcdefx0%\":\"Town\",\"%0123456789abcdefx1%\":\"Reader\","
                        + "\"%0123456789abcdefx2%\":\"Plan\",\"%0123456789abcdefx3%\":"
                        + "\"http://localhost/unsubscribe?list=readers&guid=0123456789abcdef0123456789\"}}";

        static double run(int mails, int port, int batch) throws Exception {
            together(mails / 4, CONNECTIONS, (from, to) -> send(port, batch, from, to));
            return together(mails, CONNECTIONS, (from, to) -> send(port, batch, from, to));
        }

        private static void send(int port, int batch, int from, int to) throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                Sink.Input in = new Sink.Input(socket.getInputStream());
                byte[] full = request(batch);
                for (int first = from; first < to; first += batch) {
                    socket.getOutputStream().write(to - first < batch ? request(to - first) : full);
                    in.skip(Sink.HEAD_END);
                }
            }
        }

        private static byte[] request(int personalizations) {
            StringBuilder body = new StringBuilder("{\"personalizations\":[");
            for (int i = 1; i <= personalizations; i++) {
                body.append(i == 1 ? "" : ",").append(PERSONALIZATION.replace("%s", MailCounter.recipientAddress(i)));
            }
            body.append("],\"content\":\"")
                    .append(RecipientLists.BODY.replace("\"", "\\\"").replace("\n", "\\n"))
                    .append("\"}");
            String head = "POST /v3/mail/send HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + body.length() + "\r\n\r\n";
            return ascii(head + body);
        }
    }

    /**
     * Sends prepared bytes over several connections. MAIL, RCPT and DATA are in one write (RFC 2920), the email in a
     * second one.
     */
    private static final class Smtp {

        private static final int REPLIES_TO_HELO = 4;
        private static final int REPLIES_TO_ENVELOPE = 3;

        static double run(int mails, int port, int connections) throws Exception {
            together(mails / 4, connections, (from, to) -> send(port, from, to));
            return together(mails, connections, (from, to) -> send(port, from, to));
        }

        private static void send(int port, int from, int to) throws IOException {
            byte[] mail = ascii(
                    "From: <news@bench.test>\r\nSubject: News\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n"
                            + RecipientLists.BODY.replace("\n", "\r\n") + "\r\n.\r\n");
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                OutputStream out = socket.getOutputStream();
                Sink.Input in = new Sink.Input(socket.getInputStream());
                in.skip(Sink.LINE);
                out.write(ascii("HELO bench.test\r\n"));
                for (int line = 0; line < REPLIES_TO_HELO; line++) {
                    in.skip(Sink.LINE);
                }
                for (int number = from; number < to; number++) {
                    out.write(ascii("MAIL FROM:<news@bench.test>\r\nRCPT TO:<" + MailCounter.recipientAddress(number)
                            + ">\r\nDATA\r\n"));
                    for (int line = 0; line < REPLIES_TO_ENVELOPE; line++) {
                        in.skip(Sink.LINE);
                    }
                    out.write(mail);
                    in.skip(Sink.LINE);
                }
                out.write(ascii("QUIT\r\n"));
            }
        }
    }
}
