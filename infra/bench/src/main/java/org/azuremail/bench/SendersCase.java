package org.azuremail.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.azurite.Azurite;

/** Case 8: more and more sender processes on Azurite, with a server that takes its time. */
final class SendersCase implements BenchCase {

    private static final int FULL = 2_000;
    private static final Duration PER_MAIL = Duration.ofMillis(50);
    private static final int LOTS_OF_A_SENDER = 4;
    private static final Duration START = Duration.ofMinutes(5);

    @Override
    public int number() {
        return 8;
    }

    @Override
    public String title() {
        return "sender processes on Azurite";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        int readers = lab.options().scaled(FULL);
        List<Double> medians = new ArrayList<>();
        for (int senders : new int[] {1, 2, 4}) {
            Spread drained = drain(lab, senders, readers);
            medians.add(drained.median());
            entry.add(
                    8,
                    "%,d recipients, %d sender(s) with %d lots at a time: s from first to last mail"
                            .formatted(readers, senders, LOTS_OF_A_SENDER),
                    drained,
                    "falls");
        }
        entry.add(8, "one sender to four", Spread.number(medians.get(0) / medians.get(2)), "≥ 3.2");
    }

    private static Spread drain(Lab lab, int senders, int readers) {
        List<Jvm> workers = new ArrayList<>();
        try (Azurite azurite = lab.azurite();
                SmtpSink sink = lab.smtpSink(PER_MAIL)) {
            Path data = lab.directory("data/azurite");
            List<String> common = List.of(
                    "azuremail.storage=azure",
                    "azuremail.azure.connection-string=" + azurite.connectionString(),
                    "azuremail.work.foreign-lease-grace=0s",
                    "azuremail.work.signals.bind=127.0.0.1");
            try (Service web = Service.start(lab, data, with(common, "azuremail.roles=web"))) {
                workers.add(lab.start("worker-scheduler", arguments(data, with(common))));
                for (int sender = 0; sender < senders; sender++) {
                    workers.add(lab.start("worker-sender", arguments(data, with(common, smtp(sink)))));
                }
                workers.forEach(SendersCase::awaitStart);
                return mail(lab, web, readers);
            } finally {
                workers.forEach(Jvm::close);
            }
        }
    }

    private static Spread mail(Lab lab, Service web, int readers) {
        String list = Readers.list(lab, web.api(), readers);
        String few = Readers.list(lab, web.api(), Math.min(readers, 160));
        Mailing.run(web, lab.tally(), few, Math.min(readers, 160), true);
        List<Double> seconds = new ArrayList<>();
        for (int run = 0; run < lab.options().runs(); run++) {
            Mailing mailing = Mailing.run(web, lab.tally(), list, readers, true);
            Lab.say("drained in %.1f s, end to end %.1f s".formatted(mailing.sinkSeconds(), mailing.seconds()));
            seconds.add(mailing.sinkSeconds());
        }
        return Spread.of(seconds, value -> value);
    }

    private static String[] smtp(SmtpSink sink) {
        return new String[] {
            "azuremail.mail.transport=smtp",
            "azuremail.mail.rate=0",
            "azuremail.mail.smtp.host=localhost",
            "azuremail.mail.smtp.port=" + sink.port(),
            "azuremail.mail.smtp.connections=" + (LOTS_OF_A_SENDER + 1)
        };
    }

    private static String[] with(List<String> common, String... more) {
        List<String> all = new ArrayList<>(common);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static List<String> arguments(Path data, String... settings) {
        List<String> arguments = new ArrayList<>(List.of("--azuremail.data-dir=" + data));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return arguments;
    }

    private static void awaitStart(Jvm worker) {
        long until = System.nanoTime() + START.toNanos();
        while (!worker.log().contains("Application in ")) {
            if (!worker.alive() || System.nanoTime() > until) {
                throw new IllegalStateException("a worker did not start: " + worker.log());
            }
            Service.sleep(50);
        }
    }
}
