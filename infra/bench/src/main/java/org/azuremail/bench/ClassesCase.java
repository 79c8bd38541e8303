package org.azuremail.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Case 14: confirmations while a message of the class Low goes out, with a pool for each class and with one strict pool. */
final class ClassesCase implements BenchCase {

    @Override
    public int number() {
        return 14;
    }

    @Override
    public String title() {
        return "confirmations beside Low";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        HttpSink sink = lab.httpSink();
        for (String pool : List.of("per-class", "strict")) {
            String setting = "azuremail.mail-classes.pool=" + pool;
            try (Service service = Service.withSendGrid(lab, lab.directory("data/main"), sink, setting)) {
                run(lab, entry, service, pool);
            }
        }
    }

    /** Alone and beside confirmations in turn, so that both have the same machine. */
    private static void run(Lab lab, Entry entry, Service service, String pool) throws Exception {
        int readers = lab.options().scaled(SendGridCase.FULL);
        Map<String, String> low = Map.of("list", Readers.list(lab, service.api(), readers), "mailClass", "Low");
        List<Mailing> alone = new ArrayList<>();
        List<Mailing> besides = new ArrayList<>();
        for (int run = 0; run <= lab.options().runs(); run++) {
            Mailing first = Mailing.run(service, lab.tally(), low, readers, 1, true);
            String club = "club" + System.nanoTime();
            service.api().makeList(club, "double");
            lab.tally().resetNewcomers();
            SingleCase.Beside beside = SingleCase.beside(lab, service, club, low, readers, 0);
            Lab.say("%s, %s: Low %,.0f mails/s alone, %,.0f beside confirmations, of which 95 %% took %.0f ms"
                    .formatted(
                            pool,
                            run == 0 ? "warm-up" : "run " + run,
                            first.perSecond(),
                            beside.mailing().perSecond(),
                            Spread.quantile(beside.millis(), 0.95)));
            if (run > 0) {
                alone.add(first);
                besides.add(beside.mailing());
                beside.report(entry, 14, "%s: confirmations beside %,d of Low".formatted(pool, readers));
            }
        }
        Spread beside = Spread.of(besides, Mailing::perSecond);
        Spread before = Spread.of(alone, Mailing::perSecond);
        entry.add(14, pool + ": Low beside confirmations, mails/s", beside, "");
        entry.add(14, "– Low alone, mails/s", before, "");
        entry.add(14, "– ratio to Low alone", Spread.number(beside.median() / before.median()), "≥ 0.9");
        for (JsonNode one : service.api().get("/api/v1/mail-classes").get("items")) {
            String waits = one.get("medianWaitMillis") + " / " + one.get("p95WaitMillis");
            entry.add(14, "– " + one.get("name").asString() + ": p50 / p95 from queueing to the begin, ms", waits, "");
        }
    }
}
