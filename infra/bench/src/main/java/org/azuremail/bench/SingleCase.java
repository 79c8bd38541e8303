package org.azuremail.bench;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Case 4: mails with a content of their own, one a request: confirmations, alone and while a large message goes out. */
final class SingleCase implements BenchCase {

    private static final int BURST = 2_000;
    private static final int PAUSE_MILLIS = 40;

    @Override
    public int number() {
        return 4;
    }

    @Override
    public String title() {
        return "one recipient a request";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        HttpSink sink = lab.httpSink();
        lab.tally().resetNewcomers();
        try (Service service = Service.withSendGrid(lab, lab.directory("data/main"), sink)) {
            int readers = lab.options().scaled(SendGridCase.FULL);
            String list = Readers.list(lab, service.api(), readers);
            String club = "club" + System.nanoTime();
            service.api().makeList(club, "double");
            int burst = lab.options().scaled(BURST);
            burst(lab, entry, service, club, burst);
            beside(lab, entry, service, club, list, readers, burst);
        }
    }

    private static void burst(Lab lab, Entry entry, Service service, String club, int burst) throws Exception {
        long began = System.nanoTime();
        Crowd.subscribe(service, club, Api.KEY, burst, Tally::newcomer, 202);
        SubscribeCase.awaitMails(lab.tally(), burst);
        double perSecond = burst / ((System.nanoTime() - began) / 1e9);
        entry.add(
                4,
                "confirmations by SendGrid, from the first call to the last hand-over: mails/s",
                Spread.number(perSecond),
                "");
    }

    private static void beside(Lab lab, Entry entry, Service service, String club, String list, int readers, int known)
            throws Exception {
        Beside beside = beside(lab, service, club, Map.of("list", list), readers, known);
        beside.report(entry, 4, "confirmations beside a message to %,d".formatted(readers));
    }

    /**
     * A message, and confirmations meanwhile.
     *
     * @param millis how long each of them took from the call to the hand-over; sorted
     */
    record Beside(Mailing mailing, double[] millis) {

        void report(Entry entry, int number, String what) {
            entry.add(
                    number,
                    "%s, %,d of them: p50 / p95 from call to hand-over, ms".formatted(what, millis.length),
                    Spread.number(Spread.quantile(millis, 0.5)) + " / " + Spread.number(Spread.quantile(millis, 0.95)),
                    "p95 < 250 ms");
        }
    }

    /**
     * Sends a message, and has newcomers join a club of double opt-in until it has ended.
     *
     * @param to whom the message is for, and what else its call says
     * @param known newcomers with numbers up to this one have joined before
     */
    static Beside beside(Lab lab, Service service, String club, Map<String, String> to, int readers, int known)
            throws Exception {
        CompletableFuture<Mailing> message =
                CompletableFuture.supplyAsync(() -> Mailing.run(service, lab.tally(), to, readers, 1, true));
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
        SubscribeCase.awaitMails(lab.tally(), number);
        return new Beside(mailing, Spread.sorted(waits(lab.tally(), called, known, number)));
    }

    private static long[] waits(Tally tally, long[] called, int from, int to) {
        long[] waits = new long[to - from];
        for (int number = from + 1; number <= to; number++) {
            waits[number - from - 1] = tally.newcomerAt(number) - called[number - from];
        }
        return waits;
    }
}
