package org.azuremail.bench;

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
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import tools.jackson.databind.JsonNode;

/** Case 7: an admin's pages, with a million subscribers on one list. */
record PagesCase(Lab lab, ReportEntry entry) {

    private static final int WARM = 20;
    private static final int REQUESTS = 100;

    /** The number of requests including the warm-up. */
    static final int ALL_REQUESTS = WARM + REQUESTS;

    private static final int PAGES_DEEP = 20;

    void run() throws Exception {
        try (Service service = Service.withSendGrid(lab, "data/main")) {
            int readers = lab.scaled(TransportCases.MILLION);
            String list = RecipientLists.list(lab, service.api(), readers);
            HttpClient admin = signIn(service.url());
            for (Map.Entry<String, String> page : pages(service, admin, list).entrySet()) {
                double[] millis = RunStatistics.sorted(requestTimes(admin, service.url() + page.getValue()));
                entry.quantiles(
                        page.getKey() + ", %,d subscribers: p50 / p95, ms".formatted(readers), millis, "< 50 / < 100");
            }
        }
    }

    /** Returns the addresses of an admin's pages, by name. Sends a message to the whole list if none exists. */
    static Map<String, String> pages(Service service, HttpClient admin, String list)
            throws IOException, InterruptedException {
        Api api = service.api();
        String subscribers = "/subscribers?list=" + list;
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("dashboard", "/");
        pages.put("lists", "/lists");
        pages.put("one list", "/lists/" + list);
        pages.put("subscribers, first page", subscribers);
        pages.put("a page deep in the list", deep(api, list, admin, service.url() + subscribers, subscribers));
        pages.put("search by prefix", subscribers + "&q=u00012");
        pages.put(
                "a person", "/subscribers/details?list=" + list + "&email=" + encode(MailCounter.recipientAddress(77)));
        String message = "/messages/" + message(api, list);
        pages.put("a message", message);
        pages.put("a message's outcomes", message + "/recipients");
        return pages;
    }

    /** Returns the newest message's reference. Sends a message to the whole list if no other case has left one. */
    private static String message(Api api, String list) {
        String newest = "/api/v1/messages?limit=1";
        if (api.get(newest).get("items").isEmpty()) {
            Mailing.await(api, api.send(list, "News for {{name|friend}}", RecipientLists.BODY));
        }
        return api.get(newest).get("items").get(0).get("messageRef").asString();
    }

    /**
     * Returns the path of a page deep in the list. The cursor of a page begins with another name than one of the API;
     * the link to the second page contains that name.
     */
    private static String deep(Api api, String list, HttpClient admin, String first, String path)
            throws IOException, InterruptedException {
        Element second = Jsoup.parse(open(admin, first).body()).selectFirst("a[href*=cursor=]");
        if (second == null) {
            throw new IllegalStateException("there is only one page of subscribers");
        }
        String cursor = "";
        for (int page = 0; page < PAGES_DEEP; page++) {
            JsonNode next = api.get("/api/v1/lists/" + list + "/subscriptions?limit=1000"
                            + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
                    .get("cursor");
            if (next.isNull()) {
                break;
            }
            cursor = encode(next.asString());
        }
        String link = second.attr("href");
        String name = link.substring(link.indexOf("cursor=") + "cursor=".length());
        return path + "&cursor=" + name.substring(0, name.indexOf('-') + 1) + cursor.substring(cursor.indexOf('-') + 1);
    }

    static long[] requestTimes(HttpClient admin, String page) throws IOException, InterruptedException {
        return times(() -> {
            HttpResponse<String> answer = open(admin, page);
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(page + " answered " + answer.statusCode());
            }
        });
    }

    @FunctionalInterface
    interface Request {
        void run() throws IOException, InterruptedException;
    }

    /** Returns the times of a hundred requests, in nanoseconds, after a warm-up. */
    static long[] times(Request one) throws IOException, InterruptedException {
        long[] nanos = new long[REQUESTS];
        for (int look = -WARM; look < REQUESTS; look++) {
            long began = System.nanoTime();
            one.run();
            if (look >= 0) {
                nanos[look] = System.nanoTime() - began;
            }
        }
        return nanos;
    }

    static HttpClient signIn(String url) throws IOException, InterruptedException {
        HttpClient http = HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        Element token = Jsoup.parse(open(http, url + "/sign-in").body()).selectFirst("input[name=_csrf]");
        String form = "email=" + encode(Service.ADMIN) + "&password=" + encode(Service.PASSWORD) + "&_csrf="
                + encode(token == null ? "" : token.attr("value"));
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/sign-in"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.uri().getPath().equals("/sign-in")) {
            throw new IllegalStateException("signing in failed: " + answer.statusCode());
        }
        return http;
    }

    static HttpResponse<String> open(HttpClient http, String page) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(page)).build(), BodyHandlers.ofString());
    }

    static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
