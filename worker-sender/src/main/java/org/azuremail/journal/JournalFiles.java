package org.azuremail.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.app.OwnerOnlyFiles;
import org.azuremail.journal.Journal.TakenMail;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journals of other processes of this host, dead or alive. */
record JournalFiles(Path directory, String boot) {

    private static final Logger LOG = LoggerFactory.getLogger(JournalFiles.class);

    /** The age after which no sender asks for a lot. */
    private static final Duration RETENTION = Duration.ofDays(7);

    /**
     * The content of one file.
     *
     * @param intact whether every line is as it was written, apart from an incomplete last one
     * @param locations of the lots, as passed to {@link Journal#openLot}
     */
    private record Contents(
            boolean dead,
            boolean intact,
            String boot,
            Map<String, Map<String, JournalLine>> lots,
            Map<String, String> locations) {}

    /** @param own this process's file, which must not be opened again */
    Optional<LotNotes> find(String lot, @Nullable Path own) {
        Map<String, JournalLine> lines = new HashMap<>();
        boolean found = false;
        boolean complete = !boot.isEmpty();
        for (Path path : paths(own)) {
            Contents contents = read(path);
            Map<String, JournalLine> part = contents.lots().get(lot);
            // A damaged file may hide lines that belong here.
            complete &= contents.intact();
            if (part != null) {
                found = true;
                complete &= contents.dead() && contents.boot().equals(boot);
                lines.putAll(part);
            }
        }
        return found ? Optional.of(new LotNotes(complete, lines)) : Optional.empty();
    }

    /** @param own this process's file, as in {@link #find} */
    List<TakenMail> acceptedForDeadProcesses(@Nullable Path own) {
        List<TakenMail> taken = new ArrayList<>();
        for (Path path : paths(own)) {
            Contents contents = read(path);
            if (contents.dead()) {
                Instant last = lastWritten(path);
                contents.lots().forEach((lot, lines) -> lines.values().stream()
                        .filter(line -> line.kind() == JournalLine.Kind.SENT)
                        .map(line -> new TakenMail(
                                contents.locations().getOrDefault(lot, ""), line.row(), line.text(), last))
                        .forEach(taken::add));
            }
        }
        return taken;
    }

    private static Instant lastWritten(Path path) {
        try {
            return Files.getLastModifiedTime(path).toInstant();
        } catch (IOException gone) {
            return Instant.MIN;
        }
    }

    /**
     * Deletes files that no sender will ask for any more.
     *
     * @param own this process's file, as in {@link #find}
     */
    void sweep(Instant now, @Nullable Path own) {
        for (Path path : paths(own)) {
            OwnerOnlyFiles.tighten(path);
            try {
                Contents contents = read(path);
                boolean old = Files.getLastModifiedTime(path).toInstant().isBefore(now.minus(RETENTION));
                boolean empty = contents.intact() && contents.lots().isEmpty();
                if (contents.dead() && (old || empty)) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException stays) {
                LOG.debug("{} stays", path, stays);
            }
        }
    }

    private List<Path> paths(@Nullable Path own) {
        List<Path> paths = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + JournalFile.SUFFIX)) {
                files.forEach(paths::add);
            } catch (IOException unreadable) {
                LOG.warn("the journals in {} cannot be listed: {}", directory, unreadable.toString());
                return List.of();
            }
        }
        paths.remove(own);
        return paths;
    }

    private static Contents read(Path path) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            // Checks the lock first, because a process that is found dead writes nothing more.
            boolean dead = dead(channel);
            return parse(new String(Files.readAllBytes(path), UTF_8), dead);
        } catch (IOException unreadable) {
            LOG.warn("the journal {} cannot be read: {}", path, unreadable.toString());
            return new Contents(false, false, "", Map.of(), Map.of());
        }
    }

    /**
     * Returns whether the file's process has died. On a system without locks, this is unknown, and no process counts as
     * dead.
     */
    private static boolean dead(FileChannel channel) {
        try (FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock != null;
        } catch (IOException | OverlappingFileLockException alive) {
            return false;
        }
    }

    private static Contents parse(String text, boolean dead) {
        Map<String, Map<String, JournalLine>> lots = new HashMap<>();
        Map<String, String> locations = new HashMap<>();
        Set<String> forgotten = new HashSet<>();
        String boot = "";
        // Text after the end of the last line is incomplete, because the writer died.
        List<String> written =
                text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        List<JournalLine> lines = written.stream()
                .flatMap(line -> JournalLine.parse(line).stream())
                .toList();
        for (JournalLine line : lines) {
            switch (line.kind()) {
                case FILE -> boot = line.lot();
                case OPENED -> {
                    lots.computeIfAbsent(line.lot(), lot -> new HashMap<>());
                    locations.put(line.lot(), line.text());
                }
                case FORGOTTEN -> forgotten.add(line.lot());
                default ->
                    lots.computeIfAbsent(line.lot(), lot -> new HashMap<>()).put(line.row(), line);
            }
        }
        lots.keySet().removeAll(forgotten);
        return new Contents(dead, lines.size() == written.size(), boot, lots, locations);
    }
}
