package org.azuremail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyFilesTest {

    @TempDir
    private Path directory;

    @Test
    void onlyTheOwnerMayReadACreatedFile() throws IOException {
        Path file = directory.resolve("file");

        OwnerOnlyFiles.createFile(file);

        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThatThrownBy(() -> OwnerOnlyFiles.createFile(file)).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void onlyTheOwnerMayReadACreatedDirectoryAndAnExistingOneIsUnchanged() throws IOException {
        Path made = directory.resolve("a").resolve("b");
        OwnerOnlyFiles.createDirectory(made);
        assertThat(permissions(made)).isEqualTo("rwx------");

        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-x---"));
        OwnerOnlyFiles.createDirectory(made);

        assertThat(permissions(made)).isEqualTo("rwxr-x---");
    }

    @Test
    void directoryIsNotCreatedOverAFile() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> OwnerOnlyFiles.createDirectory(file)).isInstanceOf(IOException.class);
    }

    @Test
    void permissionsOfOthersAreRemovedAndNoneAreAdded() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--rw-rwx"));

        OwnerOnlyFiles.tighten(file);
        OwnerOnlyFiles.tighten(directory.resolve("missing"));

        assertThat(permissions(file)).isEqualTo("r--------");
    }

    /** A zip file system has no such permissions, like Windows. */
    @Test
    void fileSystemWithoutPermissionsIsNoFailure() throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(directory.resolve("a.zip"), Map.of("create", "true"))) {
            Path made = zip.getPath("/data");
            OwnerOnlyFiles.createDirectory(made);
            OwnerOnlyFiles.createFile(made.resolve("file"));
            OwnerOnlyFiles.tighten(made.resolve("file"));

            assertThat(made.resolve("file")).exists();
            assertThatThrownBy(() -> OwnerOnlyFiles.createFile(made.resolve("file")))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
