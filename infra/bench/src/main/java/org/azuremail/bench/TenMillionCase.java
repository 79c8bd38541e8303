package org.azuremail.bench;

import java.io.File;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Case 17: ten million people on one list, beside a tenth of them on another one, in one process: import, a message through
 * SendGrid, pages, the data file and a backup of it while the service runs.
 */
final class TenMillionCase implements BenchCase {

    private static final int FULL = Tally.MOST;
    private static final double MIB = 1024 * 1024;

    /**
     * The measurements of one list.
     *
     * @param pages median and 95th percentile in milliseconds, by name
     */
    private record Measured(int people, double importRate, double mailRate, Map<String, double[]> pages) {}

    @Override
    public int number() {
        return 17;
    }

    @Override
    public String title() {
        return "ten million people on one list";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        Path data = lab.directory("data/ten");
        HttpSink sink = lab.httpSink();
        try (Service service = Service.withSendGrid(lab, data, sink)) {
            int tenth = lab.options().scaled(FULL / 10);
            String warmUp = Readers.list(lab, service.api(), tenth / 10);
            Mailing.run(service, lab.tally(), warmUp, tenth / 10, true);
            Measured few = measure(lab, service, tenth);
            Measured many = measure(lab, service, lab.options().scaled(FULL));
            report(entry, few, many);
            entry.add(17, "data directory, MiB", Spread.number(size(data) / MIB), "");
            backUp(lab, entry, data);
            entry.add(
                    17,
                    "peak heap after collection / peak resident, MiB",
                    service.jvm().peakHeapMib() + " / " + service.jvm().peakResidentMib(),
                    "≤ 512 / –");
        }
    }

    private static Measured measure(Lab lab, Service service, int people) throws IOException, InterruptedException {
        String list = "list" + people;
        service.api().makeList(list, "double");
        double importRate = people / Readers.importFile(service.api(), list, Readers.file(lab, people));
        Lab.say("imported %,d at %,.0f rows/s".formatted(people, importRate));
        double mailRate = Mailing.run(service, lab.tally(), list, people, true).perSecond();
        Lab.say("mailed %,d at %,.0f mails/s".formatted(people, mailRate));
        HttpClient admin = PagesCase.signIn(service.url());
        Map<String, double[]> pages = new LinkedHashMap<>();
        for (Map.Entry<String, String> page :
                PagesCase.pages(service.api(), list).entrySet()) {
            double[] millis = Spread.sorted(PagesCase.looks(admin, service.url() + page.getValue()));
            pages.put(page.getKey(), new double[] {Spread.quantile(millis, 0.5), Spread.quantile(millis, 0.95)});
        }
        return new Measured(people, importRate, mailRate, pages);
    }

    private static void report(Entry entry, Measured few, Measured many) {
        pair(entry, "import", "rows/s", few, few.importRate(), many, many.importRate());
        pair(entry, "message through SendGrid", "mails/s end to end", few, few.mailRate(), many, many.mailRate());
        many.pages().forEach((page, times) -> {
            double[] before = few.pages().get(page);
            entry.add(
                    17,
                    page + ", %,d and %,d people: p50 / p95, ms".formatted(few.people(), many.people()),
                    before == null ? text(times) : text(before) + " and " + text(times),
                    "– / < 100");
        });
    }

    private static void pair(
            Entry entry, String what, String unit, Measured few, double fewRate, Measured many, double manyRate) {
        entry.add(17, "%s, %,d people: %s".formatted(what, few.people(), unit), Spread.number(fewRate), "");
        entry.add(17, "%s, %,d people: %s".formatted(what, many.people(), unit), Spread.number(manyRate), "");
        entry.add(17, "– ten times as many, ratio", Spread.number(manyRate / fewRate), "≥ 0.8");
    }

    private static String text(double[] times) {
        return Arrays.stream(times)
                .mapToObj(Spread::number)
                .reduce((one, other) -> one + " / " + other)
                .orElse("");
    }

    private static void backUp(Lab lab, Entry entry, Path data) throws IOException, InterruptedException {
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
        double seconds = (System.nanoTime() - began) / 1e9;
        entry.add(17, "backup while the service runs, s", Spread.number(seconds), "");
        entry.add(17, "– its file, MiB", Spread.number(Files.size(target) / MIB), "");
    }

    private static long size(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(Path::toFile)
                    .filter(File::isFile)
                    .mapToLong(File::length)
                    .sum();
        }
    }
}
