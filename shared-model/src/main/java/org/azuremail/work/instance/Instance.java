package org.azuremail.work.instance;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.azuremail.app.Role;

/**
 * One process, from its start to its end.
 *
 * @param id names it; a process that starts again is another instance
 * @param name the host, for people
 * @param roles what it does, in lower case
 * @param queues the queues whose items it handles
 * @param services the scheduled services that it may run
 * @param startedAt when it started, by its own clock
 * @param heartbeatAt when it last said that it lives, by its own clock
 * @param signalAddress where it listens to signals, {@code host:port}; empty where it does not
 * @param facts what its parts said of themselves then
 */
public record Instance(
        String id,
        String name,
        Set<String> roles,
        Set<String> queues,
        Set<String> services,
        Instant startedAt,
        Instant heartbeatAt,
        String signalAddress,
        Map<String, String> facts) {

    /** The fact that signals of others do not reach the process. */
    public static final String DEAF = "signals.deaf";

    public Instance {
        roles = new TreeSet<>(roles);
        queues = new TreeSet<>(queues);
        services = new TreeSet<>(services);
        facts = Map.copyOf(facts);
    }

    /** Returns whether it said so not long ago. */
    public boolean aliveAt(Instant now) {
        return heartbeatAt.plus(Instances.LIVE).isAfter(now);
    }

    /** Returns whether it said that signals of others do not reach it, so that it looks for work by itself. */
    public boolean deaf() {
        return facts.containsKey(DEAF);
    }

    /** Returns whether the process could do all the work without others. */
    public boolean hasEveryRole() {
        return roles.size() == Role.values().length;
    }

    Instance beating(Instant now, Map<String, String> newFacts) {
        return new Instance(id, name, roles, queues, services, startedAt, now, signalAddress, newFacts);
    }
}
