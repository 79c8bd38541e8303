package org.azuremail.eventlog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Writes entries to the {@link EventLog} in the background, so that no caller waits for the storage. While the storage
 * is out of reach, up to {@link #MAX_WAITING} entries wait, and further ones are only counted. A stop waits up to
 * {@link #SHUTDOWN_TIMEOUT} for the entries that are still to be written.
 */
final class EventRecorder implements SmartLifecycle {

    static final int MAX_WAITING = 20_000;
    static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration RETRY_DELAY = Duration.ofSeconds(10);

    private final EventLog log;
    private final String process;
    private final Time time;
    private final BlockingQueue<Event> waiting;
    private final Event poisonPill;
    private final AtomicLong dropped = new AtomicLong();
    private volatile Thread writer = new Thread(this::writeAll, "event log");
    private volatile boolean running;

    EventRecorder(EventLog log, String process, Time time, int maxWaiting) {
        this.waiting = new LinkedBlockingQueue<>(maxWaiting);
        this.log = log;
        this.process = process;
        this.time = time;
        this.poisonPill = new Event(time.instant(), EventLevel.INFO, process, "", "the log ends here", "");
    }

    /** Queues an entry and returns at once. Entries about the writing of entries are ignored. */
    void record(EventLevel level, String source, String title, String details) {
        if (running
                && Thread.currentThread() != writer
                && !waiting.offer(new Event(time.instant(), level, process, source, title, details))) {
            dropped.incrementAndGet();
        }
    }

    /** Starts recording, also after an earlier stop. */
    @Override
    public synchronized void start() {
        running = true;
        writer = new Thread(this::writeAll, "event log");
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public synchronized void stop() {
        running = false;
        waiting.offer(poisonPill);
        try {
            writer.join(SHUTDOWN_TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        writer.interrupt();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns a phase that starts before the workers and stops after them. */
    @Override
    public int getPhase() {
        return 0;
    }

    /** Compares by reference, because the end marker is one particular object. */
    @SuppressWarnings("ReferenceEquality")
    private void writeAll() {
        try {
            for (Event event = waiting.take(); event != poisonPill; event = waiting.take()) {
                write(event);
                recordDropped();
            }
        } catch (InterruptedException lastWordsAreOver) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Event event) throws InterruptedException {
        while (true) {
            try {
                log.write(event);
                return;
            } catch (StorageException e) {
                time.sleep(RETRY_DELAY);
            }
        }
    }

    private void recordDropped() throws InterruptedException {
        long number = waiting.isEmpty() ? dropped.getAndSet(0) : 0;
        if (number > 0) {
            String title = number + " entries were dropped: more came than could be written";
            write(new Event(time.instant(), EventLevel.ERROR, process, EventRecorder.class.getName(), title, ""));
        }
    }

    /** Records the process's own log messages of at least a level, while the application runs. */
    static final class EventAppender extends AppenderBase<ILoggingEvent>
            implements SmartInitializingSingleton, DisposableBean {

        private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

        private final EventRecorder recorder;
        private final EventLevel least;

        EventAppender(EventRecorder recorder, EventLevel least) {
            this.recorder = recorder;
            this.least = least;
        }

        @Override
        public void afterSingletonsInstantiated() {
            setContext(ROOT.getLoggerContext());
            start();
            ROOT.addAppender(this);
        }

        @Override
        public void destroy() {
            ROOT.detachAppender(this);
            stop();
        }

        @Override
        protected void append(ILoggingEvent logged) {
            EventLevel level = levelOf(logged.getLevel());
            if (level.compareTo(least) >= 0 && logged.getLevel().isGreaterOrEqual(Level.INFO)) {
                String text = logged.getFormattedMessage();
                recorder.record(level, logged.getLoggerName(), text, detailsOf(logged, text));
            }
        }

        private static EventLevel levelOf(Level level) {
            return level.isGreaterOrEqual(Level.ERROR)
                    ? EventLevel.ERROR
                    : level.isGreaterOrEqual(Level.WARN) ? EventLevel.WARNING : EventLevel.INFO;
        }

        private static String detailsOf(ILoggingEvent logged, String text) {
            String stack =
                    logged.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(logged.getThrowableProxy());
            return text.lines().count() > 1 || !stack.isEmpty() ? text + "\n" + stack : "";
        }
    }
}
