package org.azuremail.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.app.FreePort;

/**
 * Case 10: the time from the start of the process to the first page, also with the options that the docs give for small
 * machines.
 */
record StartCase(Lab lab, ReportEntry entry) {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final List<String> SMALL = List.of(
            "-Xms32m",
            "-Xmx96m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xss512k",
            "-XX:ReservedCodeCacheSize=48m",
            "-XX:-UsePerfData");
    private static final int REST_MILLIS = 3000;

    private record Start(double seconds, int resident) {}

    void run() throws Exception {
        String version = System.getProperty("java.specification.version");
        Path jar = lab.jar("web");
        report("JDK " + version + ", packaged jar", Lab.JAVA, List.of(Lab.HEAP, Lab.EXIT, "-jar", jar.toString()));
        Path extracted = extract(Lab.JAVA, jar);
        report("JDK " + version + ", extracted, small", Lab.JAVA, small(List.of(), extracted));
        Optional<Path> newer = jdk25();
        if (newer.isEmpty()) {
            entry.add("JDK 25 with an AOT cache", "no JDK 25 here (AZUREMAIL_BENCH_JDK25)", "≤ 2.5 s, ≤ 185 MiB");
            return;
        }
        withCache(newer.get(), extracted);
    }

    private void withCache(Path java, Path extracted) throws Exception {
        Path cache = extracted.resolveSibling("azuremail.aot");
        Start trained = start(java, small(List.of("-XX:AOTCacheOutput=" + cache), extracted));
        Lab.log("the AOT cache was made in a start of %.1f s".formatted(trained.seconds()));
        if (!Files.exists(cache)) {
            throw new IllegalStateException("no AOT cache was made");
        }
        report("JDK 25, extracted, small, AOT cache", java, small(List.of("-XX:AOTCache=" + cache), extracted));
    }

    private static List<String> small(List<String> more, Path jar) {
        List<String> options = new ArrayList<>(SMALL);
        options.addAll(more);
        options.addAll(List.of("-jar", jar.toString()));
        return options;
    }

    private void report(String name, Path java, List<String> options) throws Exception {
        List<Start> starts = lab.runs(run -> {
            Start start = start(java, options);
            Lab.log("%s: %.2f s, %d MiB".formatted(name, start.seconds(), start.resident()));
            return start;
        });
        boolean cached = name.contains("AOT");
        entry.add(name + ": s to the first page", RunStatistics.of(starts, Start::seconds), cached ? "≤ 2.5" : "≤ 4");
        entry.add(
                "– resident then, MiB",
                RunStatistics.of(starts, Start::resident),
                name.contains("small") ? "≤ 185" : "");
    }

    /** Starts on an empty directory, and stops the process as an admin would. */
    private Start start(Path java, List<String> options) {
        int port = FreePort.find();
        Path data = lab.directory("data/start-" + port);
        long began = System.nanoTime();
        try (Jvm jvm = lab.start("web", java, options, Service.arguments(port, data))) {
            Service.awaitPage(jvm, "http://localhost:" + port + "/sign-in");
            double seconds = Lab.seconds(began);
            Service.sleep(REST_MILLIS);
            return new Start(seconds, jvm.residentMib());
        }
    }

    private Path extract(Path java, Path jar) throws Exception {
        Path target = lab.directory("data").resolve("extracted");
        List<String> options = List.of(Lab.EXIT, "-Djarmode=tools", "-jar", jar.toString());
        try (Jvm tool = lab.start("web", java, options, List.of("extract", "--destination", target.toString()))) {
            tool.awaitEnd(TIMEOUT);
        }
        return target.resolve(jar.getFileName());
    }

    private static Optional<Path> jdk25() throws IOException {
        String named = System.getenv("AZUREMAIL_BENCH_JDK25");
        if (named != null) {
            return Optional.of(Path.of(named, "bin", "java"));
        }
        Path all = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(all)) {
            return Optional.empty();
        }
        try (Stream<Path> found = Files.list(all)) {
            return found.filter(jdk -> jdk.getFileName().toString().contains("25"))
                    .map(jdk -> jdk.resolve("bin/java"))
                    .filter(Files::isExecutable)
                    .findFirst();
        }
    }
}
