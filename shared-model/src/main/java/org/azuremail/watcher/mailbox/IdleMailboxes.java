package org.azuremail.watcher.mailbox;

import jakarta.mail.MessagingException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.azuremail.app.Daemons;
import org.azuremail.watcher.WatcherKind.TurnContext;

/**
 * The mailboxes for which the server reports new messages (IDLE, RFC 2177). Each needs a connection and a thread, so
 * their number is limited; other mailboxes are read at their intervals. Safe for use from many threads.
 */
final class IdleMailboxes implements AutoCloseable {

    /** Servers may end a wait after 30 minutes (RFC 3501, 5.4). */
    static final Duration MAX_IDLE_WAIT = Duration.ofMinutes(25);

    /**
     * The delay after a report, because messages seldom arrive alone. It also limits how often the watcher signs in.
     */
    private static final Duration GATHER = Duration.ofSeconds(5);

    private final Map<String, OpenMailbox> open = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads;

    IdleMailboxes(int max) {
        threads = new ThreadPoolExecutor(
                0, Math.max(1, max), 10, TimeUnit.SECONDS, new SynchronousQueue<>(), Daemons.named("mailbox idle"));
        if (max == 0) {
            threads.shutdown();
        }
    }

    /**
     * Waits for new messages on a separate thread, and closes the mailbox afterwards.
     *
     * @return whether it waits; if not, the caller still owns the mailbox
     */
    boolean startWaiting(String watcher, OpenMailbox mailbox, TurnContext context) {
        if (!mailbox.supportsIdle()) {
            return false;
        }
        open.put(watcher, mailbox);
        try {
            threads.execute(() -> await(watcher, mailbox, context));
            return true;
        } catch (RejectedExecutionException allTaken) {
            open.remove(watcher, mailbox);
            return false;
        }
    }

    private void await(String watcher, OpenMailbox mailbox, TurnContext context) {
        Duration rest = mailbox.settings().interval();
        try {
            mailbox.await(MAX_IDLE_WAIT);
            rest = GATHER;
        } catch (MessagingException | RuntimeException brokeOrCut) {
            // The next read reports the problem, if it persists.
        } finally {
            boolean mine = open.remove(watcher, mailbox);
            mailbox.close();
            if (mine) {
                context.wakeIn(rest);
            }
        }
    }

    /** Ends a wait, if one is under way. */
    void stopWaiting(String watcher) {
        OpenMailbox mailbox = open.remove(watcher);
        if (mailbox != null) {
            mailbox.abort();
        }
    }

    int waiting() {
        return open.size();
    }

    @Override
    public void close() {
        open.keySet().forEach(this::stopWaiting);
        threads.shutdownNow();
    }
}
