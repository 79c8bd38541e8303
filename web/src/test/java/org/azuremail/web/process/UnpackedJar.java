package org.azuremail.web.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/**
 * The packaged jar of a module, and the same unpacked, as the operations guide recommends where a start matters: it takes a quarter
 * less of a processor, and tests start some fifty. A jar is unpacked once, by whichever process of the build needs it first.
 */
final class UnpackedJar {

    private UnpackedJar() {}

    static Path packed(String module) throws IOException {
        Path directory = target(module);
        List<Path> jars = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, module + "-*-exec.jar")) {
                found.forEach(jars::add);
            }
        }
        if (jars.size() != 1) {
            throw new AssertionError("There must be one " + module + "-*-exec.jar in " + directory + ", but there are "
                    + jars + ". Run: mvn clean package -DskipTests");
        }
        return jars.get(0);
    }

    static synchronized Path of(String module) throws IOException {
        Path jar = packed(module);
        Path unpacked = target(module).resolve("unpacked");
        try (FileChannel channel = FileChannel.open(
                        target(module).resolve("unpacked.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock alone = channel.lock()) {
            if (alone.isValid() && !isOf(jar, unpacked)) {
                FileSystemUtils.deleteRecursively(unpacked);
                unpack(jar, unpacked);
            }
        }
        return unpacked.resolve(jar.getFileName());
    }

    private static boolean isOf(Path jar, Path unpacked) throws IOException {
        return Files.exists(unpacked)
                && Files.getLastModifiedTime(unpacked).compareTo(Files.getLastModifiedTime(jar)) > 0;
    }

    private static Path target(String module) {
        return Path.of("..", module, "target").toAbsolutePath().normalize();
    }

    /** Whole or not at all: it gets its name last. */
    private static void unpack(Path jar, Path into) throws IOException {
        Path part = Files.createTempDirectory(into.getParent(), "unpacking");
        Process tool = new ProcessBuilder(
                        WorkerProcess.JAVA,
                        "-XX:TieredStopAtLevel=1",
                        "-Djarmode=tools",
                        "-jar",
                        jar.toString(),
                        "extract",
                        "--force",
                        "--destination",
                        part.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!tool.waitFor(2, TimeUnit.MINUTES) || tool.exitValue() != 0) {
                throw new AssertionError(jar + " could not be unpacked");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            tool.destroyForcibly();
        }
        Files.move(part, into, StandardCopyOption.ATOMIC_MOVE);
    }
}
