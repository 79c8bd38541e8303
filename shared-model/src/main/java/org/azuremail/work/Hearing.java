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
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.SignalPost;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the signals of others reach this process (spec A65): it greets some of them, at its start and every five seconds
 * unless set otherwise, and each that hears the greeting sends one back. Those that did not hear the last one come after all
 * others. From the first time that one that heard is not heard, or nobody at all, this process looks for work by itself
 * ({@link IdleRest}) until greetings come back: ten seconds after signals stop at the latest. It is known as deaf from the second
 * time on, or after a minute where nobody can be reached: the others may have ended. Greetings cost no storage call; who is there
 * is looked up when a process comes, and while nobody is known or heard. Safe for use from many threads.
 */
final class Hearing implements InstanceFacts {

    /** More than a letter there and one back take. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Hearing.class);
    private static final int MOST_GREETED = 4;
    private static final Duration OTHERS_START_AGAIN = Duration.ofMinutes(1);

    private final Supplier<Instances> instances;
    private final SignalPost post;
    private final InProcessSignals here;
    private final Duration every;
    private final Random random;
    private final Time time;
    private final Set<String> back = ConcurrentHashMap.newKeySet();
    private Set<String> heardUs = Set.of();

    /** They did not hear the last greeting: probably killed, although their rows say for minutes that they live. */
    private final Set<String> mute = new HashSet<>();

    private boolean waiting;
    private boolean anybody;
    private Duration greetedAt = Duration.ZERO;
    private Duration nextElapsed = Duration.ZERO;

    /** Since when greetings have not come back; {@code null} while they do. */
    private volatile @Nullable Duration inVainSince;

    private volatile boolean deaf;

    /** @param instances asks this for its facts, so that it is only there later */
    Hearing(
            Supplier<Instances> instances,
            SignalPost post,
            InProcessSignals here,
            Duration every,
            Random random,
            Time time) {
        this.instances = instances;
        this.post = post;
        this.here = here;
        this.every = every;
        this.random = random;
        this.time = time;
    }

    /** Returns whether this process has to look for work by itself: greetings do not come back. */
    boolean inVain() {
        return inVainSince != null;
    }

    /** Returns whether it is certain enough that signals do not reach this process to tell people. */
    boolean deaf() {
        return deaf;
    }

    /** Returns whether there was anybody to greet. */
    boolean knowsAnybody() {
        return anybody;
    }

    /** A greeting came back from an instance. */
    void greetedBackBy(String instance) {
        back.add(instance);
    }

    /**
     * Greets, or looks what came of it, when it is time.
     *
     * @param lookUp whether to ask the storage who is there
     * @return how long until the next turn
     */
    Duration turn(boolean lookUp) {
        Duration now = time.elapsed();
        if (now.compareTo(nextElapsed) >= 0) {
            if (waiting) {
                conclude();
            } else {
                greet(lookUp);
            }
        }
        Duration wait = nextElapsed.minus(time.elapsed());
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    private void greet(boolean lookUp) {
        greetedAt = time.elapsed();
        List<Instance> others = others(lookUp);
        Set<String> heard = new HashSet<>();
        back.clear();
        instances
                .get()
                .self()
                .ifPresent(self -> others.forEach(other -> {
                    boolean reached = !self.signalAddress().isEmpty()
                            && post.post(other, Signal.greeting(self.id(), self.signalAddress()))
                                    == Signal.Answer.HEARD;
                    if (reached) {
                        heard.add(other.id());
                        mute.remove(other.id());
                    } else {
                        mute.add(other.id());
                    }
                }));
        heardUs = heard;
        anybody = !others.isEmpty();
        waiting = true;
        nextElapsed = time.elapsed().plus(ANSWER_WITHIN);
    }

    private List<Instance> others(boolean lookUp) {
        String self = instances.get().self().map(Instance::id).orElse("");
        List<Instance> others = new ArrayList<>(
                (lookUp ? instances.get().live() : instances.get().lastSeen())
                        .stream()
                                .filter(other -> !other.id().equals(self))
                                .filter(other -> !other.signalAddress().isEmpty())
                                .filter(other -> !instances.get().gone(other))
                                .toList());
        mute.retainAll(others.stream().map(Instance::id).toList());
        Collections.shuffle(others, random);
        others.sort(Comparator.comparing(other -> mute.contains(other.id())));
        return others.subList(0, Math.min(MOST_GREETED, others.size()));
    }

    private void conclude() {
        Duration now = time.elapsed();
        Duration since = inVainSince;
        waiting = false;
        if (!anybody || (!back.isEmpty() && back.containsAll(heardUs))) {
            inVainSince = null;
            nextElapsed = greetedAt.plus(every);
            if (deaf) {
                deaf = false;
                LOG.info("Signals of other processes reach this one again.");
            }
        } else if (since == null) {
            inVainSince = now;
            nextElapsed = now;
            here.wakeAllConsumers();
        } else {
            nextElapsed = greetedAt.plus(every);
            boolean othersMayHaveEnded = heardUs.isEmpty() && now.minus(since).compareTo(OTHERS_START_AGAIN) < 0;
            if (!deaf && !othersMayHaveEnded) {
                deaf = true;
                LOG.warn(
                        "Signals of other processes do not reach this one: no greeting comes back. It looks for work by itself"
                                + " every {} seconds. Check azuremail.work.signals.host and .port, the firewall between the hosts,"
                                + " and their clocks.",
                        IdleRest.DEAF.toSeconds());
            }
        }
    }

    @Override
    public Map<String, String> facts() {
        return deaf ? Map.of(Instance.DEAF, "true") : Map.of();
    }
}
