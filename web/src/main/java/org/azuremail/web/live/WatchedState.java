package org.azuremail.web.live;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A state that one or more streams of this process show. It is read once for all of them. */
final class WatchedState {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedState.class);

    /** A source is read again after the time since its last change, divided by this number. */
    private static final int BACKOFF_DIVISOR = 4;

    private final String name;
    private final LiveSource source;
    private final LiveProperties limits;
    private final Time time;
    private final Set<LiveStream> streams = new LinkedHashSet<>();
    private LiveSource.@Nullable State last;
    private Duration changed;

    WatchedState(String name, LiveSource source, LiveProperties limits, Time time) {
        this.name = name;
        this.source = source;
        this.limits = limits;
        this.time = time;
        this.changed = time.elapsed();
    }

    /** Adds a stream and sends it the state at once, if the state is known. */
    synchronized void add(LiveStream stream) {
        streams.add(stream);
        if (last != null) {
            stream.sendState(name, last);
        }
    }

    /** @return whether no stream is left */
    synchronized boolean remove(LiveStream stream) {
        streams.remove(stream);
        return streams.isEmpty();
    }

    /**
     * Reads the state and sends it to the streams if it changed.
     *
     * @return the time until the next poll; empty for never
     */
    Optional<Duration> poll() {
        LiveSource.State seen = read();
        if (seen != null) {
            // Outside the lock: a page that does not read must not keep others from watching.
            update(seen).forEach(stream -> stream.sendState(name, seen));
        }
        return seen != null && seen.over() ? Optional.empty() : Optional.of(pollInterval());
    }

    private synchronized List<LiveStream> update(LiveSource.State seen) {
        if (seen.equals(last)) {
            return List.of();
        }
        last = seen;
        changed = time.elapsed();
        return List.copyOf(streams);
    }

    /** Returns the state, or {@code null} when it cannot be read. The state of a deleted thing never changes again. */
    private LiveSource.@Nullable State read() {
        try {
            return source.findState(name.substring(name.indexOf('.') + 1)).orElse(new LiveSource.State("gone", true));
        } catch (RuntimeException later) {
            LOG.debug("{} could not be looked at", name, later);
            return null;
        }
    }

    private synchronized Duration pollInterval() {
        Duration quiet = time.elapsed().minus(changed).dividedBy(BACKOFF_DIVISOR);
        return quiet.compareTo(limits.fastest()) < 0
                ? limits.fastest()
                : quiet.compareTo(limits.slowest()) > 0 ? limits.slowest() : quiet;
    }
}
