package org.azuremail.bench;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** Emails with individual content, one in each request: confirmations, alone and while a large message is sent. */
record ConfirmationCases(Lab lab, ReportEntry entry) {

    private static final int BURST = 2_000;
    private static final int PAUSE_MILLIS = 40;

    /**
     * A message, and the confirmations during it.
     *
     * @param millis the time of each confirmation from the call to the hand-over; sorted
     */
    private record ConcurrentRun(Mailing mailing, double[] millis) {}

    /** Case 4: confirmations alone. */
    void alone() throws Exception {
        lab.tally().resetConfirmations();
        try (Service service = Service.withSendGrid(lab, "data/main")) {
            int readers = lab.scaled(TransportCases.MILLION);
            String list = RecipientLists.list(lab, service.api(), readers);
            String club = createDoubleOptInList(service);
            int burst = lab.scaled(BURST);
            long began = System.nanoTime();
            SubscribeCase.crowd(service, club, Api.KEY, burst, MailCounter::newSubscriberAddress, 202);
            lab.tally().awaitConfirmations(burst);
            entry.add(
                    "confirmations by SendGrid, from the first call to the last hand-over: mails/s",
                    burst / Lab.seconds(began),
                    "");
            ConcurrentRun concurrent = runConcurrently(service, club, Map.of("list", list), readers, burst);
            report("confirmations beside a message to %,d".formatted(readers), concurrent);
        }
    }

    /**
     * Case 14: confirmations during a message of the class Low, with a pool for each class and with one strict pool.
     */
    void besideLow() throws Exception {
        for (String pool : List.of("per-class", "strict")) {
            String setting = "azuremail.mail-classes.pool=" + pool;
            try (Service service = Service.withSendGrid(lab, "data/main", setting)) {
                besideLow(service, pool);
            }
        }
    }

    /** Alternates messages with and without confirmations, so that both run under the same conditions. */
    private void besideLow(Service service, String pool) throws Exception {
        int readers = lab.scaled(TransportCases.MILLION);
        Map<String, String> low = Map.of("list", RecipientLists.list(lab, service.api(), readers), "mailClass", "Low");
        record Pair(Mailing alone, Mailing beside) {}
        List<Pair> pairs = lab.runs(run -> {
            Mailing alone = Mailing.run(service, low, readers, 1, true);
            String club = createDoubleOptInList(service);
            lab.tally().resetConfirmations();
            ConcurrentRun concurrent = runConcurrently(service, club, low, readers, 0);
            Lab.log("%s, %s: Low %,.0f mails/s alone, %,.0f beside confirmations, of which 95 %% took %.0f ms"
                    .formatted(
                            pool,
                            Lab.name(run),
                            alone.perSecond(),
                            concurrent.mailing().perSecond(),
                            RunStatistics.quantile(concurrent.millis(), 0.95)));
            if (run > 0) {
                report("%s: confirmations beside %,d of Low".formatted(pool, readers), concurrent);
            }
            return new Pair(alone, concurrent.mailing());
        });
        RunStatistics concurrent = RunStatistics.of(pairs, pair -> pair.beside().perSecond());
        RunStatistics alone = RunStatistics.of(pairs, pair -> pair.alone().perSecond());
        entry.add(pool + ": Low beside confirmations, mails/s", concurrent, "");
        entry.add("– Low alone, mails/s", alone, "");
        entry.add("– ratio to Low alone", concurrent.median() / alone.median(), "≥ 0.9");
        for (JsonNode one : service.api().get("/api/v1/mail-classes").get("items")) {
            if (!one.get("p95WaitMillis").isNull()) {
                String waits = one.get("medianWaitMillis") + " / " + one.get("p95WaitMillis");
                entry.add("– " + one.get("name").asString() + ": p50 / p95 from queueing to the begin, ms", waits, "");
            }
        }
    }

    private static String createDoubleOptInList(Service service) {
        String club = "club" + System.nanoTime();
        service.api().makeList(club, "double");
        return club;
    }

    private void report(String what, ConcurrentRun concurrent) {
        entry.quantiles(
                "%s, %,d of them: p50 / p95 from call to hand-over, ms".formatted(what, concurrent.millis().length),
                concurrent.millis(),
                "p95 < 250 ms");
    }

    /**
     * Sends a message, and subscribes newcomers to a list with double opt-in until it has ended.
     *
     * @param to the recipients and further properties of the message
     * @param known the highest number of a newcomer who has joined before
     */
    private ConcurrentRun runConcurrently(Service service, String club, Map<String, String> to, int readers, int known)
            throws Exception {
        CompletableFuture<Mailing> message =
                CompletableFuture.supplyAsync(() -> Mailing.run(service, to, readers, 1, true));
        int number = known;
        long[] called = new long[1 << 16];
        try (SubscribeClient client = new SubscribeClient(service.port())) {
            while (!message.isDone()) {
                number++;
                called[number - known] = System.nanoTime();
                client.subscribe(club, MailCounter.newSubscriberAddress(number), Api.KEY);
                Service.sleep(PAUSE_MILLIS);
            }
        }
        Mailing mailing = message.get();
        lab.tally().awaitConfirmations(number);
        long[] waits = new long[number - known];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = lab.tally().confirmationNanos(known + i + 1) - called[i + 1];
        }
        return new ConcurrentRun(mailing, RunStatistics.sorted(waits));
    }
}
