package org.azuremail.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.azuremail.storage.azurite.Azurite;

/** Growing numbers of senders: processes on Azurite with a slow server, and simulated senders in virtual time. */
record SenderCases(Lab lab, ReportEntry entry) {

    private static final int FULL = 2_000;
    private static final Duration PER_MAIL = Duration.ofMillis(50);
    private static final int LOTS_OF_A_SENDER = 4;

    private static final String CURVE = "e24_moreSendersAreNeverSlower";
    private static final String MILLION = "e24_aMillionMailsTakeLessThanFiveMinutesWithSixteenSenders";
    private static final int FULL_CURVE = 100_000;
    private static final int MINUTES = 9;

    /** Case 8: sender processes on Azurite. */
    void onAzurite() throws Exception {
        int readers = lab.scaled(FULL);
        List<Double> medians = new ArrayList<>();
        for (int senders : new int[] {1, 2, 4}) {
            RunStatistics drained = drain(senders, readers);
            medians.add(drained.median());
            entry.add(
                    "%,d recipients, %d sender(s) with %d lots at a time: s from first to last mail"
                            .formatted(readers, senders, LOTS_OF_A_SENDER),
                    drained,
                    "falls");
        }
        entry.add("one sender to four", medians.get(0) / medians.get(2), "≥ 3.2");
    }

    private RunStatistics drain(int senders, int readers) throws Exception {
        List<Jvm> workers = new ArrayList<>();
        try (Azurite azurite = lab.keep(Azurite.start());
                Sink sink = SmtpSink.start(lab, PER_MAIL)) {
            Path data = lab.directory("data/azurite");
            List<String> common = List.of(
                    "azuremail.storage=azure",
                    "azuremail.azure.connection-string=" + azurite.connectionString(),
                    "azuremail.work.foreign-lease-grace=0s",
                    "azuremail.work.signals.bind=127.0.0.1");
            try (Service web = Service.start(lab, "data/azurite", with(common, "azuremail.roles=web"))) {
                workers.add(lab.start("worker-scheduler", Service.arguments(data, with(common))));
                String[] sending = with(common, SmtpSink.settings(sink, LOTS_OF_A_SENDER + 1));
                for (int sender = 0; sender < senders; sender++) {
                    workers.add(lab.start("worker-sender", Service.arguments(data, sending)));
                }
                workers.forEach(worker ->
                        Service.awaitStart(worker, 50, () -> worker.log().contains("Application in ")));
                return mail(web, readers);
            } finally {
                workers.forEach(Jvm::close);
            }
        }
    }

    private RunStatistics mail(Service web, int readers) throws Exception {
        String list = RecipientLists.list(lab, web.api(), readers);
        int few = Math.min(readers, 160);
        Mailing.run(web, RecipientLists.list(lab, web.api(), few), few, true);
        List<Mailing> mailings = lab.counted(run -> {
            Mailing mailing = Mailing.run(web, list, readers, true);
            Lab.log("drained in %.1f s, end to end %.1f s".formatted(mailing.sinkSeconds(), mailing.seconds()));
            return mailing;
        });
        return RunStatistics.of(mailings, Mailing::sinkSeconds);
    }

    private static String[] with(List<String> common, String... more) {
        return Stream.concat(common.stream(), Stream.of(more)).toArray(String[]::new);
    }

    /** Case 9: the real schedulers and senders on a simulated account. A test runs them and prints the curve. */
    void simulated() throws Exception {
        boolean whole = lab.options().scale() >= 1;
        List<String> curve = simulate(whole ? CURVE + "+" + MILLION : CURVE, lab.scaled(FULL_CURVE));
        for (String line : curve) {
            String[] halves = line.split(": ", 3);
            entry.add("virtual time, " + halves[1], halves[2], line.contains("16 senders") ? "< 5 min" : "");
        }
    }

    private List<String> simulate(String methods, int mails) throws IOException, InterruptedException {
        Path log = lab.directory("logs").resolve("scale.log");
        String command = "mvn -B -ntp -pl worker-sender -am -Dit.test=MillionMailsIT#" + methods
                + " -Dfailsafe.failIfNoSpecifiedTests=false -Dazuremail.test.mails=" + mails
                + " test-compile failsafe:integration-test failsafe:verify";
        Process maven = new ProcessBuilder(command.split(" "))
                .directory(lab.options().root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        lab.keep(maven::destroy);
        if (!maven.waitFor(MINUTES, TimeUnit.MINUTES) || maven.exitValue() != 0) {
            maven.destroy();
            throw new IllegalStateException("the simulation failed: see " + log);
        }
        return Files.readAllLines(log).stream()
                .map(line -> line.substring(Math.max(0, line.indexOf("scale, "))))
                .filter(line -> line.startsWith("scale, a lot takes"))
                .toList();
    }
}
