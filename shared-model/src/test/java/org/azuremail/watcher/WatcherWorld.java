package org.azuremail.watcher;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.reason.Reason;
import org.azuremail.sending.SecretBox;
import org.azuremail.sending.SecretProperties;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.EachCall;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.pace.SafetyPoll;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.DrivenLoops;
import org.azuremail.work.run.Loop;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.schedule.ServiceRunner;
import org.azuremail.work.service.Tuning;
import org.azuremail.work.signal.Signals;
import org.azuremail.work.signal.WakeUp;

/** Processes that manage and run watchers, on one simulated storage and one clock. Their loops are driven by hand. */
final class WatcherWorld {

    /** A turn of a watcher, with its process and time. */
    record Turn(String process, String watcher, Instant at) {}

    static final Duration REST = Duration.ofSeconds(10);
    static final int AT_ONCE = 100;

    /** The length of watchers' leases in processes that start from now on. */
    Duration lease = Leases.IDLE;

    private static final SecretBox SECRETS = new SecretBox(
            new SecretProperties(Base64.getEncoder().encodeToString(new byte[32]), List.of()), null, new SeededIds(1));

    final ManualTime time = new ManualTime();
    final SimulatedStorage storage = new SimulatedStorage(time);
    final List<Turn> turns = new ArrayList<>();
    final Set<String> failing = new HashSet<>();

    /** The services that were called by a signal. */
    final Set<String> called = new HashSet<>();

    final Map<String, Process> processes = new LinkedHashMap<>();
    final Map<String, WatcherKind.TurnContext> heres = new HashMap<>();

    /** The work to do during the next turn of a watcher, by the name of the watcher. */
    final Map<String, Runnable> during = new HashMap<>();

    private final Set<String> left = new HashSet<>();
    private final DrivenLoops loops = new DrivenLoops(time);
    private final Map<String, Instant> ended = new HashMap<>();
    private long births;

    /** A process with the scheduler's role. */
    final class Process implements Signals {
        final String name;
        final Faults faults;
        final Watchers watchers;
        final WatcherHost host;
        final Instances instances;
        final List<Loop> its = new ArrayList<>();
        final Map<String, WakeUp> wakeUps = new HashMap<>();
        final Deque<Runnable> heldBack = new ArrayDeque<>();
        boolean holdsTurnsBack;
        boolean outOfReach;

        /** Whether the process receives no signals. */
        boolean deaf;

        /** Runs between the reading of the watchers and of the processes. */
        Runnable onceWatchersAreRead = () -> {};

        /** Runs when the process has read the processes. */
        Runnable onceProcessesAreRead = () -> {};

        private Instant watchersRead = Instant.MIN;

        final ServiceRunner manager;

        private Process(String name, int capacity, Faults faults) {
            this.name = name;
            this.faults = faults;
            SeededIds ids = new SeededIds(++births);
            EachCall network = (method, arguments, call) -> {
                if (method.getName().equals("query")) {
                    beforeReading((String) arguments[0]);
                }
                Object answer = reach(call);
                if (method.getName().equals("query") && arguments[0].equals(WatcherStore.SERVICE)) {
                    onceProcessesAreRead.run();
                }
                return answer;
            };
            Storage reached = network.of(faults.around(storage.storage()));
            instances = new Instances(reached, time, ids::token, Stream::empty);
            instances.register(new Registration(name, Set.of("scheduler"), Set.of(), Set.of(), ""));
            WatcherStore store = new WatcherStore(reached);
            WatcherKind kind = new Recording(name);
            Leases leases = InlineWork.leases(reached, time, ids, Duration.ofSeconds(60));
            WorkQueues queues = InlineWork.queues(reached);
            Executor executor = turn -> {
                if (holdsTurnsBack) {
                    heldBack.add(turn);
                } else {
                    turn.run();
                }
            };
            DeadLetters deadLetters = new DeadLetters(reached, queues);
            WorkRuntime runtime =
                    InlineWork.runtime(reached, deadLetters, leases, time, executor, new StopFlag(), Tuning.NONE);
            WatcherKinds kinds = new WatcherKinds(List.of(kind), SECRETS, time);
            watchers = new Watchers(store, kinds, instances, this, time);
            WatcherProperties settings = new WatcherProperties(capacity, AT_ONCE, name, lease);
            WatcherPlacer management = new WatcherPlacer(store, settings, instances, this, time, leases);
            manager = ServiceRunner.of(management, runtime, false);
            host = new WatcherHost(store, kinds, settings, instances, this, ids, time, leases, runtime);
            loop(runtime, "heartbeat", woken -> {
                instances.heartbeat();
                return Instances.HEARTBEAT;
            });
            loop(runtime, WatcherPlacer.NAME, woken -> woken ? manager.runSoon() : manager.runOnce());
            loop(runtime, WatcherHost.NAME, host::turn);
            host.setWakeUp(() -> wakeUps.get(WatcherHost.NAME).signal());
        }

        private void loop(WorkRuntime runtime, String loopName, Loop.Turn turn) {
            WakeUp wakeUp = wakeUps.computeIfAbsent(loopName, unknown -> new WakeUp());
            Loop loop = new Loop(loopName, woken -> alive(turn, woken), wakeUp, runtime.metrics(), runtime.failures());
            its.add(loop);
            loops.add(loop);
        }

        private Duration alive(Loop.Turn turn, boolean woken) throws Exception {
            try {
                return turn.take(woken);
            } catch (ProcessDied dead) {
                kill(this);
                return SafetyPoll.NEVER;
            }
        }

        private void beforeReading(String table) {
            if (table.equals(WatcherStore.WATCHER)) {
                watchersRead = time.instant();
            } else if (table.equals(WatcherStore.SERVICE) && time.instant().equals(watchersRead)) {
                onceWatchersAreRead.run();
            }
        }

        private Object reach(EachCall.Action call) throws Throwable {
            if (outOfReach) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
            }
            return call.done();
        }

        @Override
        public void workAvailable(String queue) {}

        /** Signals this process first, then the others, up to the one that answers that it runs the service. */
        @Override
        public void runSoon(String scheduledService) {
            called.add(scheduledService);
            Stream.concat(
                            Stream.of(this),
                            processes.values().stream()
                                    .filter(process -> process != this && !process.outOfReach && !process.deaf))
                    .takeWhile(process -> !process.wake(scheduledService))
                    .forEach(told -> {});
        }

        private boolean wake(String scheduledService) {
            boolean runsHere = scheduledService.equals(WatcherPlacer.NAME) && manager.runsHere();
            Optional.ofNullable(wakeUps.get(scheduledService)).ifPresent(WakeUp::signal);
            return runsHere;
        }

        /** Stops the process in an orderly way. */
        void stop() {
            its.forEach(loops::remove);
            manager.release();
            host.end();
            processes.remove(name);
            ended.put(name, time.instant());
        }
    }

    /**
     * Records its turns. Watchers with certain names behave specially: {@code bad…} fails, {@code slow…} rests an hour,
     * {@code odd…} has trouble, and {@code eager…} gets a signal during each turn that the next one is due in five
     * seconds. Watchers that a test selects fail, too.
     */
    private final class Recording implements WatcherKind {

        private final String process;

        private Recording(String process) {
            this.process = process;
        }

        @Override
        public String name() {
            return "recording";
        }

        @Override
        public Map<String, String> faults(Map<String, String> settings) {
            return Map.of();
        }

        @Override
        public Reason test(Watcher watcher) {
            return Reason.NONE;
        }

        @Override
        public void released(String watcher) {
            left.add(watcher);
        }

        @Override
        public TurnResult turn(Watcher watcher, TurnContext context) {
            turns.add(new Turn(process, watcher.name(), time.instant()));
            if (watcher.name().startsWith("bad") || failing.contains(watcher.name())) {
                throw new IllegalStateException("always");
            }
            heres.put(watcher.name(), context);
            Optional.ofNullable(during.remove(watcher.name())).ifPresent(Runnable::run);
            if (watcher.name().startsWith("eager")) {
                context.wakeIn(Duration.ofSeconds(5));
            }
            boolean rests = watcher.name().startsWith("slow") || watcher.name().startsWith("eager");
            return new TurnResult(
                    rests ? Duration.ofHours(1) : REST,
                    watcher.progress().state(),
                    Reason.NONE,
                    watcher.name().startsWith("odd"));
        }
    }

    Set<String> left() {
        return left;
    }

    Process start(String name, int capacity) {
        return start(name, capacity, Faults.none());
    }

    Process start(String name, int capacity, Faults faults) {
        Process process = new Process(name, capacity, faults);
        processes.put(name, process);
        return process;
    }

    /** Kills a process, like SIGKILL. */
    void kill(Process process) {
        process.faults.kill();
        process.its.forEach(loops::remove);
        processes.remove(process.name, process);
        ended.put(process.name, time.instant());
    }

    void run(Duration duration) {
        loops.run(duration);
    }

    /** Returns the watchers of any process, because an admin's command may reach any of them. */
    Watchers watchers() {
        return processes.values().iterator().next().watchers;
    }

    Watcher watcher(String name) {
        return new WatcherStore(storage.storage()).find(name).orElseThrow().value();
    }

    List<WatchService> services() {
        return new WatcherStore(storage.storage())
                .readAll().services().stream().map(read -> read.value()).toList();
    }

    /** Returns the processes that took turns since this time, by watcher. */
    Map<String, Set<String>> takersSince(Instant since) {
        Map<String, Set<String>> takers = new HashMap<>();
        turns.stream().filter(turn -> turn.at().isAfter(since)).forEach(turn -> takers.computeIfAbsent(
                        turn.watcher(), name -> new java.util.TreeSet<>())
                .add(turn.process()));
        return takers;
    }

    /** Returns turns of one watcher by two processes within one rest, which show that it ran twice at the same time. */
    List<Turn> doubled() {
        List<Turn> doubled = new ArrayList<>();
        Map<String, Turn> last = new HashMap<>();
        for (Turn turn : turns) {
            Turn before = last.put(turn.watcher(), turn);
            if (before != null
                    && !before.process().equals(turn.process())
                    && before.at().plus(REST).isAfter(turn.at())
                    && !endedBetween(before, turn)) {
                doubled.add(turn);
            }
        }
        return doubled;
    }

    private boolean endedBetween(Turn before, Turn turn) {
        Instant end = ended.get(before.process());
        return end != null && !end.isBefore(before.at()) && !end.isAfter(turn.at());
    }
}
