package org.azuremail.web.api.operations;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.azuremail.operations.Operations;
import org.azuremail.operations.OperationsProperties;
import org.azuremail.operations.Overview;
import org.azuremail.route.Breakers;
import org.azuremail.work.Switches;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The figures of the page Operations. Unknown values are {@code null}. */
@RestController
@RequestMapping("/api/v1/operations")
record OperationsApi(Operations operations, OperationsProperties settings, Breakers breakers) {

    record OverviewBody(
            Instant at,
            List<QueueBody> queues,
            List<ServiceBody> services,
            boolean deadLettersCut,
            List<InstanceBody> instances,
            List<WaitingBody> waitingTransports,
            CallsBody calls,
            CallsBody emptyReceives,
            List<CallsBody> byOperation,
            List<CallsBody> byName,
            BigDecimal pricePerMillion,
            String currency,
            long ownCalls) {}

    record WaitingBody(String name, @Nullable Instant until, String reason, String reasonCode) {}

    record QueueBody(
            String name,
            long waiting,
            @Nullable Long oldestSeconds,
            int deliveries,
            @Nullable Long averageMillis,
            @Nullable Long remainingSeconds,
            long places,
            long finishedLastHour,
            long failedLastHour,
            long retriedLastHour,
            int deadLetters,
            boolean abandoned,
            @Nullable Instant stoppedAt) {}

    record ServiceBody(String name, int instances, @Nullable Instant stoppedAt) {}

    record InstanceBody(
            String id,
            String host,
            Set<String> roles,
            Instant startedAt,
            Instant heartbeatAt,
            boolean alive,
            @Nullable Double busy,
            long callsLastHour) {}

    record CallsBody(
            String store,
            String what,
            long lastHour,
            long sinceStart,
            @Nullable Long month,
            @Nullable BigDecimal monthlyCost) {}

    @GetMapping
    OverviewBody overview() {
        Overview overview = operations.overview();
        return new OverviewBody(
                overview.at(),
                overview.queues().stream().map(OperationsApi::queue).toList(),
                overview.services().stream()
                        .map(service -> new ServiceBody(service.name(), service.instances(), at(service.stop())))
                        .toList(),
                overview.deadLettersCut(),
                overview.instances().stream().map(OperationsApi::instance).toList(),
                breakers.waiting().stream()
                        .map(one -> new WaitingBody(
                                one.transport(),
                                one.state().until(),
                                one.state().reason().words(),
                                one.state().reason().code()))
                        .toList(),
                calls(overview.all()),
                calls(overview.emptyReceives()),
                overview.byOperation().stream().map(OperationsApi::calls).toList(),
                overview.byName().stream().map(OperationsApi::calls).toList(),
                settings.pricePerMillion(),
                settings.currency().getCurrencyCode(),
                overview.ownCalls());
    }

    private static QueueBody queue(Overview.Queue queue) {
        Duration average = queue.average();
        return new QueueBody(
                queue.name(),
                queue.waiting(),
                seconds(queue.oldest()),
                queue.deliveries(),
                average == null ? null : average.toMillis(),
                seconds(queue.remaining()),
                queue.places(),
                queue.finished(),
                queue.failed(),
                queue.retried(),
                queue.deadLetters(),
                queue.abandoned(),
                at(queue.stop()));
    }

    private static InstanceBody instance(Overview.Process process) {
        return new InstanceBody(
                process.id(),
                process.name(),
                process.roles(),
                process.startedAt(),
                process.heartbeatAt(),
                process.alive(),
                process.busy(),
                process.calls());
    }

    private static CallsBody calls(Overview.Calls calls) {
        return new CallsBody(calls.store(), calls.what(), calls.lately(), calls.total(), calls.month(), calls.cost());
    }

    static @Nullable Instant at(Switches.@Nullable Stop stop) {
        return stop == null ? null : stop.at();
    }

    static @Nullable Long seconds(@Nullable Duration time) {
        return time == null ? null : time.toSeconds();
    }
}
