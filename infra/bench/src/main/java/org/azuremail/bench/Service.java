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

/** The packaged service with all roles in one process, on the embedded storage as shipped. */
final class Service implements AutoCloseable {

    static final String ADMIN = "ann@bench.test";
    static final String PASSWORD = "seven wet otters";

    private static final Duration START = Duration.ofMinutes(5);

    private final Jvm jvm;
    private final int port;
    private final String url;
    private final Api api;

    private Service(Jvm jvm, int port) {
        this.jvm = jvm;
        this.port = port;
        this.url = "http://localhost:" + port;
        this.api = new Api(url);
    }

    /** @param settings as {@code name=value} */
    static Service start(Lab lab, Path data, String... settings) {
        int port = Lab.freePort();
        Jvm jvm = lab.start("web", arguments(port, data, settings));
        Service service = new Service(jvm, port);
        service.awaitReady();
        return service;
    }

    /** With mail going to a sink's API. */
    static Service withSendGrid(Lab lab, Path data, HttpSink sink, String... settings) {
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
                "--azuremail.data-dir=" + data,
                "--azuremail.bootstrap.admin-email=" + ADMIN,
                "--azuremail.bootstrap.admin-password=" + PASSWORD,
                "--azuremail.bootstrap.api-key=" + Api.KEY));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return arguments;
    }

    private void awaitReady() {
        awaitPage(jvm, url + "/actuator/health", START);
    }

    /** Asks until this page is answered with 200. */
    static void awaitPage(Jvm jvm, String page, Duration atMost) {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(page)).build();
        long until = System.nanoTime() + atMost.toNanos();
        while (!answers(http, request)) {
            if (!jvm.alive() || System.nanoTime() > until) {
                throw new IllegalStateException("the service did not start: " + jvm.log());
            }
            sleep(20);
        }
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

    Api api() {
        return api;
    }

    int port() {
        return port;
    }

    String url() {
        return url;
    }

    Jvm jvm() {
        return jvm;
    }

    @Override
    public void close() {
        jvm.close();
    }
}
