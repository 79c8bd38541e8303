package org.azuremail.storage.version;

import java.time.Duration;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the format repeatedly while the process runs, and ends the process if the format is newer than its own. */
final class VersionWatch implements StoreGate {

    private static final Logger LOG = LoggerFactory.getLogger(VersionWatch.class);

    private final StoreVersion version;
    private final Time time;
    private final Runnable endProcess;
    private @Nullable Duration readElapsed;
    private boolean newer;

    VersionWatch(StoreVersion version, Time time, Runnable endProcess) {
        this.version = version;
        this.time = time;
        this.endProcess = endProcess;
    }

    @Override
    public synchronized boolean isOpen(Duration atMostOld) {
        if (newer) {
            return false;
        }
        Duration now = time.elapsed();
        if (readElapsed != null && now.minus(readElapsed).compareTo(atMostOld) < 0) {
            return true;
        }
        try {
            version.requireReadable();
            readElapsed = now;
        } catch (NewerStoreException e) {
            newer = true;
            LOG.error("{} This process stops.", e.getMessage());
            endProcess.run();
        }
        return !newer;
    }

    @Override
    public synchronized void forget() {
        readElapsed = null;
    }
}
