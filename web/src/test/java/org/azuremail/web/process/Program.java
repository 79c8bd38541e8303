package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A program that uses the REST API with an admin key and without cookies. */
final class Program {

    private static final int PAGE = 1000;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;
    private final String key;

    Program(String url, String key) {
        this.url = url;
        this.key = key;
    }

    /** A JSON answer. */
    record Answer(int status, String body) {

        <T> T at(String path) {
            return JsonPath.read(body, path);
        }

        long count(String name) {
            return this.<Number>at("$." + name).longValue();
        }
    }

    String url() {
        return url;
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    void makeList(String name) {
        makeListFrom("{\"name\": \"%s\", \"fromEmail\": \"news@example.org\"}".formatted(name));
    }

    /** Creates a list with this transport. */
    void makeList(String name, String transport) {
        makeListFrom("""
                {"name": "%s", "fromEmail": "news@example.org", "transport": "%s"}
                """.formatted(name, transport));
    }

    /** Waits for the key, because the server answers a moment before the first start has stored it. */
    private void makeListFrom(String list) {
        Awaitility.await("the key")
                .atMost(Duration.ofMinutes(2))
                .until(() -> get("/api/v1/lists").status() != 401);
        assertThat(post("/api/v1/lists", list).status()).isEqualTo(201);
    }

    /** Subscribes reader1@example.com and so on by a file, which exists only while it is sent. */
    void importReaders(String list, int count) {
        importRows(list, count, () -> IntStream.rangeClosed(1, count).mapToObj(Program::reader));
    }

    void importAddresses(String list, List<String> addresses) {
        importRows(list, addresses.size(), addresses::stream);
    }

    private void importRows(String list, int count, Supplier<Stream<String>> addresses) {
        Iterable<byte[]> rows = () -> Stream.concat(Stream.of("email"), addresses.get())
                .map(row -> (row + "\n").getBytes(StandardCharsets.UTF_8))
                .iterator();
        Answer started = send(request("/api/v1/lists/" + list + "/imports?verified=true")
                .header("Content-Type", "text/csv")
                .POST(BodyPublishers.ofByteArrays(rows)));
        assertThat(started.status()).as(started.body()).isEqualTo(202);
        String path = "/api/v1/imports/" + started.at("$.id");
        Awaitility.await("the import").atMost(Duration.ofMinutes(3)).until(() -> !state(path)
                .equals("running"));
        Answer done = get(path);
        assertThat(done.count("imported")).as(done.body()).isEqualTo(count);
    }

    static String reader(int number) {
        return "reader" + number + "@example.com";
    }

    static List<String> readers(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(Program::reader).toList();
    }

    Answer subscribe(String list, String email) {
        return post("/api/v1/lists/" + list + "/subscriptions", "{\"email\": \"" + email + "\"}");
    }

    String subscriptionState(String list, String email) {
        return state("/api/v1/lists/" + list + "/subscriptions/" + email);
    }

    /** Sends a message and returns its path. */
    String send(String list) {
        return send(list, "News");
    }

    /** Sends a message with its own subject. */
    String send(String list, String subject) {
        return send(list, subject, "hold");
    }

    /** Sends a message with a setting for emails in doubt: hold or resend. */
    String send(String list, String subject, String onUnknown) {
        return send(list, subject, onUnknown, "");
    }

    /** Sends a message of a mail class. If the class is empty, the list decides it. */
    String send(String list, String subject, String onUnknown, String mailClass) {
        Answer created = post("/api/v1/messages", """
                {"list": "%s", "subject": "%s", "onUnknown": "%s", "mailClass": "%s",
                 "html": "<p>Hello, <a href='{{unsubscribe}}'>leave</a></p>"}
                """.formatted(list, subject, onUnknown, mailClass));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        return "/api/v1/messages/" + created.at("$.messageRef");
    }

    /** Pauses, resumes or cancels a message. */
    Answer act(String message, String act) {
        return send(request(message + "/" + act).POST(BodyPublishers.noBody()));
    }

    String state(String path) {
        return get(path).at("$.state");
    }

    Answer awaitCompletion(String message, Duration atMost) {
        Awaitility.await("completion of the message")
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(250))
                .untilAsserted(() -> {
                    Answer now = get(message);
                    assertThat(now.<String>at("$.state")).as(now.body()).isEqualTo("completed");
                });
        return get(message);
    }

    /** Returns the recipients with this outcome. */
    List<String> recipients(String message, String outcome) {
        List<String> found = new ArrayList<>();
        @Nullable String cursor = "";
        do {
            Answer page = get(message + "/outcomes?limit=" + PAGE + cursor);
            found.addAll(page.<List<String>>at("$.items[?(@.outcome == '" + outcome + "')].email"));
            Object next = page.at("$.cursor");
            cursor = next == null ? null : "&cursor=" + encode(next.toString());
        } while (cursor != null);
        return found;
    }

    /** Returns the ids of the emails to this address in the outbox. */
    List<String> mailsTo(String email) {
        return get("/api/v1/outbox?to=" + encode(email)).at("$.items[*].id");
    }

    Map<String, String> headers(String mail) {
        return get("/api/v1/outbox/" + encode(mail)).at("$.headers");
    }

    String text(String mail) {
        return get("/api/v1/outbox/" + encode(mail)).at("$.text");
    }

    private Answer post(String path, String json) {
        return call("POST", path, json);
    }

    /** Makes any call with a JSON body. */
    Answer call(String method, String path, String json) {
        BodyPublisher body = BodyPublishers.ofString(json);
        return send(request(path).header("Content-Type", "application/json").method(method, body));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + key);
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("stopped", e);
        }
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
