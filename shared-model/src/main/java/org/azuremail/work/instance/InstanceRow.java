package org.azuremail.work.instance;

import java.util.Map;
import java.util.Set;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

final class InstanceRow {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceRow.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, String>> FACTS = new TypeReference<>() {};

    private InstanceRow() {}

    static Values valuesOf(Instance instance) {
        return Values.builder()
                .put("Name", instance.name())
                .put("Roles", String.join(",", instance.roles()))
                .put("Queues", String.join(",", instance.queues()))
                .put("Services", String.join(",", instance.services()))
                .put("StartedAt", instance.startedAt())
                .put("HeartbeatAt", instance.heartbeatAt())
                .put("SignalAddress", instance.signalAddress())
                .put("Facts", json(instance.facts()))
                .build();
    }

    static Instance instanceOf(Row row) {
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
