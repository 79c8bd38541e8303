package org.azuremail.eventlog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;

/** Takes from the process's own log what is bad enough for the event log. */
final class EventAppender extends AppenderBase<ILoggingEvent> {

    private final EventRecorder recorder;
    private final EventLevel least;

    EventAppender(EventRecorder recorder, EventLevel least) {
        this.recorder = recorder;
        this.least = least;
    }

    @Override
    protected void append(ILoggingEvent said) {
        EventLevel level = levelOf(said.getLevel());
        if (level.compareTo(least) >= 0 && said.getLevel().isGreaterOrEqual(Level.INFO)) {
            String text = said.getFormattedMessage();
            recorder.record(level, said.getLoggerName(), text, detailsOf(said, text));
        }
    }

    private static EventLevel levelOf(Level level) {
        if (level.isGreaterOrEqual(Level.ERROR)) {
            return EventLevel.ERROR;
        }
        return level.isGreaterOrEqual(Level.WARN) ? EventLevel.WARNING : EventLevel.INFO;
    }

    private static String detailsOf(ILoggingEvent said, String text) {
        String stack = said.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(said.getThrowableProxy());
        return text.lines().count() > 1 || !stack.isEmpty() ? text + "\n" + stack : "";
    }
}
