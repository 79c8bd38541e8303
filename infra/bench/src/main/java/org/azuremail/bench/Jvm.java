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

/** A Java process that this one started; it ends with it. */
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
     * @param java the program
     * @param options of the virtual machine, {@code -jar} and the jar among them
     */
    static Jvm start(Path directory, String name, Path java, List<String> options, List<String> arguments) {
        Path log = directory.resolve(name + ".log");
        Path collections = directory.resolve(name + ".gc");
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        // It unpacks its files there, so that they are deleted with the data even when it is killed.
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

    /** CPU time of this process: the sinks and whoever asks. */
    static double ownCpuSeconds() {
        return seconds(ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** The most that was left on the heap after a collection, in MiB; 0 before the first. */
    int peakHeapMib() {
        return numbers(COLLECTION, read(collections)).max().orElse(0);
    }

    /** The most on the heap after a collection, and the most memory in RAM, in MiB. */
    String peaks() {
        return peakHeapMib() + " / " + status(PEAK_RESIDENT) / 1024;
    }

    /** Memory in RAM now, in MiB; 0 where the system does not say. */
    int residentMib() {
        return status(RESIDENT) / 1024;
    }

    /** 0 where the system does not say. */
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

    /** Waits for its end, which must come by itself. */
    String awaitEnd(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("it failed: " + log());
        }
        return log();
    }

    /** Asks it to end, and kills it when it does not. */
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

    /** Ends it at once, and returns when it is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }
}
