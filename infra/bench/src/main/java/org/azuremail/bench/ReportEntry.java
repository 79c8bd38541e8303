package org.azuremail.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The measurements of one run of the benchmark, as a dated entry of {@code docs/benchmarks.md}. */
final class ReportEntry {

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);
    private static final Pattern MEMORY = Pattern.compile("MemTotal:\\s+(\\d+) kB");

    private final Bench.Options options;
    private final Instant began;
    private final String load = read(Path.of("/proc/loadavg")).split(" ", 2)[0];
    private final Map<Integer, List<String>> lines = new TreeMap<>();
    private int number;
    private boolean failed;

    ReportEntry(Bench.Options options, Instant began) {
        this.options = options;
        this.began = began;
    }

    /** Starts the rows of the case with this number. */
    void begin(int number) {
        this.number = number;
    }

    void add(String what, RunStatistics measured, String goal) {
        add(what, measured.text(), goal);
    }

    void add(String what, double measured, String goal) {
        add(what, RunStatistics.number(measured), goal);
    }

    /** @param millis sorted values */
    void quantiles(String what, double[] millis, String goal) {
        add(what, RunStatistics.text(millis, 0.5, 0.95), goal);
    }

    void peaks(String what, Jvm jvm, String goal) {
        add(what + "peak heap after collection / peak resident, MiB", jvm.peaks(), goal);
    }

    void add(String what, String measured, String goal) {
        String line = "| " + number + " | " + what + " | " + measured + " | " + goal + " |";
        Lab.log(line);
        lines.computeIfAbsent(number, first -> new ArrayList<>()).add(line);
    }

    /** Records that a case ended with an error, so its figures do not count. */
    void failed(Throwable why) {
        failed = true;
        add("failed", String.valueOf(why.getMessage()).lines().findFirst().orElse(""), "");
    }

    boolean hasFailed() {
        return failed;
    }

    void write() throws IOException {
        StringBuilder text =
                new StringBuilder("\n## " + MINUTE.format(began) + " UTC: measured by `infra/bench/run`\n\n");
        text.append(machine())
                .append("\n\n| Case | What | min / **median** / max | Goal |\n| --- | --- | --- | --- |\n");
        lines.values()
                .forEach(ofCase -> ofCase.forEach(line -> text.append(line).append('\n')));
        Files.writeString(options.out(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Lab.log("written to " + options.out());
    }

    private String machine() {
        Runtime runtime = Runtime.getRuntime();
        return "%d cores, %s, %s %s, commit `%s`, scale %s, %d counted runs, load %s at the start."
                .formatted(
                        runtime.availableProcessors(),
                        memory(),
                        System.getProperty("java.vm.name"),
                        System.getProperty("java.version"),
                        commit(),
                        RunStatistics.number(options.scale()),
                        options.runs(),
                        load);
    }

    private static String memory() {
        Matcher total = MEMORY.matcher(read(Path.of("/proc/meminfo")));
        return total.find() ? Math.round(Long.parseLong(total.group(1)) / 1048576.0) + " GiB" : "memory unknown";
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "unknown";
        } catch (IOException e) {
            return "unknown";
        }
    }

    private String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .directory(options.root().toFile())
                    .start();
            String name = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return name.isEmpty() ? "unknown" : name;
        } catch (IOException e) {
            return "unknown";
        }
    }
}
