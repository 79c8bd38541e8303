package org.azuremail.bench;

import java.nio.file.Path;

/** Case 1: a message to a million by SendGrid's API, at three batch sizes. */
final class SendGridCase implements BenchCase {

    static final int FULL = 1_000_000;
    private static final int FEWER = 100_000;
    private static final int DEFAULT_BATCH = 250;
    private static final int RAW_MAILS = 200_000;
    private static final int FEWEST_RAW_MAILS = 40_000;

    @Override
    public int number() {
        return 1;
    }

    @Override
    public String title() {
        return "SendGrid, embedded storage, one process";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        Path data = lab.directory("data/main");
        HttpSink sink = lab.httpSink();
        Spread storage = rawStorage(lab);
        Spread http =
                MailingRuns.raw(lab, "http", "" + lab.options().scaled(FULL), "" + sink.port(), "" + DEFAULT_BATCH);
        MailingRuns runs =
                mailings(lab, data, sink, DEFAULT_BATCH, lab.options().scaled(FULL));
        runs.report(entry, 1, name(runs, DEFAULT_BATCH), "≥ 45,000", "", "< 0.05");
        runs.ratio(entry, 1, "storage loop (3 rows a mail)", storage, "≥ 0.8");
        runs.ratio(entry, 1, "HTTP loop", http, "");
        for (int batch : new int[] {100, 1000}) {
            MailingRuns other = mailings(lab, data, sink, batch, lab.options().scaled(FEWER));
            other.report(entry, 1, name(other, batch), "", "", "< 0.06");
        }
    }

    static Spread rawStorage(Lab lab) throws InterruptedException {
        Path data = lab.directory("data/raw");
        try {
            int mails = Math.max(FEWEST_RAW_MAILS, lab.options().scaled(RAW_MAILS));
            return MailingRuns.raw(lab, "storage", "" + mails, data.toString());
        } finally {
            Lab.delete(data);
        }
    }

    private static String name(MailingRuns runs, int batch) {
        return "SendGrid, %,d recipients, batch %d"
                .formatted(runs.counted().get(0).readers(), batch);
    }

    private static MailingRuns mailings(Lab lab, Path data, HttpSink sink, int batch, int readers) {
        String setting = "azuremail.mail.sendgrid.batch-size=" + batch;
        try (Service service = Service.withSendGrid(lab, data, sink, setting)) {
            String list = Readers.list(lab, service.api(), readers);
            return MailingRuns.of(lab, service, list, readers, true);
        }
    }
}
