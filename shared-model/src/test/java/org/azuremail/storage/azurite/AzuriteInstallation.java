package org.azuremail.storage.azurite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** The Azurite of the lock file in {@code infra/azurite}, which npm installs at first use. */
final class AzuriteInstallation {

    private static final String HINT =
            "run `npm ci` in infra/azurite (it needs Node 20 or later with npm, and a registry)";
    private static final int INSTALL_MINUTES = 8;

    private AzuriteInstallation() {}

    /** Returns the directory of the installation. Tests of several modules may call this at the same time. */
    static Path ready() {
        Path directory = directory();
        try (FileChannel lock = FileChannel.open(
                        directory.resolve(".install.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            if (!held.isValid() || !isInstalled(directory)) {
                install(directory);
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException("Azurite could not be installed: " + HINT, e);
        }
    }

    private static Path directory() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path candidate = at.resolve("infra/azurite");
            if (Files.exists(candidate.resolve("package-lock.json"))) {
                return candidate;
            }
        }
        throw new IllegalStateException("infra/azurite is in none of the directories above this one");
    }

    /** Returns whether the installation is complete and matches the lock file, whose copy is written last. */
    private static boolean isInstalled(Path directory) throws IOException {
        Path copy = copyOfTheLock(directory);
        return Files.exists(copy) && Files.mismatch(copy, directory.resolve("package-lock.json")) < 0;
    }

    private static void install(Path directory) throws IOException {
        Path log = Files.createTempFile("azurite-npm", ".log");
        Process npm = new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
                throw new IOException("npm ci failed: " + Files.readString(log));
            }
            Files.copy(
                    directory.resolve("package-lock.json"),
                    copyOfTheLock(directory),
                    StandardCopyOption.REPLACE_EXISTING);
            Files.delete(log);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            npm.destroy();
        }
    }

    private static Path copyOfTheLock(Path directory) {
        return directory.resolve("node_modules/.installed-package-lock.json");
    }
}
