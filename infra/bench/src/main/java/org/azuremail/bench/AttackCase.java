package org.azuremail.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.util.LinkedHashMap;
import java.util.Map;

/** Case 16: pages and calls while strangers send slowly, and far too much. */
final class AttackCase implements BenchCase {

    private static final String LIST = "attacked";

    /** Something that somebody waits for. */
    @FunctionalInterface
    private interface Look {
        long[] take() throws IOException, InterruptedException;
    }

    @Override
    public int number() {
        return 16;
    }

    @Override
    public String title() {
        return "pages under attack";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        try (Service service = Service.start(lab, lab.directory("data/attack"))) {
            service.api().makeList(LIST, "double");
            HttpClient admin = PagesCase.signIn(service.url());
            Map<String, Look> looks = looks(service, admin);
            report(entry, "undisturbed", looks, "");
            try (Attackers attackers = new Attackers(service.port())) {
                attackers.begin();
                report(entry, "while 300 send a byte in 15 s and 60 send 12 MB in chunks", looks, "< 500");
                entry.add(
                        16,
                        "connections that the attackers had to begin anew",
                        String.valueOf(attackers.begunAnew()),
                        "");
            }
        }
    }

    private static Map<String, Look> looks(Service service, HttpClient admin) {
        HttpClient stranger = HttpClient.newHttpClient();
        Map<String, Look> looks = new LinkedHashMap<>();
        looks.put("the sign-in page", () -> PagesCase.looks(stranger, service.url() + "/sign-in"));
        looks.put("a list", () -> PagesCase.looks(admin, service.url() + "/lists/" + LIST));
        looks.put("a call of the API", () -> PagesCase.times(() -> service.api().get("/api/v1/lists/" + LIST)));
        return looks;
    }

    /** Adds the times of each look to the entry. A request without an answer, or with any status but 200, fails the case. */
    private static void report(Entry entry, String when, Map<String, Look> looks, String goal)
            throws IOException, InterruptedException {
        for (Map.Entry<String, Look> look : looks.entrySet()) {
            double[] millis = Spread.sorted(look.getValue().take());
            entry.add(
                    16,
                    look.getKey() + ", " + when + ": p50 / p95, ms",
                    Spread.number(Spread.quantile(millis, 0.5)) + " / " + Spread.number(Spread.quantile(millis, 0.95)),
                    goal);
        }
    }
}
