package org.azuremail.bench;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** Mails with a content of their own, one a request: confirmations, alone and while a large message goes out. */
record ConfirmationCases(Lab lab, Entry entry) {

    private static final int BURST = 2_000;
    private static final int PAUSE_MILLIS = 40;

    /**
     * A message, and confirmations meanwhile.
     *
     * @param millis how long each of them took from the call to the hand-over; sorted
     */
    private record Beside(Mailing mailing, double[] millis) {}

    /** Case 4. */
    void alone() throws Exception {
        lab.tally().resetNewcomers();
        try (Service service = Service.withSendGrid(lab, "data/main")) {
            int readers = lab.scaled(TransportCases.MILLION);
            String list = Readers.list(lab, service.api(), readers);
            String club = makeClub(service);
            int burst = lab.scaled(BURST);
            long began = System.nanoTime();
            SubscribeCase.crowd(service, club, Api.KEY, burst, Tally::newcomer, 202);
            lab.tally().awaitNewcomersMails(burst);
            entry.add(
                    "confirmations by SendGrid, from the first call to the last hand-over: mails/s",
                    burst / Lab.seconds(began),
                    "");
            Beside beside = beside(service, club, Map.of("list", list), readers, burst);
            report("confirmations beside a message to %,d".formatted(readers), beside);
        }
    }

    /** Case 14: beside a message of the class Low, with a pool for each class and with one strict pool. */
    void besideLow() throws Exception {
        for (String pool : List.of("per-class", "strict")) {
            String setting = "azuremail.mail-classes.pool=" + pool;
            try (Service service = Service.withSendGrid(lab, "data/main", setting)) {
                besideLow(service, pool);
            }
        }
    }

    /** Alone and beside confirmations in turn, so that both have the same machine. */
    private void besideLow(Service service, String pool) throws Exception {
        int readers = lab.scaled(TransportCases.MILLION);
        Map<String, String> low = Map.of("list", Readers.list(lab, service.api(), readers), "mailClass", "Low");
        record Pair(Mailing alone, Mailing beside) {}
        List<Pair> pairs = lab.runs(run -> {
            Mailing alone = Mailing.run(service, low, readers, 1, true);
            String club = makeClub(service);
            lab.tally().resetNewcomers();
            Beside beside = beside(service, club, low, readers, 0);
            Lab.say("%s, %s: Low %,.0f mails/s alone, %,.0f beside confirmations, of which 95 %% took %.0f ms"
                    .formatted(
                            pool,
                            Lab.name(run),
                            alone.perSecond(),
                            beside.mailing().perSecond(),
                            Spread.quantile(beside.millis(), 0.95)));
            if (run > 0) {
                report("%s: confirmations beside %,d of Low".formatted(pool, readers), beside);
            }
            return new Pair(alone, beside.mailing());
        });
        Spread beside = Spread.of(pairs, pair -> pair.beside().perSecond());
        Spread alone = Spread.of(pairs, pair -> pair.alone().perSecond());
        entry.add(pool + ": Low beside confirmations, mails/s", beside, "");
        entry.add("– Low alone, mails/s", alone, "");
        entry.add("– ratio to Low alone", beside.median() / alone.median(), "≥ 0.9");
        for (JsonNode one : service.api().get("/api/v1/mail-classes").get("items")) {
            if (!one.get("p95WaitMillis").isNull()) {
                String waits = one.get("medianWaitMillis") + " / " + one.get("p95WaitMillis");
                entry.add("– " + one.get("name").asString() + ": p50 / p95 from queueing to the begin, ms", waits, "");
            }
        }
    }

    private static String makeClub(Service service) {
        String club = "club" + System.nanoTime();
        service.api().makeList(club, "double");
        return club;
    }

    private void report(String what, Beside beside) {
        entry.quantiles(
                "%s, %,d of them: p50 / p95 from call to hand-over, ms".formatted(what, beside.millis().length),
                beside.millis(),
                "p95 < 250 ms");
    }

    /**
     * Sends a message, and has newcomers join a club of double opt-in until it has ended.
     *
     * @param to whom the message is for, and what else its call says
     * @param known newcomers with numbers up to this one have joined before
     */
    private Beside beside(Service service, String club, Map<String, String> to, int readers, int known)
            throws Exception {
        CompletableFuture<Mailing> message =
                CompletableFuture.supplyAsync(() -> Mailing.run(service, to, readers, 1, true));
        int number = known;
        long[] called = new long[1 << 16];
        try (Client client = new Client(service.port())) {
            while (!message.isDone()) {
                number++;
                called[number - known] = System.nanoTime();
                client.subscribe(club, Tally.newcomer(number), Api.KEY);
                Service.sleep(PAUSE_MILLIS);
            }
        }
        Mailing mailing = message.get();
        lab.tally().awaitNewcomersMails(number);
        long[] waits = new long[number - known];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = lab.tally().newcomerAt(known + i + 1) - called[i + 1];
        }
        return new Beside(mailing, Spread.sorted(waits));
    }
}
