package org.azuremail.work;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.app.Role;
import org.azuremail.work.instance.Instances.Birth;
import org.azuremail.work.run.QueueService;
import org.azuremail.work.run.ScheduledService;

/** All services that this process runs. */
record Services(List<QueueService<?>> queueServices, List<ScheduledService> scheduledServices) {

    /** @throws IllegalStateException when two have the same queue or name: they would take each other's work */
    Services {
        Set<String> names = new HashSet<>();
        Stream<String> queues =
                queueServices.stream().map(service -> service.itemType().queue());
        Stream<String> schedules = scheduledServices.stream().map(ScheduledService::name);
        Stream.concat(queues, schedules).forEach(name -> {
            if (!names.add(name)) {
                throw new IllegalStateException("two services are called " + name);
            }
        });
    }

    static Services of(Stream<QueueService<?>> queueServices, Stream<ScheduledService> scheduledServices) {
        return new Services(queueServices.toList(), scheduledServices.toList());
    }

    /** What the other processes hear of this one. */
    Birth birth(String host, Set<Role> roles, String signalAddress) {
        return new Birth(
                host,
                roles.stream().map(role -> role.name().toLowerCase(Locale.ROOT)).collect(Collectors.toSet()),
                queueServices.stream()
                        .map(service -> service.itemType().queue())
                        .collect(Collectors.toSet()),
                scheduledServices.stream().map(ScheduledService::name).collect(Collectors.toSet()),
                signalAddress);
    }

    List<Worker> workers(Workplace place) {
        Stream<Worker> queueWorkers = pools().stream().map(pool -> QueueWorker.of(place, pool));
        Stream<Worker> scheduledWorkers = scheduledServices.stream().map(service -> ScheduledWorker.of(place, service));
        return Stream.concat(queueWorkers, scheduledWorkers).toList();
    }

    /** Services that share their places; most are alone. */
    private Collection<List<QueueService<?>>> pools() {
        Map<String, List<QueueService<?>>> pools = new LinkedHashMap<>();
        queueServices.forEach(service ->
                pools.computeIfAbsent(service.pool(), name -> new ArrayList<>()).add(service));
        return pools.values();
    }
}
