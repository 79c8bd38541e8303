package org.azuremail.work;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.pace.SafetyPoll;
import org.azuremail.work.run.Loop;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.SignalServer;
import org.azuremail.work.signal.Signals;
import org.azuremail.work.signal.WakeUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this process known to the others from its start to its end, and receives their signals. It also reads the
 * switches again when a signal says that they changed, and rarely without a signal. A process without a role is not
 * announced.
 */
final class InstanceLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceLifecycle.class);
    private static final int BEATS_PER_REAPING = 12;
    private static final int BEATS_PER_REFRESH = 12;
    private static final Duration LAST_BEAT = Duration.ofSeconds(1);

    /**
     * The interval at which a process that needs others reads the list of processes while it knows of none. Without
     * others it is of no use, and the first of them may be unable to signal that it has started.
     */
    private static final Duration DISCOVERY_INTERVAL = Duration.ofSeconds(10);

    private final Instances instances;
    private final Function<String, Registration> registration;
    private final SignalServer server;
    private final Consumer<Signal> remoteSignals;
    private final SignalCheck signalCheck;
    private final WorkerContext context;
    private final Time time;
    private final Loop loop;
    private Duration nextElapsed = Duration.ZERO;
    private Duration checkedElapsed = Duration.ZERO;
    private int beats;
    private boolean refresh;
    private boolean lookUp;

    /**
     * @param birth returns the description of this process, given the address at which it listens to signals
     * @param switchesChanged wakes this loop
     */
    InstanceLifecycle(
            Instances instances,
            Function<String, Registration> birth,
            SignalServer server,
            Consumer<Signal> elsewhere,
            WakeUp switchesChanged,
            SignalCheck signalCheck,
            WorkerContext context) {
        this.instances = instances;
        this.registration = birth;
        this.server = server;
        this.remoteSignals = elsewhere;
        this.signalCheck = signalCheck;
        this.context = context;
        this.time = context.runtime().time();
        this.loop = context.runtime().loop("heartbeat", this::beat, switchesChanged);
    }

    /** Begins to be present. Others see this process after the first turn of the {@link #loop()}. */
    void begin() {
        Registration born = registration.apply("");
        if (!born.roles().isEmpty()) {
            nextElapsed = time.elapsed();
            instances.register(context.onlyProcess() ? born : registration.apply(server.start()));
        }
    }

    Loop loop() {
        return loop;
    }

    /**
     * Stops listening to signals, so that others signal another process instead. Only this process knows when it would
     * have checked again for problems to email to admins, so it asks another process to check immediately.
     */
    void stopListening() {
        server.stop();
        boolean checksHere =
                instances.self().stream().anyMatch(self -> self.services().contains(Signals.ATTENTION));
        if (checksHere && !context.onlyProcess()) {
            remoteSignals.accept(Signal.run(Signals.ATTENTION));
        }
    }

    /** Ends the presence. If the storage is out of reach, others notice later that this process has ended. */
    void end() {
        try {
            loop.stop();
            loop.join(LAST_BEAT);
            instances.deregister();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.info("this process ends without a word: {}", e.toString());
        }
    }

    private Duration beat(boolean woken) {
        if (instances.self().isEmpty()) {
            return SafetyPoll.NEVER;
        }
        refresh |= woken;
        if (time.elapsed().compareTo(nextElapsed) >= 0) {
            beatNow();
        } else if (!context.onlyProcess() && instances.hasUrgentChange()) {
            instances.heartbeat();
        }
        if (refresh) {
            context.switches().refresh();
            refresh = false;
        }
        Duration rest = Durations.max(nextElapsed.minus(time.elapsed()), Duration.ZERO);
        if (context.onlyProcess()) {
            return rest;
        }
        boolean looks = lookUp || shouldLookForOthers();
        lookUp = false;
        if (looks) {
            checkedElapsed = time.elapsed();
            // A signal that was sent while this process started may have read the list before the others were in it.
            instances.markStale();
        }
        boolean wasDeaf = signalCheck.deaf();
        Duration untilGreeting = signalCheck.runOnce(looks);
        if (signalCheck.deaf() != wasDeaf) {
            instances.heartbeat();
            runSoon(Signals.ATTENTION);
        }
        Duration next = Durations.min(untilGreeting, rest);
        return instances.hasUrgentFacts() ? Durations.min(Instances.URGENT, next) : next;
    }

    private boolean shouldLookForOthers() {
        return !signalCheck.hasOthers()
                && !instances.self().orElseThrow().hasEveryRole()
                && time.elapsed().minus(checkedElapsed).compareTo(DISCOVERY_INTERVAL) >= 0;
    }

    private void beatNow() {
        instances.heartbeat();
        nextElapsed = time.elapsed().plus(context.onlyProcess() ? SafetyPoll.NEVER : Instances.HEARTBEAT);
        if (beats == 0) {
            announce();
        }
        boolean rarely = beats > 0 && beats % BEATS_PER_REFRESH == 0;
        refresh |= rarely || signalCheck.deaf();
        lookUp |= !signalCheck.hasOthers() || signalCheck.deaf();
        if (beats++ % BEATS_PER_REAPING == 0) {
            instances.reapDead().forEach(this::reportLost);
            if (instances.anyDeaf()) {
                runSoon(Signals.ATTENTION);
            }
        }
    }

    private void runSoon(String service) {
        if (context.signals().wakeService(service) != Signal.Answer.TAKEN && !context.onlyProcess()) {
            remoteSignals.accept(Signal.run(service));
        }
    }

    private void reportLost(Instance lost) {
        Signals.RUN_AFTER_DEATH.forEach(this::runSoon);
        if (instances.isDead(lost.id())) {
            LOG.warn(
                    "A process ended without being stopped (killed, or a crash): {} {}, started at {}. Others go on with its work.",
                    lost.name(),
                    lost.roles(),
                    lost.startedAt());
        } else {
            LOG.warn(
                    "A process was last heard of at {}: {} {}. Others go on with its work.",
                    lost.heartbeatAt(),
                    lost.name(),
                    lost.roles());
        }
    }

    private void announce() {
        if (!context.onlyProcess()) {
            remoteSignals.accept(Signal.of(Signal.Kind.INSTANCES));
            return;
        }
        String self = instances.self().map(Instance::id).orElse("");
        List<Instance> others = instances.live().stream()
                .filter(other -> !other.id().equals(self))
                .toList();
        if (!others.isEmpty()) {
            LOG.warn(
                    "azuremail.work.safety-poll=never makes a process with all roles the only one, but there seem to be {}"
                            + " others; stop them, or this process: {}",
                    others.size(),
                    others.stream().map(Instance::name).distinct().toList());
        }
    }
}
