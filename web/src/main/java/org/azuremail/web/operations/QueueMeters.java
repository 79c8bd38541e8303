package org.azuremail.web.operations;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.azuremail.operations.ClassFigures;
import org.azuremail.operations.Monitoring;
import org.azuremail.operations.Overview;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The waiting items of all queues and classes and the live processes, for Prometheus. They are read when Prometheus
 * asks, at the pace of {@link Monitoring}.
 */
@Component
final class QueueMeters implements MultiCollector {

    private static final String PREFIX = "azuremail_";

    private final Monitoring monitoring;
    private final ClassFigures classes;

    QueueMeters(Monitoring monitoring, ClassFigures classes, PrometheusRegistry registry) {
        this.monitoring = monitoring;
        this.classes = classes;
        registry.register(this);
    }

    @Override
    public MetricSnapshots collect() {
        return monitoring.overview().map(this::meters).orElseGet(MetricSnapshots::of);
    }

    private MetricSnapshots meters(Overview overview) {
        Map<Labels, Overview.Queue> queues = new LinkedHashMap<>();
        overview.queues().forEach(queue -> queues.put(Labels.of("queue", queue.name()), queue));
        Map<Labels, ClassFigures.Figures> ofClasses = new LinkedHashMap<>();
        classes.of(overview)
                .forEach(one -> ofClasses.put(Labels.of("class", one.mailClass().name()), one));
        return MetricSnapshots.of(
                gauge("looked_at_timestamp_seconds")
                        .dataPoint(point(Labels.EMPTY, (double) overview.at().getEpochSecond()))
                        .build(),
                of(queues, "queue_waiting", queue -> (double) queue.waiting()),
                of(
                        queues,
                        "queue_oldest_seconds",
                        queue -> queue.waiting() == 0 ? Double.valueOf(0) : seconds(queue.oldest())),
                of(queues, "queue_remaining_seconds", queue -> seconds(queue.remaining())),
                of(queues, "queue_dead_letters", queue -> (double) queue.deadLetters()),
                of(queues, "queue_places", queue -> (double) queue.places()),
                of(queues, "queue_stopped", queue -> queue.stop() == null ? 0.0 : 1.0),
                of(ofClasses, "class_waiting", one -> (double) one.waiting()),
                of(
                        ofClasses,
                        "class_oldest_seconds",
                        one -> one.waiting() == 0 ? Double.valueOf(0) : seconds(one.oldest())),
                of(ofClasses, "class_remaining_seconds", one -> seconds(one.remaining())),
                of(ofClasses, "class_dead_letters", one -> (double) one.deadLetters()),
                of(ofClasses, "class_places", one -> (double) one.places()),
                of(ofClasses, "class_within_target_ratio", ClassFigures.Figures::withinTarget),
                of(ofClasses, "class_suspended", one -> one.stop() == null ? 0.0 : 1.0),
                processes(overview.instances()));
    }

    private static <T> GaugeSnapshot of(Map<Labels, T> all, String name, Function<T, @Nullable Double> value) {
        GaugeSnapshot.Builder gauge = gauge(name);
        all.forEach((labels, one) -> {
            Double known = value.apply(one);
            if (known != null) {
                gauge.dataPoint(point(labels, known));
            }
        });
        return gauge.build();
    }

    private static GaugeSnapshot processes(List<Overview.Process> processes) {
        Map<String, Integer> byState = new TreeMap<>(Map.of("alive", 0, "silent", 0, "ended", 0));
        processes.forEach(
                one -> byState.merge(one.alive() ? "alive" : one.gone() ? "ended" : "silent", 1, Integer::sum));
        GaugeSnapshot.Builder gauge = gauge("processes");
        byState.forEach((state, number) -> gauge.dataPoint(point(Labels.of("state", state), number)));
        return gauge.build();
    }

    /** Returns a gauge without a help text, because the manual describes all gauges. */
    private static GaugeSnapshot.Builder gauge(String name) {
        return GaugeSnapshot.builder().name(PREFIX + name);
    }

    private static GaugeDataPointSnapshot point(Labels labels, double value) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    private static @Nullable Double seconds(@Nullable Duration time) {
        return time == null ? null : time.toMillis() / 1000.0;
    }
}
