package org.azuremail.watcher;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.watcher.Watcher.Progress;
import org.azuremail.watcher.WatcherKind.TurnResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watcher that is placed on this process. The host's thread begins its turns, and another thread takes them. This
 * object guards the state that they share, and is never locked during a storage call.
 */
final class HeldWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(HeldWatcher.class);

    /** The pause before the next turn when the result of a turn could not be written. */
    private static final Duration WRITE_FAILURE_REST = Duration.ofMinutes(1);

    /** The rest of a watcher that waits for a restart. */
    private static final Duration FAILED_REST = Duration.ofHours(1);

    private final WatcherStore store;
    private final @Nullable WatcherKind kind;
    private final Time time;
    private final WatcherHost host;
    private volatile Versioned<Watcher> row;
    private Duration dueElapsed;

    /** The earliest time requested for the next turn. It may be set while a turn is under way. */
    private @Nullable Duration wakeElapsed;

    private boolean underWay;
    private volatile boolean deleting;
    private volatile boolean released;
    private @Nullable Progress unwritten;

    HeldWatcher(WatcherStore store, @Nullable WatcherKind kind, Time time, WatcherHost host, Versioned<Watcher> row) {
        this.store = store;
        this.kind = kind;
        this.time = time;
        this.host = host;
        this.row = row;
        Instant due = row.value().progress().dueAt();
        Duration wait = due == null ? Duration.ZERO : Duration.between(time.instant(), due);
        this.dueElapsed = time.elapsed().plus(wait.isNegative() ? Duration.ZERO : wait);
    }

    String name() {
        return row.value().name();
    }

    /** Returns whether this process has given the watcher up and no turn of it is under way. */
    synchronized boolean isReleased() {
        return released && !underWay;
    }

    synchronized boolean due(Duration now) {
        return !underWay && !released && !deleting && dueElapsed.compareTo(now) <= 0;
    }

    synchronized Duration dueElapsed() {
        return dueElapsed;
    }

    /**
     * Returns whether the watcher is to be deleted, and its end has not been written. The write may have failed because
     * the row had changed.
     */
    synchronized boolean isEndPending() {
        return deleting && !underWay && !released;
    }

    /** Gives the watcher up; another process or none takes its turns. */
    void release() {
        released = true;
        if (kind != null) {
            kind.released(name());
        }
        host.onReleased();
    }

    /** Adopts a row that another process wrote. New settings apply from the next turn on, which is due at once. */
    void changed(Versioned<Watcher> read) {
        adopt(read);
        host.scheduleCheck(this, dueElapsed());
    }

    /** Adopts the row. A turn that is under way still uses the earlier settings. */
    private synchronized void adopt(Versioned<Watcher> read) {
        if (!read.value().sameSettingsAs(row.value())) {
            dueElapsed = time.elapsed();
            wakeElapsed = dueElapsed;
            unwritten = null;
        }
        row = read;
    }

    /** Ends a deleted watcher, once the turn that is under way has ended. */
    void endFor(Versioned<Watcher> read) {
        synchronized (this) {
            row = read;
            deleting = true;
            if (underWay) {
                return;
            }
        }
        writeEnd();
    }

    private void writeEnd() {
        Versioned<Watcher> last = row;
        if (store.replace(last.value().ended(time.instant()), last.etag())
                .done()
                .isPresent()) {
            release();
        }
    }

    /** Marks a turn as under way, before a thread takes it. */
    synchronized void begin() {
        underWay = true;
        wakeElapsed = null;
    }

    /** Takes a turn after {@link #begin}. Any thread may call this. */
    void turn() {
        try {
            if (!released && !deleting && host.mayContinue()) {
                takeTurn();
            }
        } finally {
            boolean ended;
            Duration next;
            synchronized (this) {
                underWay = false;
                ended = deleting;
                next = ended ? time.elapsed() : dueElapsed;
            }
            try {
                if (ended) {
                    writeEnd();
                } else if (released) {
                    release();
                }
            } finally {
                host.scheduleCheck(this, next);
            }
        }
    }

    private final class Turn implements WatcherKind.TurnContext {

        @Override
        public boolean stopRequested() {
            return released || deleting || !host.mayContinue();
        }

        @Override
        public void wakeIn(Duration rest) {
            Duration at = time.elapsed().plus(rest);
            synchronized (HeldWatcher.this) {
                Duration before = wakeElapsed;
                wakeElapsed = before == null ? at : Durations.min(at, before);
                if (underWay || released || at.compareTo(dueElapsed) >= 0) {
                    return;
                }
                dueElapsed = at;
            }
            host.scheduleCheck(HeldWatcher.this, at);
            host.wake();
        }
    }

    private void takeTurn() {
        Watcher watcher = row.value();
        Progress after;
        try {
            if (kind == null) {
                throw new WatcherKind.WatcherException(Reason.of(ReasonCode.WATCHER_KIND, watcher.kind()));
            }
            after = succeeded(watcher, kind.turn(watcher, new Turn()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (WatcherKind.PermanentWatcherException e) {
            after = failed(watcher, e.reason(), Optional.empty());
        } catch (WatcherKind.WatcherException e) {
            after = failed(watcher, e.reason(), again(watcher));
        } catch (Exception | StackOverflowError e) {
            LOG.info("watcher {} failed: {}", watcher.name(), e.toString());
            after = failed(watcher, Reason.of(ReasonCode.WATCHER_BROKE, e.toString()), again(watcher));
        }
        try {
            if (!after.equals(watcher.progress())) {
                write(watcher, after);
            }
        } catch (StorageException perhapsWritten) {
            LOG.info("what became of watcher {} is not written: {}", watcher.name(), perhapsWritten.toString());
            restFor(WRITE_FAILURE_REST);
        }
    }

    private Optional<Duration> again(Watcher watcher) {
        return kind == null ? Optional.empty() : kind.retry(watcher.progress().failures() + 1);
    }

    /** Keeps a turn without news in memory, to be written later together with those of other watchers. */
    private Progress succeeded(Watcher watcher, TurnResult next) {
        Instant now = time.instant();
        restFor(next.rest());
        Progress before = watcher.progress();
        // A turn with trouble is not counted further, because each count would be news.
        int failures = next.trouble() ? 1 : 0;
        Progress after = new Progress(next.state(), now, now.plus(next.rest()), next.result(), failures, false);
        boolean news = before.ranAt() == null || before.failures() != failures || !before.hasSameReportAs(after);
        keep(news ? null : after);
        return news ? after : before;
    }

    private synchronized void keep(@Nullable Progress withoutNews) {
        unwritten = withoutNews;
    }

    /**
     * Returns the row to be written, under the ETag of the stored row, if turns without news have not been written yet.
     */
    synchronized Optional<Versioned<Watcher>> unwritten() {
        Progress after = unwritten;
        return after == null || underWay || released || deleting
                ? Optional.empty()
                : Optional.of(new Versioned<>(row.value().with(after), row.etag()));
    }

    /** Called after the row from {@link #unwritten} was written. A turn since then may have left more to write. */
    synchronized void written(Versioned<Watcher> before, String etag) {
        if (row.etag().equals(before.etag())) {
            row = new Versioned<>(before.value(), etag);
            if (before.value().progress().equals(unwritten)) {
                unwritten = null;
            }
        }
    }

    private Progress failed(Watcher watcher, Reason why, Optional<Duration> again) {
        int failures = watcher.progress().failures() + 1;
        Duration rest = again.orElse(null);
        Instant now = time.instant();
        restFor(rest == null ? FAILED_REST : rest);
        keep(null);
        Instant due = rest == null ? null : now.plus(rest);
        return new Progress(watcher.progress().state(), now, due, why, failures, rest == null);
    }

    private synchronized void restFor(Duration rest) {
        Duration at = time.elapsed().plus(rest);
        Duration called = wakeElapsed;
        dueElapsed = called == null ? at : Durations.min(at, called);
    }

    /**
     * Writes the progress under the ETag that this process knows. If another process changed the row, its change is
     * adopted, unless it takes the watcher away.
     *
     * @param asRead the watcher as the turn read it; if it has other settings by now, its next turn is due
     */
    private void write(Watcher asRead, Progress progress) {
        String service = row.value().serviceId();
        boolean written = settle(ConditionalWrites.retry("watcher " + name(), () -> {
            Versioned<Watcher> read = row;
            Watcher after =
                    read.value().with(read.value().sameSettingsAs(asRead) ? progress : progress.dueAt(time.instant()));
            Saved<Watcher> saved = store.replace(progress.failed() ? after.on("", time.instant()) : after, read.etag());
            if (saved instanceof Saved.Conflict<Watcher> conflict
                    && conflict.current().value().heldBy(service)) {
                adopt(conflict.current());
                return Optional.empty();
            }
            return Optional.of(saved);
        }));
        if (written && progress.failed()) {
            host.onFailed();
        }
    }

    private synchronized boolean settle(Saved<Watcher> saved) {
        saved.done().ifPresentOrElse(now -> row = now, () -> released = true);
        released |= row.value().progress().failed();
        if (row.value().status() == WatcherStatus.ON_DELETING) {
            deleting = true;
        }
        return saved.done().isPresent();
    }
}
