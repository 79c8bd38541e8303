package org.azuremail.work.instance;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.azuremail.app.Role;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * One process, from its start to its end.
 *
 * @param id the id of the instance; a process that starts again is another instance
 * @param name the host's name, for admins to read
 * @param roles the roles of the process, in lower case
 * @param queues the queues whose items it handles
 * @param services the scheduled services that it may run
 * @param startedAt when it started, by its own clock
 * @param heartbeatAt when it wrote its last heartbeat, by its own clock
 * @param signalAddress where it listens to signals, as {@code host:port}; empty if it does not listen
 * @param facts the facts that its parts reported with the last heartbeat
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

    /** The name of the fact that signals of other processes do not reach this process. */
    public static final String DEAF = "signals.deaf";

    private static final Logger LOG = LoggerFactory.getLogger(Instance.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, String>> FACTS = new TypeReference<>() {};

    public Instance {
        roles = new TreeSet<>(roles);
        queues = new TreeSet<>(queues);
        services = new TreeSet<>(services);
        facts = Map.copyOf(facts);
    }

    /** Returns whether the last heartbeat is recent enough for the process to count as alive. */
    public boolean aliveAt(Instant now) {
        return heartbeatAt.plus(Instances.LIVE).isAfter(now);
    }

    /** Returns whether the process reported that signals of others do not reach it, so that it polls for work. */
    public boolean deaf() {
        return facts.containsKey(DEAF);
    }

    /** Returns whether the process can do all work without others. */
    public boolean hasEveryRole() {
        return roles.size() == Role.values().length;
    }

    /** Returns the facts whose names begin with the prefix, sorted by the rest of their names. */
    public Map<String, String> factsBelow(String prefix) {
        Map<String, String> below = new TreeMap<>();
        facts.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                below.put(name.substring(prefix.length()), value);
            }
        });
        return below;
    }

    Instance withHeartbeat(Instant now, Map<String, String> newFacts) {
        return new Instance(id, name, roles, queues, services, startedAt, now, signalAddress, newFacts);
    }

    Values toValues() {
        return Values.builder()
                .put("Name", name)
                .put("Roles", String.join(",", roles))
                .put("Queues", String.join(",", queues))
                .put("Services", String.join(",", services))
                .put("StartedAt", startedAt)
                .put("HeartbeatAt", heartbeatAt)
                .put("SignalAddress", signalAddress)
                .put("Facts", json(facts))
                .build();
    }

    static Instance from(Row row) {
        Values values = row.values();
        return new Instance(
                row.rowKey(),
                values.string("Name", ""),
                setOf(values.string("Roles", "")),
                setOf(values.string("Queues", "")),
                setOf(values.string("Services", "")),
                values.requireInstant("StartedAt"),
                values.requireInstant("HeartbeatAt"),
                values.string("SignalAddress", ""),
                factsOf(row));
    }

    static String json(Map<String, String> facts) {
        return JSON.writeValueAsString(facts);
    }

    /** Returns the facts of a row, or none if they cannot be read, for example because a newer version wrote them. */
    private static Map<String, String> factsOf(Row row) {
        try {
            return JSON.readValue(row.values().string("Facts", "{}"), FACTS);
        } catch (JacksonException e) {
            LOG.info("the facts of instance {} cannot be read: {}", row.rowKey(), e.getOriginalMessage());
            return Map.of();
        }
    }

    private static Set<String> setOf(String joined) {
        return joined.isEmpty() ? Set.of() : Set.of(joined.split(","));
    }
}
