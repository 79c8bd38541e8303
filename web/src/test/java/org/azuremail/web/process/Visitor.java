package org.azuremail.web.process;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.FormElement;

/**
 * A person with a browser without scripts. It keeps cookies, follows redirects, and sends only forms that the page
 * contains.
 */
final class Visitor {

    private final HttpClient http = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    HttpResponse<String> open(String address) {
        return send(HttpRequest.newBuilder(URI.create(address)).GET());
    }

    /** Sends the form with this action, with its own values and the typed ones. */
    HttpResponse<String> press(HttpResponse<String> page, String action, Map<String, String> typed) {
        FormElement form = Jsoup.parse(page.body(), page.uri().toString()).select("form").forms().stream()
                .filter(one -> URI.create(one.attr("action")).getPath().equals(action))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no form to " + action + " at " + page.uri()));
        Map<String, String> fields = new LinkedHashMap<>();
        form.formData().forEach(field -> fields.put(field.key(), field.value()));
        fields.putAll(typed);
        return send(HttpRequest.newBuilder(page.uri().resolve(form.attr("action")))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(encode(fields))));
    }

    private static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> URLEncoder.encode(field.getKey(), StandardCharsets.UTF_8)
                        + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("stopped", e);
        }
    }
}
