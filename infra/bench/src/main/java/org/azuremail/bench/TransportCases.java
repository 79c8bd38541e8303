package org.azuremail.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.springframework.util.FileSystemUtils;

/**
 * Messages to many recipients: through SendGrid's API (case 1), through SMTP (case 2), and through the outbox (case 3).
 */
record TransportCases(Lab lab, ReportEntry entry) {

    static final int MILLION = 1_000_000;
    private static final int FEWER = 100_000;
    private static final int DEFAULT_BATCH = 250;
    private static final int RAW_MAILS = 200_000;
    private static final int FEWEST_RAW_MAILS = 40_000;

    void sendGrid() throws Exception {
        int many = lab.scaled(MILLION);
        Sink sink = HttpSink.start(lab);
        RunStatistics storage = rawStorage();
        RunStatistics http = raw("http", "" + many, "" + sink.port(), "" + DEFAULT_BATCH);
        List<Mailing> runs = bySendGrid(DEFAULT_BATCH, many, "≥ 45,000", "< 0.05");
        ratio(runs, "storage loop (3 rows a mail)", storage, "≥ 0.8");
        ratio(runs, "HTTP loop", http, "");
        bySendGrid(100, lab.scaled(FEWER), "", "< 0.06");
        bySendGrid(1000, lab.scaled(FEWER), "", "< 0.06");
    }

    private List<Mailing> bySendGrid(int batch, int readers, String goal, String callsGoal) throws Exception {
        String setting = "azuremail.mail.sendgrid.batch-size=" + batch;
        try (Service service = Service.withSendGrid(lab, "data/main", setting)) {
            String name = "SendGrid, %,d recipients, batch %d".formatted(readers, batch);
            return measure(service, readers, true, name, goal, "", callsGoal);
        }
    }

    /** Measures SMTP over 10 and over 50 connections. */
    void smtp() throws Exception {
        Sink sink = SmtpSink.start(lab, Duration.ZERO);
        int readers = lab.scaled(FEWER);
        for (int connections : new int[] {10, 50}) {
            RunStatistics raw = raw("smtp", "" + readers, "" + sink.port(), "" + connections);
            String name = "SMTP, %,d recipients, %d connections".formatted(readers, connections);
            List<Mailing> runs;
            try (Service service = Service.start(lab, "data/main", SmtpSink.settings(sink, connections))) {
                runs = measure(service, readers, true, name, "≥ 13,000", "≤ 1", "< 0.06");
            }
            entry.add("– mails/s per connection", RunStatistics.of(runs, run -> run.perSecond() / connections), "");
            ratio(runs, "SMTP loop with pipelining", raw, "≥ 0.6");
        }
    }

    void outbox() throws Exception {
        int readers = lab.scaled(FEWER);
        RunStatistics storage = rawStorage();
        try (Service service = Service.start(lab, "data/main")) {
            String name = "outbox, %,d recipients".formatted(readers);
            List<Mailing> runs = measure(service, readers, false, name, "≥ 10,000", "", "");
            ratio(runs, "storage loop (3 rows a mail)", storage, "");
        }
    }

    /** Sends once to warm up, then as often as the options say, and adds all figures under a name. */
    private List<Mailing> measure(
            Service service, int readers, boolean sink, String name, String goal, String cpuGoal, String callsGoal)
            throws Exception {
        String list = RecipientLists.list(lab, service.api(), readers);
        List<Mailing> runs = lab.runs(run -> {
            Mailing mailing = Mailing.run(service, list, readers, sink);
            Lab.log("%s of %,d: %.2f s, %,.0f mails/s, %.4f calls a mail, %.2f CPU s per 10,000"
                    .formatted(
                            Lab.name(run),
                            readers,
                            mailing.seconds(),
                            mailing.perSecond(),
                            mailing.callsPerMail(),
                            mailing.cpuPer10k()));
            return mailing;
        });
        entry.add(name + ": mails/s end to end", RunStatistics.of(runs, Mailing::perSecond), goal);
        entry.add("– fan-out, s", RunStatistics.of(runs, Mailing::fanOut), "");
        entry.add("– drain after it, s", RunStatistics.of(runs, Mailing::drain), "");
        entry.add("– storage calls a mail", RunStatistics.of(runs, Mailing::callsPerMail), callsGoal);
        entry.add("– CPU s per 10,000 mails", RunStatistics.of(runs, Mailing::cpuPer10k), cpuGoal);
        entry.add("– CPU s of sink and driver per 10,000", RunStatistics.of(runs, Mailing::sinkCpuPer10k), "");
        entry.peaks("– ", service.jvm(), "");
        return runs;
    }

    /** Adds the rate of a raw loop, and the ratio of the runs' median to that of the loop. */
    private void ratio(List<Mailing> runs, String what, RunStatistics raw, String goal) {
        entry.add("– raw " + what + ": mails/s", raw, "");
        entry.add(
                "– ratio to raw " + what,
                RunStatistics.of(runs, Mailing::perSecond).median() / raw.median(),
                goal);
    }

    private RunStatistics rawStorage() throws Exception {
        Path data = lab.directory("data/raw");
        try {
            return raw("storage", "" + Math.max(FEWEST_RAW_MAILS, lab.scaled(RAW_MAILS)), data.toString());
        } finally {
            FileSystemUtils.deleteRecursively(data);
        }
    }

    /** Runs as many raw loops as counted runs; each loop warms up by itself. */
    private RunStatistics raw(String... arguments) throws Exception {
        return RunStatistics.of(lab.counted(run -> lab.raw(arguments)), rate -> rate);
    }
}
