package org.azuremail.bench;

import java.io.File;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The same work with growing numbers of people. */
record GrowthCases(Lab lab, ReportEntry entry) {

    private static final double MIB = 1024 * 1024;
    private static final int BEHIND = 100;
    private static final int EACH = 10_000;
    private static final int MIDDLE = 100_000;

    /**
     * Case 12: growing numbers of recipients, then many completed messages in the storage, in one process. The first
     * message warms the process up. Each size is then counted equally often, in rounds that start with different sizes.
     */
    void recipients() throws Exception {
        try (Service service = Service.withSendGrid(lab, "data/main")) {
            List<Integer> sizes = IntStream.of(EACH, MIDDLE, TransportCases.MILLION)
                    .map(lab::scaled)
                    .boxed()
                    .toList();
            sizes.forEach(readers -> RecipientLists.list(lab, service.api(), readers));
            warmUp(service);
            Map<Integer, List<Double>> rates = new LinkedHashMap<>();
            for (int round = 0; round < lab.options().runs(); round++) {
                for (int turn = 0; turn < sizes.size(); turn++) {
                    int readers = sizes.get((round + turn) % sizes.size());
                    rates.computeIfAbsent(readers, size -> new ArrayList<>()).add(mail(service, readers));
                }
            }
            List<Double> medians = new ArrayList<>();
            rates.forEach((readers, counted) -> medians.add(report(readers, "", counted)));
            medians.add(withMessagesBehind(service));
            RunStatistics all = RunStatistics.of(medians, rate -> rate);
            entry.add("slowest to fastest of these medians", all.min() / all.max(), "≥ 0.8");
        }
    }

    private void warmUp(Service service) {
        int readers = lab.scaled(MIDDLE);
        double cold = mail(service, readers);
        entry.add("SendGrid, %,d recipients, the first message of the process: mails/s".formatted(readers), cold, "");
    }

    private double withMessagesBehind(Service service) throws Exception {
        sendMany(service);
        int readers = lab.scaled(MIDDLE);
        List<Double> counted = lab.counted(run -> mail(service, readers));
        return report(readers, ", with %d completed messages more behind it".formatted(BEHIND), counted);
    }

    private double mail(Service service, int readers) {
        String list = RecipientLists.list(lab, service.api(), readers);
        Mailing mailing = Mailing.run(service, list, readers, true);
        Lab.log("to %,d: %.2f s, %,.0f mails/s, %.4f calls a mail"
                .formatted(readers, mailing.seconds(), mailing.perSecond(), mailing.callsPerMail()));
        return mailing.perSecond();
    }

    private double report(int readers, String note, List<Double> counted) {
        RunStatistics perSecond = RunStatistics.of(counted, rate -> rate);
        entry.add("SendGrid, %,d recipients%s: mails/s".formatted(readers, note), perSecond, "");
        return perSecond.median();
    }

    /** Sends many messages at once, and checks in the records of each that all readers got it. */
    private void sendMany(Service service) {
        int readers = lab.scaled(EACH);
        String list = RecipientLists.list(lab, service.api(), readers);
        List<String> messages = new ArrayList<>();
        for (int number = 1; number <= BEHIND; number++) {
            messages.add(service.api().send(list, "Number " + number, RecipientLists.BODY));
        }
        for (String message : messages) {
            Mailing.await(service.api(), message);
        }
        Lab.log("%d messages to %,d sent".formatted(BEHIND, readers));
    }

    /**
     * The measurements of one list.
     *
     * @param pages the median and 95th percentile in milliseconds, by the name of the page
     */
    private record Measured(int people, double importRate, double mailRate, Map<String, String> pages) {}

    /**
     * Case 17: ten million people on one list, and a tenth of them on another one, in one process. Measures the import,
     * a message through SendGrid, pages, the data file, and a backup of the file while the service runs.
     */
    void tenMillion() throws Exception {
        try (Service service = Service.withSendGrid(lab, "data/ten")) {
            int tenth = lab.scaled(MailCounter.MAX / 10);
            String warmUp = RecipientLists.list(lab, service.api(), tenth / 10);
            Mailing.run(service, warmUp, tenth / 10, true);
            Measured few = measure(service, tenth);
            Measured many = measure(service, lab.scaled(MailCounter.MAX));
            report(few, many);
            Path data = lab.directory("data/ten");
            entry.add("data directory, MiB", size(data) / MIB, "");
            backUp(data);
            entry.peaks("", service.jvm(), "≤ 512 / –");
        }
    }

    private Measured measure(Service service, int people) throws IOException, InterruptedException {
        String list = "list" + people;
        service.api().makeList(list, "double");
        double importRate = people / RecipientLists.importFile(service.api(), list, RecipientLists.file(lab, people));
        Lab.log("imported %,d at %,.0f rows/s".formatted(people, importRate));
        double mailRate = Mailing.run(service, list, people, true).perSecond();
        Lab.log("mailed %,d at %,.0f mails/s".formatted(people, mailRate));
        HttpClient admin = PagesCase.signIn(service.url());
        Map<String, String> pages = new LinkedHashMap<>();
        for (Map.Entry<String, String> page :
                PagesCase.pages(service, admin, list).entrySet()) {
            double[] millis = RunStatistics.sorted(PagesCase.requestTimes(admin, service.url() + page.getValue()));
            pages.put(page.getKey(), RunStatistics.text(millis, 0.5, 0.95));
        }
        return new Measured(people, importRate, mailRate, pages);
    }

    private void report(Measured few, Measured many) {
        pair("import", "rows/s", few, few.importRate(), many, many.importRate());
        pair("message through SendGrid", "mails/s end to end", few, few.mailRate(), many, many.mailRate());
        many.pages().forEach((page, times) -> {
            String before = few.pages().get(page);
            entry.add(
                    page + ", %,d and %,d people: p50 / p95, ms".formatted(few.people(), many.people()),
                    before == null ? times : before + " and " + times,
                    "– / < 100");
        });
    }

    private void pair(String what, String unit, Measured few, double fewRate, Measured many, double manyRate) {
        entry.add("%s, %,d people: %s".formatted(what, few.people(), unit), fewRate, "");
        entry.add("%s, %,d people: %s".formatted(what, many.people(), unit), manyRate, "");
        entry.add("– ten times as many, ratio", manyRate / fewRate, "≥ 0.8");
    }

    private void backUp(Path data) throws IOException, InterruptedException {
        Path target = lab.directory("data").resolve("backup.db");
        String script = lab.options().root().resolve("infra/backup.sh").toString();
        long began = System.nanoTime();
        Process backup = new ProcessBuilder(script, lab.jar("web").toString(), data.toString(), target.toString())
                .redirectErrorStream(true)
                .redirectOutput(lab.directory("logs").resolve("backup.log").toFile())
                .start();
        lab.keep(backup::destroy);
        if (backup.waitFor() != 0) {
            throw new IllegalStateException("the backup failed with " + backup.exitValue());
        }
        double seconds = Lab.seconds(began);
        entry.add("backup while the service runs, s", seconds, "");
        entry.add("– its file, MiB", Files.size(target) / MIB, "");
    }

    private long size(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(Path::toFile)
                    .filter(File::isFile)
                    .mapToLong(File::length)
                    .sum();
        }
    }
}
