package org.azuremail.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Case 18: the unsubscribe page of a list with shared templates, and of a list with its own copies of layout and page,
 * in turn; then the same while the copies are saved and reverted all the time.
 */
record TemplatesCase(Lab lab, ReportEntry entry) {

    private static final int REQUESTS = 4_000;
    private static final int PAUSE_MILLIS = 50;
    private static final List<String> COPIED = List.of("layout.html", "unsubscribe.html");

    void run() throws Exception {
        try (Service service = Service.start(lab, "data/templates")) {
            measure(service.api(), service.url(), lab.scaled(REQUESTS));
        }
    }

    private void measure(Api api, String url, int looks) throws IOException, InterruptedException {
        api.makeList("sharing", "double");
        api.makeList("copying", "double");
        HttpClient http = HttpClient.newHttpClient();
        customise(api);
        pair(http, url, looks);
        report("at rest", pair(http, url, looks));
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger changes = new AtomicInteger();
        Thread admin = new Thread(() -> changeAllTheTime(api, stop, changes), "admin");
        admin.start();
        long began = System.nanoTime();
        try {
            report("while customised and reverted", pair(http, url, looks));
        } finally {
            stop.set(true);
            admin.join();
        }
        entry.add("changes a second meanwhile", changes.get() / Lab.seconds(began), "");
    }

    private static void customise(Api api) {
        for (String name : COPIED) {
            String path = "/api/v1/lists/copying/templates/" + name;
            api.json("PUT", path, Map.of("text", api.get(path).get("text").asString()), 200);
        }
    }

    private static void changeAllTheTime(Api api, AtomicBoolean stop, AtomicInteger changes) {
        while (!stop.get()) {
            for (String name : COPIED) {
                api.json("DELETE", "/api/v1/lists/copying/templates/" + name, Map.of(), 200);
            }
            customise(api);
            changes.addAndGet(2 * COPIED.size());
            Service.sleep(PAUSE_MILLIS);
        }
    }

    /** Measures both in turn, so that other load on the machine affects both alike. Returns milliseconds, sorted. */
    private static double[][] pair(HttpClient http, String url, int looks) throws IOException, InterruptedException {
        long[] sharing = new long[looks];
        long[] copying = new long[looks];
        for (int i = 0; i < looks; i++) {
            if (i % 2 == 0) {
                sharing[i] = requestTime(http, url, "sharing");
            }
            copying[i] = requestTime(http, url, "copying");
            if (i % 2 == 1) {
                sharing[i] = requestTime(http, url, "sharing");
            }
        }
        return new double[][] {RunStatistics.sorted(sharing), RunStatistics.sorted(copying)};
    }

    private static long requestTime(HttpClient http, String url, String list) throws IOException, InterruptedException {
        String page = url + "/unsubscribe?id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=" + list;
        long began = System.nanoTime();
        HttpResponse<String> answer = PagesCase.open(http, page);
        long took = System.nanoTime() - began;
        if (answer.statusCode() != 200 || !answer.body().contains("No subscription belongs")) {
            throw new IllegalStateException(page + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return took;
    }

    private void report(String when, double[][] pair) {
        entry.add("shared page " + when + ": mean / median / p95 / largest, ms", text(pair[0]), "");
        entry.add("customised page " + when + ": mean / median / p95 / largest, ms", text(pair[1]), "");
        entry.add(
                "customised to shared " + when + ": ratio of means / of medians / of p95",
                RunStatistics.number(mean(pair[1]) / mean(pair[0])) + " / " + ratio(pair, 0.5) + " / "
                        + ratio(pair, 0.95),
                "≤ 1.12");
    }

    private static String ratio(double[][] pair, double quantile) {
        return RunStatistics.number(
                RunStatistics.quantile(pair[1], quantile) / RunStatistics.quantile(pair[0], quantile));
    }

    private static String text(double[] millis) {
        return RunStatistics.number(mean(millis)) + " / " + RunStatistics.text(millis, 0.5, 0.95, 1);
    }

    private static double mean(double[] millis) {
        return Arrays.stream(millis).average().orElse(0);
    }
}
