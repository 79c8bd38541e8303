package org.azuremail.web.live;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.app.Daemons;
import org.azuremail.time.Time;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The streams of this process. Without streams it has no threads and polls nothing. A shutdown ends all streams before
 * the server waits for its open requests.
 */
@Component
@EnableConfigurationProperties(LiveProperties.class)
final class LiveStreams implements SmartLifecycle {

    private static final int THREADS = 2;

    private static final int MAX_NAME_LENGTH = 200;

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Map<String, LiveSource> sources;
    private final LiveProperties limits;
    private final Time time;
    private final BiConsumer<Runnable, Duration> scheduler;
    private final Map<String, WatchedState> watches = new HashMap<>();
    private final Set<LiveStream> streams = new LinkedHashSet<>();
    private boolean running;
    private boolean heartbeatScheduled;

    @Autowired
    LiveStreams(ObjectProvider<LiveSource> sources, LiveProperties limits, Time time) {
        this(sources.stream().toList(), limits, time, threads());
    }

    LiveStreams(List<LiveSource> sources, LiveProperties limits, Time time, BiConsumer<Runnable, Duration> later) {
        this.sources = sources.stream().collect(Collectors.toMap(LiveSource::topic, Function.identity()));
        this.limits = limits;
        this.time = time;
        this.scheduler = later;
    }

    /** Returns an executor whose threads end when nothing is watched. */
    private static BiConsumer<Runnable, Duration> threads() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS, Daemons.named("live"));
        executor.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
        return (work, wait) -> executor.schedule(work, wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Sends the changes of some things to a stream, until the stream ends.
     *
     * @param names the watched things, each a topic, a dot and an id; names of unknown topics are ignored
     * @param signedIn whether the session in which the page was opened has not ended
     * @return false when the limit of streams is reached, the process is stopping, or no name is left
     */
    boolean open(List<String> names, SseEmitter emitter, BooleanSupplier signedIn) {
        List<String> known = names.stream().filter(this::known).distinct().toList();
        LiveStream stream = new LiveStream(emitter, known, time.elapsed(), signedIn);
        synchronized (this) {
            if (!running || known.isEmpty() || streams.size() >= limits.maxStreams()) {
                return false;
            }
            streams.add(stream);
            known.forEach(name -> watch(name).add(stream));
            scheduleHeartbeats();
        }
        emitter.onCompletion(() -> close(stream));
        emitter.onError(gone -> close(stream));
        emitter.onTimeout(stream::end);
        stream.sendHeartbeat();
        return true;
    }

    private boolean known(String name) {
        return name.length() <= MAX_NAME_LENGTH && sources.containsKey(topic(name));
    }

    private static String topic(String name) {
        return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    private WatchedState watch(String name) {
        return watches.computeIfAbsent(name, fresh -> {
            LiveSource source = Objects.requireNonNull(sources.get(topic(name)), name);
            WatchedState watch = new WatchedState(name, source, limits, time);
            scheduler.accept(() -> poll(name, watch), Duration.ZERO);
            return watch;
        });
    }

    private void poll(String name, WatchedState watch) {
        if (current(name, watch)) {
            watch.poll().ifPresent(rest -> scheduler.accept(() -> poll(name, watch), rest));
        }
    }

    private synchronized boolean current(String name, WatchedState watch) {
        return watches.get(name) == watch;
    }

    private synchronized void close(LiveStream stream) {
        streams.remove(stream);
        stream.names()
                .forEach(name -> watches.computeIfPresent(name, (same, watch) -> watch.remove(stream) ? null : watch));
    }

    private synchronized void scheduleHeartbeats() {
        if (!heartbeatScheduled && !streams.isEmpty()) {
            heartbeatScheduled = true;
            scheduler.accept(this::sendHeartbeats, limits.beat());
        }
    }

    /** Detects which pages were closed, and ends old streams and those of sessions that ended. */
    private void sendHeartbeats() {
        List<LiveStream> open;
        synchronized (this) {
            heartbeatScheduled = false;
            open = List.copyOf(streams);
        }
        Duration now = time.elapsed();
        for (LiveStream stream : open) {
            if (now.minus(stream.begun()).compareTo(limits.lifetime()) >= 0 || !stream.allowed()) {
                stream.end();
            } else {
                stream.sendHeartbeat();
            }
        }
        scheduleHeartbeats();
    }

    synchronized int open() {
        return streams.size();
    }

    synchronized int watched() {
        return watches.size();
    }

    @Override
    public synchronized void start() {
        running = true;
    }

    @Override
    public void stop() {
        List<LiveStream> open;
        synchronized (this) {
            running = false;
            open = List.copyOf(streams);
        }
        open.forEach(LiveStream::end);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    /** Stops the streams before the server, which would wait for them. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
