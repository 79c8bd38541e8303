package org.azuremail.storage.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Another JVM that runs a main class of the tests. Its output is read here; its errors are printed to our own error
 * stream.
 */
public final class ChildProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader lines;

    private ChildProcess(Process process) {
        this.process = process;
        this.lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static ChildProcess start(Class<?> main, String memory, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-Xmx" + memory, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ChildProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Returns the next line, or {@code null} if the process has ended. */
    @Nullable
    public String line() {
        try {
            return lines.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns this number of lines, or fewer if the process ends before. */
    public List<String> lines(int count) {
        List<String> read = new ArrayList<>();
        String line = "";
        while (read.size() < count && line != null) {
            line = line();
            if (line != null) {
                read.add(line);
            }
        }
        return read;
    }

    /** Kills the process with SIGKILL, and returns the complete lines that it has written. */
    public List<String> kill() throws InterruptedException {
        // Process.destroyForcibly would close the stream, which may contain unread lines.
        process.toHandle().destroyForcibly();
        process.waitFor();
        return lines(Integer.MAX_VALUE);
    }

    public int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
