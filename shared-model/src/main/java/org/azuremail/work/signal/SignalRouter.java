package org.azuremail.work.signal;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.azuremail.app.Daemons;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the other processes that a signal is for, and sends it to them. A signal about work goes to one random process
 * that handles it. A signal to run a service goes to the process that runs it. Other signals go to all processes. An
 * instance that does not answer comes last for a minute.
 *
 * <p>The caller never waits: a signal waits for one of two threads, and an equal signal is not added meanwhile. A
 * signal that reaches no process is lost, which only delays the work.
 */
public final class SignalRouter {

    private static final Logger LOG = LoggerFactory.getLogger(SignalRouter.class);
    private static final Duration PASSED_OVER = Duration.ofMinutes(1);
    private static final int THREADS = 2;

    /** The most processes to which a signal about work is sent until one takes it. */
    private static final int ATTEMPTS = 4;

    private final Instances instances;
    private final SignalSender sender;
    private final Executor executor;
    private final Random random;
    private final Time time;
    private final MeterRegistry registry;
    private final Set<Signal> waiting = ConcurrentHashMap.newKeySet();
    private final Map<String, Duration> silentSince = new ConcurrentHashMap<>();
    private final Map<String, String> lastTaker = new ConcurrentHashMap<>();

    public SignalRouter(
            Instances instances,
            SignalSender sender,
            Executor executor,
            Random random,
            Time time,
            MeterRegistry registry) {
        this.instances = instances;
        this.sender = sender;
        this.executor = executor;
        this.random = random;
        this.time = time;
        this.registry = registry;
    }

    /** Returns an executor whose threads end when there is nothing to send, and do not keep the process alive. */
    public static Executor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named("signals out"));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Sends a signal soon, from another thread. */
    public void send(Signal signal) {
        if (waiting.add(signal)) {
            executor.execute(() -> {
                waiting.remove(signal);
                deliver(signal);
            });
        }
    }

    /** Sends a greeting back soon, from another thread, so that the listener there knows that signals reach it. */
    public void greetBack(String instance, String address) {
        instances
                .self()
                .ifPresent(
                        self -> executor.execute(() -> sender.send(instance, address, Signal.greetingBack(self.id()))));
    }

    private void deliver(Signal signal) {
        try {
            List<Instance> others = inOrder(signal, others(signal));
            boolean reached =
                    switch (signal.kind()) {
                        case WORK -> toOne(signal, others);
                        case RUN -> toRunner(signal, others);
                        case MESSAGES_ACTIVE, SWITCHES, INSTANCES, GREETING, GREETING_BACK -> toAll(signal, others);
                    };
            count(signal, reached);
            if (others.isEmpty() && signal.kind() == Signal.Kind.WORK) {
                send(Signal.run(Signals.ATTENTION));
            }
        } catch (RuntimeException e) {
            count(signal, false);
            LOG.debug("nobody is told of {}: {}", signal, e.toString());
        }
    }

    private List<Instance> others(Signal signal) {
        String self = instances.self().map(Instance::id).orElse("");
        List<Instance> live = instances.live();
        silentSince.keySet().retainAll(live.stream().map(Instance::id).toList());
        return live.stream()
                .filter(instance -> !instance.id().equals(self))
                .filter(instance -> !instance.signalAddress().isEmpty())
                .filter(instance -> concerns(signal, instance))
                .toList();
    }

    private static boolean concerns(Signal signal, Instance instance) {
        return switch (signal.kind()) {
            case WORK -> instance.queues().contains(signal.name());
            case RUN -> instance.services().contains(signal.name());
            case MESSAGES_ACTIVE -> !instance.queues().isEmpty();
            case SWITCHES, INSTANCES, GREETING, GREETING_BACK -> true;
        };
    }

    /**
     * Returns the instance that took such a signal last, then the others at random, and those that were silent lately
     * at the end.
     */
    private List<Instance> inOrder(Signal signal, List<Instance> others) {
        List<Instance> order = new ArrayList<>(others);
        Collections.shuffle(order, random);
        String taker = lastTaker.getOrDefault(signal.name(), "");
        order.sort(Comparator.comparing((Instance other) -> wasRecentlySilent(other))
                .thenComparing(
                        other -> signal.kind() != Signal.Kind.RUN || !other.id().equals(taker)));
        return order;
    }

    private boolean wasRecentlySilent(Instance other) {
        Duration since = silentSince.get(other.id());
        return since != null && time.elapsed().minus(since).compareTo(PASSED_OVER) < 0;
    }

    private boolean toOne(Signal signal, List<Instance> others) {
        return others.stream().limit(ATTEMPTS).anyMatch(other -> {
            Signal.Answer answer = post(other, signal);
            return answer == Signal.Answer.TAKEN || answer == Signal.Answer.HEARD;
        });
    }

    private boolean toRunner(Signal signal, List<Instance> others) {
        boolean heard = false;
        for (Instance other : others) {
            Signal.Answer answer = post(other, signal);
            if (answer == Signal.Answer.TAKEN) {
                lastTaker.put(signal.name(), other.id());
                return true;
            }
            heard |= answer == Signal.Answer.HEARD;
        }
        return heard;
    }

    private boolean toAll(Signal signal, List<Instance> others) {
        return others.stream()
                        .filter(other -> post(other, signal) != Signal.Answer.SILENT)
                        .count()
                > 0;
    }

    private Signal.Answer post(Instance other, Signal signal) {
        Signal.Answer answer = sender.send(other.id(), other.signalAddress(), signal);
        if (answer == Signal.Answer.SILENT) {
            silentSince.put(other.id(), time.elapsed());
        } else {
            silentSince.remove(other.id());
        }
        return answer;
    }

    private void count(Signal signal, boolean reached) {
        String kind = signal.kind().name().toLowerCase(Locale.ROOT);
        registry.counter("azuremail.work.signals", "kind", kind, "reached", Boolean.toString(reached))
                .increment();
    }
}
