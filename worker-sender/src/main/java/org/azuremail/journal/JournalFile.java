package org.azuremail.journal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.azuremail.app.OwnerOnlyFiles;

/**
 * The file that this process writes. It is locked as long as the process lives, which other processes can see. No other
 * code of this process may open it, because closing any handle of a file releases the process's locks on it.
 */
final class JournalFile {

    static final String SUFFIX = ".journal";

    private final Path path;

    /** This is not a channel, because an interrupted thread would close a channel for all other threads. */
    private final RandomAccessFile file;

    private long size;
    private boolean whole = true;

    /** @param size the number of existing bytes; the file is positioned after them */
    JournalFile(Path path, RandomAccessFile file, long size) {
        this.path = path;
        this.file = file;
        this.size = size;
    }

    /** Creates a new file, which other processes see only after it is locked. */
    static JournalFile create(Path directory, String name, String boot) throws IOException {
        OwnerOnlyFiles.createDirectory(directory);
        Path path = directory.resolve(name + SUFFIX);
        byte[] header = JournalLine.of(JournalLine.Kind.FILE, boot).bytes();
        return new JournalFile(path, OwnerOnlyFiles.createLocked(path, header), header.length);
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    /**
     * Appends a line with one system call, so that written lines survive the process, and only the last one can be
     * incomplete. Removes a line that does not fit on a full disk.
     */
    void append(byte[] line) throws IOException {
        try {
            file.write(line);
            size += line.length;
        } catch (IOException failure) {
            try {
                file.setLength(size);
            } catch (IOException worse) {
                whole = false;
                failure.addSuppressed(worse);
            }
            throw failure;
        }
    }

    /** Returns whether the file has only complete lines, even if some could not be appended. */
    boolean whole() {
        return whole;
    }

    /** Deletes the file before it is unlocked, so that no process finds it unlocked. */
    void delete() throws IOException {
        Files.deleteIfExists(path);
        file.close();
    }

    /** Closes the file, so that other processes can read it. */
    void close() throws IOException {
        file.close();
    }
}
