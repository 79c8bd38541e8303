package org.azuremail.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the REST API with an admin key. */
final class Api {

    static final String KEY = "key-of-the-benchmark-0123456789";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern CALLS = Pattern.compile("(?m)^azuremail_storage_calls_total\\{.*} (\\S+)$");

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;

    Api(String url) {
        this.url = url;
    }

    void makeList(String name, String optIn) {
        json("POST", "/api/v1/lists", Map.of("name", name, "fromEmail", "news@bench.test", "optIn", optIn), 201);
    }

    String startImport(String list, Path file) {
        try {
            HttpRequest request = request("/api/v1/lists/" + list + "/imports?verified=true")
                    .header("Content-Type", "text/csv")
                    .POST(BodyPublishers.ofFile(file))
                    .build();
            return "/api/v1/imports/"
                    + JSON.readTree(send(request, 202)).get("id").asString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a message that is sent to a list at once, and returns its path. */
    String send(String list, String subject, String html) {
        return send(Map.of("list", list), subject, html);
    }

    /** Creates a message that is sent to a {@code list} or a {@code segment} of it at once, and returns its path. */
    String send(Map<String, String> to, String subject, String html) {
        Map<String, String> message = new TreeMap<>(to);
        message.put("subject", subject);
        message.put("html", html);
        JsonNode made = json("POST", "/api/v1/messages", message, 201);
        return "/api/v1/messages/" + made.get("messageRef").asString();
    }

    JsonNode get(String path) {
        return JSON.readTree(send(request(path).GET().build(), 200));
    }

    /** Returns the number of storage calls of the process since its start. */
    double storageCalls() {
        String metrics = send(request("/actuator/prometheus").GET().build(), 200);
        return CALLS.matcher(metrics)
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    JsonNode json(String method, String path, Map<String, ?> body, int expected) {
        HttpRequest request = request(path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(JSON.writeValueAsString(body), StandardCharsets.UTF_8))
                .build();
        return JSON.readTree(send(request, expected));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + KEY);
    }

    private String send(HttpRequest request, int expected) {
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() != expected) {
                throw new IllegalStateException(
                        request.uri() + " answered " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped", e);
        }
    }
}
