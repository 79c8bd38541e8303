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
 * The packaged jar of a module, unpacked with an archive of the classes that a start loads, as the operations guide
 * recommends where the start time matters. A start from there takes half of the CPU time of a start from the packaged
 * jar, and the tests start some fifty processes. The first process of the build that needs a jar unpacks it.
 */
final class UnpackedJar {

    private static final String CLASSES = "classes.jsa";

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

    /**
     * Returns the options that let the jar start from its archive of classes, or none if this Java could not create
     * one.
     */
    static List<String> options(Path jar) {
        Path classes = jar.resolveSibling(CLASSES);
        return Files.exists(classes) ? List.of("-XX:SharedArchiveFile=" + classes) : List.of();
    }

    private static boolean isOf(Path jar, Path unpacked) throws IOException {
        return Files.exists(unpacked)
                && Files.getLastModifiedTime(unpacked).compareTo(Files.getLastModifiedTime(jar)) > 0;
    }

    private static Path target(String module) {
        return Path.of("..", module, "target").toAbsolutePath().normalize();
    }

    /**
     * Unpacks the jar and creates its archive of classes. Each gets its name last, so that it is complete: half an
     * archive would crash the JVM. The archive records the path of the jars, so it is created there.
     */
    private static void unpack(Path jar, Path into) throws IOException {
        Path part = Files.createTempDirectory(into.getParent(), "unpacking");
        boolean done = run(List.of(
                "-Djarmode=tools", "-jar", jar.toString(), "extract", "--force", "--destination", part.toString()));
        if (!done) {
            throw new AssertionError(jar + " could not be unpacked");
        }
        Files.move(part, into, StandardCopyOption.ATOMIC_MOVE);
        Path data = Files.createTempDirectory("classes");
        Path unfinished = into.resolve("unfinished.jsa");
        boolean archived = run(List.of(
                "-XX:ArchiveClassesAtExit=" + unfinished,
                "-Dspring.context.exit=onRefresh",
                "-jar",
                into.resolve(jar.getFileName()).toString(),
                "--azuremail.data-dir=" + data,
                "--azuremail.public-url=http://localhost"));
        if (archived && Files.exists(unfinished)) {
            Files.move(unfinished, into.resolve(CLASSES), StandardCopyOption.ATOMIC_MOVE);
        }
        FileSystemUtils.deleteRecursively(data);
    }

    private static boolean run(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(WorkerProcess.JAVA, "-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        Process java = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return java.waitFor(2, TimeUnit.MINUTES) && java.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            java.destroyForcibly();
        }
    }
}
