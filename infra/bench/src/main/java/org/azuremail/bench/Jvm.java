package org.azuremail.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A child process that runs Java. It ends with this process. */
final class Jvm implements AutoCloseable {

    private static final Pattern COLLECTION = Pattern.compile("->(\\d+)M\\(");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern PEAK_RESIDENT = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
    private static final int STOP_SECONDS = 40;

    private final Process process;
    private final Path log;
    private final Path collections;

    private Jvm(Process process, Path log, Path collections) {
        this.process = process;
        this.log = log;
        this.collections = collections;
    }

    /**
     * @param java the {@code java} program
     * @param options the options of the JVM, including {@code -jar} and the jar
     */
    static Jvm start(Path directory, String name, Path java, List<String> options, List<String> arguments) {
        Path log = directory.resolve(name + ".log");
        Path collections = directory.resolve(name + ".gc");
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        // The process unpacks files there, so that they are deleted with the data even if it is killed.
        command.add("-Djava.io.tmpdir=" + Lab.make(directory.resolve("data/tmp")));
        command.add("-Xlog:gc:file=" + collections + "::filecount=0");
        command.addAll(options);
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new Jvm(process, log, collections);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    double cpuSeconds() {
        return seconds(process.info().totalCpuDuration().orElse(Duration.ZERO));
    }

    /** Returns the CPU time of this process, which runs the sinks and the clients. */
    static double ownCpuSeconds() {
        return seconds(ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Returns the largest heap after a collection, in MiB; 0 before the first collection. */
    int peakHeapMib() {
        return numbers(COLLECTION, read(collections)).max().orElse(0);
    }

    /** Returns the largest heap after a collection, and the largest resident memory, in MiB. */
    String peaks() {
        return peakHeapMib() + " / " + status(PEAK_RESIDENT) / 1024;
    }

    /** Returns the current resident memory, in MiB; 0 if the system does not report it. */
    int residentMib() {
        return status(RESIDENT) / 1024;
    }

    /** Returns the number of threads; 0 if the system does not report it. */
    int threads() {
        return status(THREADS);
    }

    private int status(Pattern line) {
        return numbers(line, read(Path.of("/proc", Long.toString(process.pid()), "status")))
                .findFirst()
                .orElse(0);
    }

    private static IntStream numbers(Pattern pattern, String text) {
        return pattern.matcher(text).results().mapToInt(found -> Integer.parseInt(found.group(1)));
    }

    String log() {
        return read(log);
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process ends by itself, and fails unless it succeeds in time. */
    String awaitEnd(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("it failed: " + log());
        }
        return log();
    }

    /** Asks the process to end, and kills it if it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the process, and returns when it has ended. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }
}
