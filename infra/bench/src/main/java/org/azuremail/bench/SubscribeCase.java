package org.azuremail.bench;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Case 5: people who join by the API, each acknowledged when they are on the disk; their confirmations go out beside. */
final class SubscribeCase implements BenchCase {

    private static final int FULL = 32_000;
    private static final String WRONG_KEY = "am_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    @Override
    public int number() {
        return 5;
    }

    @Override
    public String title() {
        return "subscribe API, " + Crowd.CLIENTS + " clients";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        int requests = lab.options().scaled(FULL);
        HttpSink sink = lab.httpSink();
        lab.tally().resetNewcomers();
        try (Service service = Service.withSendGrid(lab, lab.directory("data/subscribe"), sink)) {
            service.api().makeList("double", "double");
            service.api().makeList("single", "single");
            Spread joining = atOnce(lab, entry, service, requests);
            Spread doubleOptIn = withConfirmation(lab, entry, service, requests);
            entry.add(
                    5,
                    "– double opt-in to joining at once, the medians",
                    Spread.number(doubleOptIn.median() / joining.median()),
                    "≥ 0.7");
        }
    }

    private static Spread atOnce(Lab lab, Entry entry, Service service, int requests) throws Exception {
        List<Crowd> joined = new ArrayList<>();
        List<Crowd> again = new ArrayList<>();
        List<Crowd> wrong = new ArrayList<>();
        for (int run = 0; run <= lab.options().runs(); run++) {
            int before = run * requests;
            count(joined, run, Crowd.subscribe(service, "single", Api.KEY, requests, n -> who(before + n), 201));
            count(again, run, Crowd.subscribe(service, "single", Api.KEY, requests, n -> who(before + n), 409));
            count(wrong, run, Crowd.subscribe(service, "single", WRONG_KEY, requests, n -> who(n), 401));
        }
        requireAll(service, "single", (lab.options().runs() + 1) * requests);
        report(entry, "joining at once, fresh addresses", joined, "≥ 3,000", "p99 < 50 ms");
        report(entry, "the same addresses again", again, "", "");
        report(entry, "wrong key", wrong, "", "");
        return Spread.of(joined, Crowd::perSecond);
    }

    /** As many people who are on no list yet. Confirmations go out meanwhile; nobody waits for the last of them. */
    private static Spread withConfirmation(Lab lab, Entry entry, Service service, int requests) throws Exception {
        List<Crowd> fresh = new ArrayList<>();
        int runs = lab.options().runs() + 1;
        for (int run = 0; run < runs; run++) {
            int before = (runs + run) * requests;
            count(fresh, run, Crowd.subscribe(service, "double", Api.KEY, requests, n -> who(before + n), 202));
        }
        requireAll(service, "double", runs * requests);
        report(entry, "double opt-in, fresh addresses, confirmations going out", fresh, "≥ 3,000", "p99 < 50 ms");
        entry.add(5, "– confirmations handed over by then", "" + lab.tally().newcomersMails(), "");
        return Spread.of(fresh, Crowd::perSecond);
    }

    private static String who(int number) {
        return Tally.newcomer(number);
    }

    private static void count(List<Crowd> counted, int run, Crowd crowd) {
        Lab.say("%s: %,.0f requests/s, p50 %.1f, p99 %.1f ms, %.2f CPU s per 10,000"
                .formatted(
                        run == 0 ? "warm-up" : "run " + run,
                        crowd.perSecond(),
                        crowd.millis(0.5),
                        crowd.millis(0.99),
                        crowd.cpuPer10k()));
        if (run > 0) {
            counted.add(crowd);
        }
    }

    static void awaitMails(Tally tally, long mails) {
        long until = System.nanoTime() + 300_000_000_000L;
        while (tally.newcomersMails() < mails) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("only " + tally.newcomersMails() + " confirmations of " + mails);
            }
            Service.sleep(20);
        }
    }

    /** Fails unless everybody who was accepted is on the list. */
    private static void requireAll(Service service, String list, int people) {
        JsonNode counts = service.api().get("/api/v1/lists/" + list).get("counts");
        if (counts.get("total").asLong() != people) {
            throw new IllegalStateException("accepted " + people + ", but there are " + counts);
        }
    }

    private static void report(Entry entry, String what, List<Crowd> runs, String goal, String slowest) {
        entry.add(5, what + ": requests/s", Spread.of(runs, Crowd::perSecond), goal);
        entry.add(5, "– p50, ms", Spread.of(runs, run -> run.millis(0.5)), "");
        entry.add(5, "– p95, ms", Spread.of(runs, run -> run.millis(0.95)), "");
        entry.add(5, "– p99, ms", Spread.of(runs, run -> run.millis(0.99)), slowest);
        entry.add(5, "– CPU s of the service per 10,000", Spread.of(runs, Crowd::cpuPer10k), "");
    }
}
