package org.azuremail.work.run;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs repeated failures. If the storage is out of reach, all loops of a process fail at the same time. So at most one
 * failure a minute in the whole process is logged as an error, with its stack trace unless the storage's message
 * explains it. Each other loop or service logs its failure as a warning, once a minute. Safe for use from many threads.
 */
public final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);
    private static final Set<Reason> SELF_EXPLANATORY = EnumSet.of(Reason.DENIED, Reason.MISSING);

    private final Time time;
    private final Map<String, Duration> logged = new HashMap<>();
    private @Nullable Duration lastError;

    public FailureLog(Time time) {
        this.time = time;
    }

    /** @param what the name of a loop or a service of this process */
    public void failed(String what, Throwable problem) {
        Duration now = time.elapsed();
        if (!isNews(what, now)) {
            LOG.debug("{} failed", what, problem);
        } else if (!isNextError(now)) {
            LOG.warn("{} failed and goes on: {}", what, problem.toString());
        } else if (explained(problem)) {
            LOG.error("{} failed and goes on; further errors are logged once a minute: {}", what, problem.toString());
        } else {
            LOG.error("{} failed and goes on; further errors are logged once a minute", what, problem);
        }
    }

    /**
     * Returns whether to log that an item failed. A problem that the storage's message explains affects all items in
     * progress, so it is logged once a minute for each queue.
     */
    boolean shouldLogItem(String queue, Throwable problem) {
        return !explained(problem) || isNews("items of " + queue, time.elapsed());
    }

    private synchronized boolean isNews(String what, Duration now) {
        boolean news = isOver(logged.get(what), now);
        if (news) {
            logged.put(what, now);
        }
        return news;
    }

    private synchronized boolean isNextError(Duration now) {
        boolean next = isOver(lastError, now);
        lastError = next ? now : lastError;
        return next;
    }

    /**
     * Returns whether the message explains the problem: the storage is out of reach, busy, refuses access, or lacks
     * something.
     */
    static boolean explained(Throwable problem) {
        return problem instanceof StorageException storage
                && (storage.retryable() || SELF_EXPLANATORY.contains(storage.reason()));
    }

    private static boolean isOver(@Nullable Duration last, Duration now) {
        return last == null || now.minus(last).compareTo(LOG_INTERVAL) >= 0;
    }
}
