package org.azuremail.work.lease;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.app.OwnerOnlyFiles;
import org.azuremail.id.IdSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holders of one machine that share a directory. Each process keeps a file there that is locked while the process
 * lives; the operating system releases the lock however the process ends. A process is gone if its file does not exist
 * or can be locked by others.
 */
final class HostHolders implements Holders, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HostHolders.class);
    private static final String SUFFIX = ".process";
    private static final char AND = '.';

    /**
     * The files of this process. They are never opened again in it, because closing any handle of a file releases all
     * locks that the process has on it.
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final IdSource ids;
    private final String process;
    private final Path own;
    private final RandomAccessFile file;

    /** Creates the file of this process, and removes the files of processes that are gone. */
    HostHolders(Path directory, IdSource ids) throws IOException {
        this.directory = directory.toAbsolutePath().normalize();
        this.ids = ids;
        this.process = ids.token();
        this.own = path(process);
        OwnerOnlyFiles.createDirectory(this.directory);
        OWN.add(own);
        try {
            file = OwnerOnlyFiles.createLocked(own, new byte[0]);
        } catch (IOException e) {
            OWN.remove(own);
            throw e;
        }
        sweep();
    }

    private Path path(String name) {
        return directory.resolve(name + SUFFIX);
    }

    @Override
    public String next() {
        return process + AND + ids.token();
    }

    @Override
    public boolean detectsDeadHolders() {
        return true;
    }

    @Override
    public boolean isDead(String holder) {
        int end = holder.indexOf(AND);
        return end > 0 && isDead(path(holder.substring(0, end)));
    }

    /**
     * Returns whether the process with this file is gone. A missing file proves nothing if this process's own file is
     * missing too, because then the directory was emptied.
     */
    private boolean isDead(Path path) {
        if (OWN.contains(path)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock != null;
        } catch (NoSuchFileException removed) {
            return Files.exists(own);
        } catch (IOException | OverlappingFileLockException nobodyKnows) {
            return false;
        }
    }

    private void sweep() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path path : files) {
                if (isDead(path)) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    /** Deletes the file of this process, so that others can take its leases. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(own);
            file.close();
        } catch (IOException stays) {
            LOG.debug("{} stays", own, stays);
        } finally {
            OWN.remove(own);
        }
    }
}
