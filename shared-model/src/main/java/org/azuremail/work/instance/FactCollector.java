package org.azuremail.work.instance;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers the facts of all parts of this process. */
record FactCollector(Supplier<Stream<InstanceFacts>> parts) {

    private static final Logger LOG = LoggerFactory.getLogger(FactCollector.class);

    Map<String, String> gather() {
        Map<String, String> sheet = new LinkedHashMap<>();
        parts.get().forEach(part -> add(sheet, part));
        return sheet;
    }

    /** Returns the {@link InstanceFacts#urgent} texts of all parts together; empty if no part has an urgent fact. */
    String urgent() {
        return parts.get().flatMap(part -> Stream.ofNullable(part.urgent())).collect(Collectors.joining(" "));
    }

    private static void add(Map<String, String> sheet, InstanceFacts part) {
        try {
            Map<String, String> more = new LinkedHashMap<>(sheet);
            more.putAll(part.facts());
            if (Instance.json(more).length() <= Instances.MAX_FACTS) {
                sheet.putAll(more);
            } else {
                LOG.warn("the facts of {} are left out: too long", part);
            }
        } catch (RuntimeException e) {
            LOG.warn("no facts of {} this time: {}", part, e.toString());
        }
    }
}
