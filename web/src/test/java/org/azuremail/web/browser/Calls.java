package org.azuremail.web.browser;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Sends requests as programs do: a partner's site with its key, or a mail program without one. It follows no redirects.
 */
final class Calls {

    private final HttpClient http =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();
    private final String url;
    private final String key;

    Calls(String url, String key) {
        this.url = url;
        this.key = key;
    }

    /** @return the status */
    String post(String path, String json) throws IOException, InterruptedException {
        HttpRequest request = withKey(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        return String.valueOf(http.send(request, BodyHandlers.discarding()).statusCode());
    }

    /** @return the status and the body */
    String get(String path) throws IOException, InterruptedException {
        return answer(withKey(path).GET().build());
    }

    /** Posts the one-click body of RFC 8058 to the address in the email's header. */
    String oneClick(String link) throws IOException, InterruptedException {
        return answer(HttpRequest.newBuilder(URI.create(link))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("List-Unsubscribe=One-Click"))
                .build());
    }

    private HttpRequest.Builder withKey(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + key);
    }

    private String answer(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }
}
