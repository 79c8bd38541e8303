package org.azuremail.bench;

import java.nio.file.Path;
import java.time.Duration;

/** Case 2: a message by SMTP over 10 and over 50 connections. */
final class SmtpCase implements BenchCase {

    private static final int FULL = 100_000;

    @Override
    public int number() {
        return 2;
    }

    @Override
    public String title() {
        return "SMTP, embedded storage, one process";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        Path data = lab.directory("data/main");
        SmtpSink sink = lab.smtpSink(Duration.ZERO);
        int readers = lab.options().scaled(FULL);
        for (int connections : new int[] {10, 50}) {
            Spread raw = MailingRuns.raw(lab, "smtp", "" + readers, "" + sink.port(), "" + connections);
            MailingRuns runs = mailings(lab, data, sink, connections, readers);
            String name = "SMTP, %,d recipients, %d connections".formatted(readers, connections);
            runs.report(entry, 2, name, "≥ 13,000", "≤ 1", "< 0.06");
            entry.add(
                    2, "– mails/s per connection", Spread.of(runs.counted(), run -> run.perSecond() / connections), "");
            runs.ratio(entry, 2, "SMTP loop with pipelining", raw, "≥ 0.6");
        }
    }

    private static MailingRuns mailings(Lab lab, Path data, SmtpSink sink, int connections, int readers) {
        try (Service service = Service.start(
                lab,
                data,
                "azuremail.mail.transport=smtp",
                "azuremail.mail.rate=0",
                "azuremail.mail.smtp.host=localhost",
                "azuremail.mail.smtp.port=" + sink.port(),
                "azuremail.mail.smtp.connections=" + connections)) {
            String list = Readers.list(lab, service.api(), readers);
            return MailingRuns.of(lab, service, list, readers, true);
        }
    }
}
