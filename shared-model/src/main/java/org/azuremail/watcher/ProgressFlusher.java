package org.azuremail.watcher;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes turns without news at long intervals, a hundred in a call. Used by the host's thread alone. */
final class ProgressFlusher {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressFlusher.class);
    private static final Duration FLUSH_INTERVAL = Duration.ofMinutes(10);

    private final WatcherStore store;
    private Duration dueElapsed = Duration.ZERO;

    ProgressFlusher(WatcherStore store) {
        this.store = store;
    }

    boolean due(Duration now) {
        return dueElapsed.compareTo(now) <= 0;
    }

    /**
     * @return false when some are not written, because another process changed their rows meanwhile or the storage
     *     is away
     */
    boolean write(Map<String, HeldWatcher> held, Duration now) {
        dueElapsed = now.plus(FLUSH_INTERVAL);
        List<Versioned<Watcher>> pending = held.values().stream()
                .flatMap(watcher -> watcher.unwritten().stream())
                .toList();
        AtomicInteger writtenCount = new AtomicInteger();
        try {
            store.replaceAll(pending, (part, etags) -> {
                writtenCount.addAndGet(part.size());
                for (int i = 0; i < part.size(); i++) {
                    HeldWatcher watcher = held.get(part.get(i).value().name());
                    if (watcher != null) {
                        watcher.written(part.get(i), etags.get(i));
                    }
                }
            });
        } catch (StorageException perhapsWritten) {
            LOG.info("turns without news are not written: {}", perhapsWritten.toString());
        }
        return writtenCount.get() == pending.size();
    }
}
