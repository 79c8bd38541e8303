package org.azuremail.bench;

import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;

/**
 * Case 5: people subscribe through the API, and each is acknowledged once the disk has them; confirmations are sent
 * meanwhile.
 */
record SubscribeCase(Lab lab, ReportEntry entry) {

    private static final int FULL = 32_000;
    private static final int CLIENTS = 16;
    private static final String WRONG_KEY = "am_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    void run() throws Exception {
        int requests = lab.scaled(FULL);
        lab.tally().resetConfirmations();
        try (Service service = Service.withSendGrid(lab, "data/subscribe")) {
            service.api().makeList("double", "double");
            service.api().makeList("single", "single");
            RunStatistics joining = atOnce(service, requests);
            RunStatistics doubleOptIn = withConfirmation(service, requests);
            entry.add(
                    "– double opt-in to joining at once, the medians",
                    doubleOptIn.median() / joining.median(),
                    "≥ 0.7");
        }
    }

    private RunStatistics atOnce(Service service, int requests) throws Exception {
        record Run(Crowd joined, Crowd again, Crowd wrong) {}
        List<Run> runs = lab.runs(run -> {
            IntFunction<String> email = number -> MailCounter.newSubscriberAddress(run * requests + number);
            return new Run(
                    logged(run, crowd(service, "single", Api.KEY, requests, email, 201)),
                    logged(run, crowd(service, "single", Api.KEY, requests, email, 409)),
                    logged(run, crowd(service, "single", WRONG_KEY, requests, MailCounter::newSubscriberAddress, 401)));
        });
        requireAll(service, "single", (lab.options().runs() + 1) * requests);
        List<Crowd> joined = runs.stream().map(Run::joined).toList();
        report("joining at once, fresh addresses", joined, "≥ 3,000", "p99 < 50 ms");
        report("the same addresses again", runs.stream().map(Run::again).toList(), "", "");
        report("wrong key", runs.stream().map(Run::wrong).toList(), "", "");
        return RunStatistics.of(joined, Crowd::perSecond);
    }

    /**
     * Subscribes people who are on no list yet. Confirmations are sent meanwhile; the measurement does not wait for the
     * last of them.
     */
    private RunStatistics withConfirmation(Service service, int requests) throws Exception {
        int runs = lab.options().runs() + 1;
        List<Crowd> fresh = lab.runs(run -> {
            int before = (runs + run) * requests;
            return logged(
                    run,
                    crowd(
                            service,
                            "double",
                            Api.KEY,
                            requests,
                            number -> MailCounter.newSubscriberAddress(before + number),
                            202));
        });
        requireAll(service, "double", runs * requests);
        report("double opt-in, fresh addresses, confirmations going out", fresh, "≥ 3,000", "p99 < 50 ms");
        entry.add("– confirmations handed over by then", "" + lab.tally().confirmationCount(), "");
        return RunStatistics.of(fresh, Crowd::perSecond);
    }

    /**
     * The requests of many clients, each of which subscribed people one after the other.
     *
     * @param cpu the CPU time of the service, in seconds
     * @param millis the time of each request, sorted
     */
    record Crowd(double seconds, double cpu, double[] millis) {

        double perSecond() {
            return millis.length / seconds;
        }

        /**
         * Returns the CPU seconds for 10,000 requests. If other programs use the machine, the CPU time is more reliable
         * than the duration.
         */
        double cpuPer10k() {
            return cpu * 10_000 / millis.length;
        }

        double millis(double share) {
            return RunStatistics.quantile(millis, share);
        }
    }

    /**
     * @param requests the number of requests of all clients together
     * @param status the status that each answer must have
     */
    static Crowd crowd(Service service, String list, String key, int requests, IntFunction<String> email, int status)
            throws Exception {
        long[] nanos = new long[requests];
        double before = service.jvm().cpuSeconds();
        double perSecond = RawThroughput.together(requests, CLIENTS, (from, to) -> {
            try (SubscribeClient client = new SubscribeClient(service.port())) {
                for (int number = from; number < to; number++) {
                    long began = System.nanoTime();
                    int answered = client.subscribe(list, email.apply(number), key);
                    if (answered != status) {
                        throw new IOException("answered " + answered + " instead of " + status);
                    }
                    nanos[number - 1] = System.nanoTime() - began;
                }
            }
        });
        return new Crowd(requests / perSecond, service.jvm().cpuSeconds() - before, RunStatistics.sorted(nanos));
    }

    private static Crowd logged(int run, Crowd crowd) {
        Lab.log("%s: %,.0f requests/s, p50 %.1f, p99 %.1f ms, %.2f CPU s per 10,000"
                .formatted(Lab.name(run), crowd.perSecond(), crowd.millis(0.5), crowd.millis(0.99), crowd.cpuPer10k()));
        return crowd;
    }

    /** Fails unless all accepted people are on the list. */
    private static void requireAll(Service service, String list, int people) {
        JsonNode counts = service.api().get("/api/v1/lists/" + list).get("counts");
        if (counts.get("total").asLong() != people) {
            throw new IllegalStateException("accepted " + people + ", but there are " + counts);
        }
    }

    private void report(String what, List<Crowd> runs, String goal, String slowest) {
        entry.add(what + ": requests/s", RunStatistics.of(runs, Crowd::perSecond), goal);
        entry.add("– p50, ms", RunStatistics.of(runs, run -> run.millis(0.5)), "");
        entry.add("– p95, ms", RunStatistics.of(runs, run -> run.millis(0.95)), "");
        entry.add("– p99, ms", RunStatistics.of(runs, run -> run.millis(0.99)), slowest);
        entry.add("– CPU s of the service per 10,000", RunStatistics.of(runs, Crowd::cpuPer10k), "");
    }
}
