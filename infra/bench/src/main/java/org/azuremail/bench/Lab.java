package org.azuremail.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * The environment of a run: a data directory and the processes that were started. Closing it stops the processes, and
 * so does any end of this process.
 */
final class Lab implements AutoCloseable {

    private static final int DELETIONS_TRIED = 20;
    private static final int FEWEST = 100;

    static final String HEAP = "-Xmx512m";
    static final String EXIT = "-XX:+ExitOnOutOfMemoryError";

    /** The JVM options with which the documentation starts the service. */
    private static final List<String> DOCUMENTED = List.of(
            "-Xms64m",
            HEAP,
            EXIT,
            "-XX:-UsePerfData",
            "-XX:G1PeriodicGCInterval=600000",
            "-XX:-G1PeriodicGCInvokesConcurrent",
            "-XX:TrimNativeHeapInterval=60000");

    static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private static final Pattern WARNING = Pattern.compile(" (WARN|ERROR) ");
    private static final int MAX_WARNINGS = 20;

    private final Bench.Options options;
    private final Path directory;
    private final MailCounter counter = new MailCounter();
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final Thread hook = new Thread(this::abort, "bench-stop");
    private int started;
    private boolean aborted;

    Lab(Bench.Options options) throws IOException {
        this.options = options;
        this.directory = options.root().resolve("infra/bench/target/lab");
        FileSystemUtils.deleteRecursively(directory);
        make(directory);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    Bench.Options options() {
        return options;
    }

    /** Returns a number of recipients, rows or requests, scaled by the options. */
    int scaled(int full) {
        return Math.max(Math.min(full, FEWEST), (int) Math.round(full * options.scale()));
    }

    /** One of several equal runs. Run 0 only warms up. */
    interface Run<T> {
        T run(int number) throws Exception;
    }

    /** Runs once to warm up, then as often as the options say, and returns the results of the counted runs. */
    <T> List<T> runs(Run<T> one) throws Exception {
        one.run(0);
        return counted(one);
    }

    /** Returns the results of as many runs as the options say, without a warm-up. */
    <T> List<T> counted(Run<T> one) throws Exception {
        List<T> counted = new ArrayList<>();
        for (int number = 1; number <= options.runs(); number++) {
            counted.add(one.run(number));
        }
        return counted;
    }

    static String name(int run) {
        return run == 0 ? "warm-up" : "run " + run;
    }

    /** @param since a value of {@link System#nanoTime()} */
    static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** @throws IllegalStateException with the message of {@code otherwise} if the condition is not met in time */
    static void await(Duration atMost, int everyMillis, BooleanSupplier done, Supplier<String> otherwise) {
        long until = System.nanoTime() + atMost.toNanos();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException(otherwise.get());
            }
            Service.sleep(everyMillis);
        }
    }

    /** Returns the counts of all sinks together; only one case runs at a time. */
    MailCounter tally() {
        return counter;
    }

    static void log(String line) {
        System.out.println("bench: " + line);
    }

    Path directory(String name) {
        return make(directory.resolve(name));
    }

    /** Prints the warnings of the processes of a failed case, because their logs are deleted with this directory. */
    void logWarnings() {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "*.log")) {
            for (Path log : logs) {
                try (Stream<String> lines = Files.lines(log)) {
                    lines.filter(line -> WARNING.matcher(line).find())
                            .limit(MAX_WARNINGS)
                            .forEach(line -> log(log.getFileName() + ": " + line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path jar(String module) {
        Path target = options.root().resolve(module).resolve("target");
        String name = Path.of(module).getFileName().toString();
        File[] jars = target.toFile()
                .listFiles((existing, file) -> file.startsWith(name + "-") && file.endsWith("-exec.jar"));
        if (jars == null || jars.length != 1) {
            throw new IllegalStateException("there must be one " + name + "-*-exec.jar in " + target + ": run mvn"
                    + " clean package -DskipTests");
        }
        return jars[0].toPath();
    }

    /** Starts an application with the options that all cases share. */
    Jvm start(String module, List<String> settings) {
        List<String> options = new ArrayList<>(DOCUMENTED);
        options.addAll(List.of("-jar", jar(module).toString()));
        return start(module, JAVA, options, settings);
    }

    synchronized Jvm start(String module, Path java, List<String> jvmOptions, List<String> arguments) {
        requireNotAborted();
        String name = Path.of(module).getFileName() + "-" + ++started;
        return keep(Jvm.start(directory, name, java, jvmOptions, arguments));
    }

    /** Runs a raw loop in its own process and returns its emails a second. */
    double raw(String... arguments) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("raw"));
        all.addAll(List.of(arguments));
        try (Jvm loop = start("infra/bench", all)) {
            String output = loop.awaitEnd(Duration.ofMinutes(5));
            return Double.parseDouble(
                    output.substring(output.lastIndexOf(' ') + 1).strip());
        }
    }

    synchronized <T extends AutoCloseable> T keep(T started) {
        running.push(started);
        if (aborted) {
            stopAll();
        }
        requireNotAborted();
        return started;
    }

    /** Fails after Ctrl-C, because a process that started then would outlive this one. */
    private void requireNotAborted() {
        if (aborted) {
            throw new IllegalStateException("broken off");
        }
    }

    private synchronized void stopAll() {
        while (!running.isEmpty()) {
            AutoCloseable last = running.pop();
            if (last instanceof Jvm jvm) {
                jvm.kill();
                continue;
            }
            try {
                last.close();
            } catch (Exception e) {
                log("stopping failed: " + e);
            }
        }
    }

    /**
     * Handles Ctrl-C. The current case fails, but may still create a file during the first attempt to delete the data.
     */
    private synchronized void abort() {
        aborted = true;
        stopAll();
        for (int attempt = 1; ; attempt++) {
            try {
                FileSystemUtils.deleteRecursively(directory.resolve("data"));
                return;
            } catch (IOException e) {
                if (attempt == DELETIONS_TRIED) {
                    log("not removed: " + e.getMessage());
                    return;
                }
                Service.sleep(100);
            }
        }
    }

    /** Stops all processes and deletes the data; logs remain. */
    @Override
    public void close() throws IOException {
        stopAll();
        Runtime.getRuntime().removeShutdownHook(hook);
        FileSystemUtils.deleteRecursively(directory.resolve("data"));
    }

    static Path make(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
