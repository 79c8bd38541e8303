package org.azuremail.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.azuremail.app.FreePort;

/** The packaged service with all roles in one process, on the embedded storage with default settings. */
final class Service implements AutoCloseable {

    static final String ADMIN = "ann@bench.test";
    static final String PASSWORD = "seven wet otters";

    private static final Duration START = Duration.ofMinutes(5);

    private final Lab lab;
    private final Jvm jvm;
    private final int port;
    private final Api api;

    private Service(Lab lab, int port, Jvm jvm) {
        this.lab = lab;
        this.port = port;
        this.jvm = jvm;
        this.api = new Api(url());
    }

    /**
     * @param data a directory of the lab
     * @param settings settings in the form {@code name=value}
     */
    static Service start(Lab lab, String data, String... settings) {
        int port = FreePort.find();
        Jvm jvm = lab.start("web", arguments(port, lab.directory(data), settings));
        Service service = new Service(lab, port, jvm);
        awaitPage(jvm, service.url() + "/actuator/health");
        return service;
    }

    /** Starts a service whose emails go to its own sink for SendGrid's API. */
    static Service withSendGrid(Lab lab, String data, String... settings) throws IOException {
        Sink sink = HttpSink.start(lab);
        List<String> all = new ArrayList<>(List.of(
                "azuremail.mail.transport=sendgrid",
                "azuremail.mail.sendgrid.api-key=SG.bench",
                "azuremail.mail.sendgrid.endpoint=http://localhost:" + sink.port()));
        all.addAll(List.of(settings));
        return start(lab, data, all.toArray(String[]::new));
    }

    static List<String> arguments(int port, Path data, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=" + port,
                "--azuremail.bootstrap.admin-email=" + ADMIN,
                "--azuremail.bootstrap.admin-password=" + PASSWORD,
                "--azuremail.bootstrap.api-key=" + Api.KEY));
        arguments.addAll(arguments(data, settings));
        return arguments;
    }

    static List<String> arguments(Path data, String... settings) {
        return Stream.concat(Stream.of("azuremail.data-dir=" + data), Stream.of(settings))
                .map(setting -> "--" + setting)
                .toList();
    }

    static void awaitPage(Jvm jvm, String page) {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(page)).build();
        awaitStart(jvm, 20, () -> answers(http, request));
    }

    static void awaitStart(Jvm jvm, int everyMillis, BooleanSupplier started) {
        Supplier<String> otherwise = () -> "a process did not start: " + jvm.log();
        Lab.await(
                START,
                everyMillis,
                () -> {
                    if (!jvm.alive()) {
                        throw new IllegalStateException(otherwise.get());
                    }
                    return started.getAsBoolean();
                },
                otherwise);
    }

    private static boolean answers(HttpClient http, HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped", e);
        }
    }

    MailCounter tally() {
        return lab.tally();
    }

    Api api() {
        return api;
    }

    int port() {
        return port;
    }

    String url() {
        return "http://localhost:" + port;
    }

    Jvm jvm() {
        return jvm;
    }

    @Override
    public void close() {
        jvm.close();
    }
}
