package org.azuremail.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.SignalSender;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether signals of other processes reach this process (spec A65). At its start, and every five seconds unless
 * configured otherwise, this process sends a greeting to some of the others, and each one that receives it sends a
 * greeting back. Processes that did not receive the last greeting are chosen after all others.
 *
 * <p>A round of greetings fails when a process that received the greeting does not answer, or when no process received
 * it. From the first failed round on, this process polls for work ({@link IdleRest}) until greetings come back. This
 * begins at most ten seconds after signals stop. The process counts as deaf from the second failed round on, or after a
 * minute if no process can be reached, because the others may have ended.
 *
 * <p>Greetings cost no storage call. The list of processes is read when a process starts, and while no other process is
 * known or answers. Safe for use from many threads.
 */
final class SignalCheck implements InstanceFacts {

    /** The wait for the answers to a greeting. It is longer than a signal and its answer take. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(SignalCheck.class);
    private static final int MAX_GREETED = 4;
    private static final Duration OTHERS_START_AGAIN = Duration.ofMinutes(1);

    private final Supplier<Instances> instances;
    private final SignalSender sender;
    private final InProcessSignals localSignals;
    private final Duration every;
    private final Random random;
    private final Time time;
    private final Set<String> replied = ConcurrentHashMap.newKeySet();
    private Set<String> greeted = Set.of();

    /**
     * The processes that did not receive the last greeting. They were probably killed, although their rows claim for
     * minutes that they are alive.
     */
    private final Set<String> mute = new HashSet<>();

    private boolean waiting;
    private boolean anybody;
    private Duration greetedAt = Duration.ZERO;
    private Duration nextElapsed = Duration.ZERO;

    /** The time since which greetings have not come back, or {@code null} while they do. */
    private volatile @Nullable Duration unansweredSince;

    private volatile boolean deaf;

    /** @param instances supplied lazily, because it asks this object for its facts */
    SignalCheck(
            Supplier<Instances> instances,
            SignalSender sender,
            InProcessSignals local,
            Duration every,
            Random random,
            Time time) {
        this.instances = instances;
        this.sender = sender;
        this.localSignals = local;
        this.every = every;
        this.random = random;
        this.time = time;
    }

    /** Returns whether this process has to poll for work because greetings do not come back. */
    boolean mustPoll() {
        return unansweredSince != null;
    }

    /** Returns whether it is certain enough to report it to admins that signals do not reach this process. */
    boolean deaf() {
        return deaf;
    }

    /** Returns whether there were other processes to greet in the last round. */
    boolean hasOthers() {
        return anybody;
    }

    /** Records that a greeting came back from an instance. */
    void recordReply(String instance) {
        replied.add(instance);
    }

    /**
     * Sends greetings, or evaluates the answers to them, when it is time.
     *
     * @param lookUp whether to read the list of processes from the storage
     * @return how long until the next turn
     */
    Duration runOnce(boolean lookUp) {
        Duration now = time.elapsed();
        if (now.compareTo(nextElapsed) >= 0) {
            if (waiting) {
                evaluateReplies();
            } else {
                greet(lookUp);
            }
        }
        return Durations.max(nextElapsed.minus(time.elapsed()), Duration.ZERO);
    }

    private void greet(boolean lookUp) {
        greetedAt = time.elapsed();
        List<Instance> others = others(lookUp);
        Set<String> heard = new HashSet<>();
        replied.clear();
        instances
                .get()
                .self()
                .ifPresent(self -> others.forEach(other -> {
                    if (greet(self, other)) {
                        heard.add(other.id());
                        mute.remove(other.id());
                    } else {
                        mute.add(other.id());
                    }
                }));
        greeted = heard;
        anybody = !others.isEmpty();
        waiting = true;
        nextElapsed = time.elapsed().plus(ANSWER_WITHIN);
    }

    private boolean greet(Instance self, Instance other) {
        Signal greeting = Signal.greeting(self.id(), self.signalAddress());
        return !self.signalAddress().isEmpty()
                && sender.send(other.id(), other.signalAddress(), greeting) == Signal.Answer.HEARD;
    }

    private List<Instance> others(boolean lookUp) {
        Instances all = instances.get();
        String self = all.self().map(Instance::id).orElse("");
        List<Instance> others = new ArrayList<>(lookUp ? all.live() : all.lastSeen());
        others.removeIf(
                other -> other.id().equals(self) || other.signalAddress().isEmpty() || all.isDead(other.id()));
        mute.retainAll(others.stream().map(Instance::id).toList());
        Collections.shuffle(others, random);
        others.sort(Comparator.comparing(other -> mute.contains(other.id())));
        return others.subList(0, Math.min(MAX_GREETED, others.size()));
    }

    private void evaluateReplies() {
        Duration now = time.elapsed();
        Duration since = unansweredSince;
        waiting = false;
        if (!anybody || (!replied.isEmpty() && replied.containsAll(greeted))) {
            unansweredSince = null;
            nextElapsed = greetedAt.plus(every);
            if (deaf) {
                deaf = false;
                LOG.info("Signals of other processes reach this one again.");
            }
        } else if (since == null) {
            unansweredSince = now;
            nextElapsed = now;
            localSignals.wakeAllConsumers();
        } else {
            nextElapsed = greetedAt.plus(every);
            boolean othersMayHaveEnded = greeted.isEmpty() && now.minus(since).compareTo(OTHERS_START_AGAIN) < 0;
            if (!deaf && !othersMayHaveEnded) {
                deaf = true;
                LOG.warn(
                        "Signals of other processes do not reach this one: no greeting comes back. It looks for work by itself"
                                + " every {} seconds. Check azuremail.work.signals.host and .port, the firewall between the hosts,"
                                + " and their clocks.",
                        IdleRest.MAX_REST_WHEN_POLLING.toSeconds());
            }
        }
    }

    @Override
    public Map<String, String> facts() {
        return deaf ? Map.of(Instance.DEAF, "true") : Map.of();
    }
}
