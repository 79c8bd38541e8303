package org.azuremail.web.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A JVM that runs the jar of a role. */
final class WorkerProcess implements AutoCloseable {

    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Many processes start at the same time, on a machine that may be busy. */
    private static final Duration START = Duration.ofMinutes(5);

    private static final Pattern READY = Pattern.compile("Started \\w+Application in ");
    private static final Pattern ERROR = Pattern.compile("^(\\S+) ERROR ", Pattern.MULTILINE);

    private final Process process;
    private final Path log;

    private WorkerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts {@code worker-scheduler}, {@code worker-sender} or {@code web} from its unpacked jar.
     *
     * @param settings the settings, as {@code name=value}
     */
    static WorkerProcess start(String module, Path data, List<String> settings) throws IOException {
        return start(module, UnpackedJar.of(module), data, settings);
    }

    /** Starts the role from its packaged jar, as it is shipped. */
    static WorkerProcess startPacked(String module, Path data, List<String> settings) throws IOException {
        return start(module, UnpackedJar.packed(module), data, settings);
    }

    private static WorkerProcess start(String module, Path jar, Path data, List<String> settings) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "-Xmx256m",
                // A machine with other digits.
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto"));
        command.addAll(UnpackedJar.options(jar));
        command.addAll(List.of("-jar", jar.toString(), "--azuremail.data-dir=" + data));
        settings.forEach(setting -> command.add("--" + setting));
        Path log = Files.createTempFile(data.getParent(), module, ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new WorkerProcess(process, log);
    }

    /** Sends SIGTERM. */
    WorkerProcess stop() {
        process.destroy();
        return this;
    }

    /** Sends SIGKILL, so that the process runs no more code. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits until the process reports that it is ready. Fails if it ends before. */
    void awaitReady() {
        Awaitility.await("its start")
                .atMost(START)
                .pollInterval(Duration.ofMillis(50))
                .failFast("it ended", () -> !process.isAlive())
                .until(() -> READY.matcher(log()).find());
    }

    boolean running() {
        return process.isAlive();
    }

    /** Returns the exit code. Fails if the process does not end in time. */
    int awaitEnd(long seconds) throws InterruptedException, IOException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + seconds + " s; its log:\n" + log());
        }
        return process.exitValue();
    }

    /** Returns the times at which the process logged an error. */
    List<Instant> errors() throws IOException {
        return ERROR.matcher(log())
                .results()
                .map(line -> OffsetDateTime.parse(line.group(1)).toInstant())
                .toList();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
