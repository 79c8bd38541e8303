package org.azuremail.app;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files that only the user of this process may read, because they contain addresses and password hashes. Files
 * have these permissions from their creation, whatever the umask. On a file system without such permissions nothing
 * fails, and the permissions of the directory decide who can read the files.
 */
public final class OwnerOnlyFiles {

    private static final Logger LOG = LoggerFactory.getLogger(OwnerOnlyFiles.class);

    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private OwnerOnlyFiles() {}

    /**
     * Creates an empty file.
     *
     * @throws FileAlreadyExistsException if the file exists, which is then left unchanged
     */
    public static void createFile(Path file) throws IOException {
        try {
            Files.createFile(file, FILE);
        } catch (UnsupportedOperationException noSuchPermissions) {
            Files.createFile(file);
        }
    }

    /**
     * Creates a file that this process has locked. Others see it only once it is locked and has its first content.
     *
     * @return the file, whose lock lasts until any handle of it is closed in this process
     */
    public static RandomAccessFile createLocked(Path path, byte[] content) throws IOException {
        Path unseen = path.resolveSibling(path.getFileName() + ".new");
        createFile(unseen);
        RandomAccessFile file = new RandomAccessFile(unseen.toFile(), "rw");
        try {
            if (file.getChannel().tryLock() == null) {
                throw new IOException("somebody else has locked " + unseen);
            }
            file.write(content);
            Files.move(unseen, path, StandardCopyOption.ATOMIC_MOVE);
            return file;
        } catch (IOException e) {
            file.close();
            Files.deleteIfExists(unseen);
            throw e;
        }
    }

    /** Creates a directory, and its parents with default permissions. An existing directory keeps its permissions. */
    public static void createDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, DIRECTORY);
        } catch (UnsupportedOperationException | FileAlreadyExistsException e) {
            // There are no such permissions, or another process was faster; a plain file of this name still fails here.
            Files.createDirectories(directory);
        }
    }

    /** Removes the permissions of all other users from a file of an older version or a copy, if it exists. */
    public static void tighten(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.retainAll(OWNER)) {
                Files.setPosixFilePermissions(file, permissions);
            }
        } catch (NoSuchFileException | UnsupportedOperationException nothingToDo) {
            return;
        } catch (IOException notOurs) {
            LOG.warn("others may be able to read {}: its permissions cannot be changed: {}", file, notOurs.toString());
        }
    }
}
