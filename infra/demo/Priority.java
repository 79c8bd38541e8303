import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program of {@code infra/demo/priority}: a mail server, the service beside it, and a program that calls the
 * service.
 */
class Priority {

    private static final int OF_A_CLASS = 10;
    private static final int PATIENCE_SECONDS = 180;
    private static final String READER = "reader@example.com";
    private static final Pattern REF = Pattern.compile("\"messageRef\":\"([^\"]+)\"");
    private static final Pattern NOT_QUEUED = Pattern.compile("\"state\":\"(pending|queuing)\"");
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final String key = "key-" + UUID.randomUUID();
    private final List<String> finished = new ArrayList<>();

    /**
     * The first emails are answered only then, so that the order does not depend on how fast this machine takes
     * messages.
     */
    private final CountDownLatch allQueued = new CountDownLatch(1);

    private final long millisOfAnEmail;
    private String url = "";
    private long begun;

    private Priority(double secondsOfAnEmail) {
        millisOfAnEmail = Math.round(secondsOfAnEmail * 1000);
    }

    public static void main(String[] arguments) throws Exception {
        Priority demo = new Priority(Double.parseDouble(arguments[2]));
        System.exit(demo.run(Path.of(arguments[0]), arguments[1].equals("strict")) ? 0 : 1);
    }

    private boolean run(Path jar, boolean strict) throws Exception {
        Path home = Files.createTempDirectory("azuremail-priority");
        try (ServerSocket mail = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            inBackground(() -> accept(mail));
            Process service = start(jar, home, mail.getLocalPort(), strict);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(service, home)));
            awaitAnswer(service, home);
            post(strict);
            return awaitAll(service);
        }
    }

    private Process start(Path jar, Path home, int mail, boolean strict) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        url = "http://localhost:" + port;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError",
                "-jar",
                jar.toString()));
        List<String> settings = new ArrayList<>(List.of(
                "server.port=" + port,
                "server.address=127.0.0.1",
                "azuremail.public-url=" + url,
                "azuremail.data-dir=" + home.resolve("data"),
                "azuremail.bootstrap.admin-email=admin@example.org",
                "azuremail.bootstrap.admin-password=" + UUID.randomUUID(),
                "azuremail.bootstrap.api-key=" + key,
                "azuremail.mail.transport=smtp",
                "azuremail.mail.rate=0",
                "azuremail.mail.smtp.host=localhost",
                "azuremail.mail.smtp.port=" + mail,
                "azuremail.mail.smtp.starttls=false",
                // One connection is for confirmations. A strict pool has as many places as there are others.
                "azuremail.mail.smtp.connections=" + (strict ? 3 : 4),
                "azuremail.mail-classes.pool=" + (strict ? "strict" : "per-class")));
        if (!strict) {
            settings.add("azuremail.mail-classes.of.high.places=2");
            settings.add("azuremail.mail-classes.of.low.places=1");
        }
        settings.forEach(setting -> command.add("--" + setting));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
    }

    private void awaitAnswer(Process service, Path home) throws Exception {
        boolean started = comesTrue(() -> !service.isAlive() || answers());
        if (!started || !service.isAlive()) {
            throw new IllegalStateException("the service did not start:\n" + Files.readString(home.resolve("log")));
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            return get("/api/v1/lists").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /**
     * Asks again and again, with a sleep in between because the service does not tell this program when something is
     * done.
     */
    private static boolean comesTrue(Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(100);
        }
        return true;
    }

    private void post(boolean strict) throws Exception {
        created(call(
                "POST", "/api/v1/lists", "application/json", "{\"name\":\"demo\",\"fromEmail\":\"news@example.org\"}"));
        String imported = created(
                call("POST", "/api/v1/lists/demo/imports?verified=true", "text/csv", "email\n" + READER + "\n"));
        Matcher id = ID.matcher(imported);
        if (id.find() && !comesTrue(() -> !get("/api/v1/imports/" + id.group(1)).body().contains("running"))) {
            throw new IllegalStateException("the import did not end: " + imported);
        }
        begun = System.nanoTime();
        say("posting %d Low, then %d High; %s; an email takes %.1f s",
                OF_A_CLASS, OF_A_CLASS,
                strict ? "they share two places" : "High has two places, Low has one",
                millisOfAnEmail / 1000.0);
        List<String> messages = new ArrayList<>();
        for (String mailClass : List.of("Low", "High")) {
            for (int number = 1; number <= OF_A_CLASS; number++) {
                String made = created(call("POST", "/api/v1/messages", "application/json", """
                        {"list":"demo","subject":"%s %d","mailClass":"%s","html":"<a href='{{unsubscribe}}'>leave</a>"}
                        """.formatted(mailClass, number, mailClass)));
                Matcher ref = REF.matcher(made);
                if (ref.find()) {
                    messages.add("/api/v1/messages/" + ref.group(1));
                }
            }
            say("posted %d %s", OF_A_CLASS, mailClass);
        }
        for (String message : messages) {
            if (!comesTrue(() -> !NOT_QUEUED.matcher(get(message).body()).find())) {
                throw new IllegalStateException("was not queued: " + get(message).body());
            }
        }
        allQueued.countDown();
    }

    private static String created(HttpResponse<String> answer) {
        if (answer.statusCode() != 201 && answer.statusCode() != 202) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return call("GET", path, "application/json", "");
    }

    private HttpResponse<String> call(String method, String path, String type, String body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(url + path))
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private synchronized boolean awaitAll(Process service) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) + 20 * millisOfAnEmail * 1_000_000;
        while (finished.size() < 2 * OF_A_CLASS && System.nanoTime() < deadline && service.isAlive()) {
            wait(500);
        }
        double high = place("High");
        double low = place("Low");
        boolean once = finished.size() == 2 * OF_A_CLASS && new HashSet<>(finished).size() == finished.size();
        say("order: %s", String.join(", ", finished));
        say("%d of %d were sent%s; on average, High was number %.1f and Low number %.1f",
                finished.size(), 2 * OF_A_CLASS, once ? ", each once" : "", high, low);
        return once && high < low;
    }

    /** On average, from 1. */
    private double place(String mailClass) {
        return Stream.iterate(0, place -> place < finished.size(), place -> place + 1)
                .filter(place -> finished.get(place).startsWith(mailClass))
                .mapToInt(place -> place + 1)
                .average()
                .orElse(0);
    }

    private void accept(ServerSocket mail) {
        for (int connection = 1; !mail.isClosed(); connection++) {
            try {
                Socket client = mail.accept();
                int number = connection;
                inBackground(() -> converse(client, number));
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** SMTP as far as the service speaks it to a server that it trusts. */
    private void converse(Socket client, int connection) {
        try (client;
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1))) {
            OutputStream out = client.getOutputStream();
            answer(out, "220 demo");
            String recipient = "";
            for (String command = in.readLine(); command != null; command = in.readLine()) {
                if (command.startsWith("RCPT")) {
                    recipient = command;
                }
                if (command.startsWith("DATA")) {
                    answer(out, "354 go ahead");
                    String subject = subject(in);
                    if (recipient.contains(READER)) {
                        allQueued.await();
                        // The server takes this long for an email: the demo is about that.
                        Thread.sleep(millisOfAnEmail);
                        finish(subject, connection);
                    }
                }
                answer(out, command.startsWith("QUIT") ? "221 bye" : "250 ok");
            }
        } catch (IOException gone) {
            // The service closed the connection.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static String subject(BufferedReader in) throws IOException {
        String subject = "";
        for (String line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
            if (subject.isEmpty() && line.startsWith("Subject: ")) {
                subject = line.substring("Subject: ".length());
            }
        }
        return subject;
    }

    private static void answer(OutputStream out, String reply) throws IOException {
        out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private synchronized void finish(String message, int connection) {
        finished.add(message);
        say("%-7s finished by connection %d", message, connection);
        notifyAll();
    }

    private void say(String text, Object... values) {
        System.out.printf(
                Locale.ROOT, "%6.2f s  %s%n", (System.nanoTime() - begun) / 1e9, String.format(Locale.ROOT, text, values));
    }

    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private static void end(Process service, Path home) {
        service.destroy();
        try {
            if (!service.waitFor(30, TimeUnit.SECONDS)) {
                service.destroyForcibly().waitFor();
            }
            try (Stream<Path> files = Files.walk(home)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
            }
        } catch (IOException | InterruptedException left) {
            System.err.println("left behind: " + home);
        }
    }
}
