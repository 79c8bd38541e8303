package org.azuremail.work;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.app.Role;
import org.azuremail.id.AsciiWord;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.service.LocalService;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;

record Services(
        List<QueueService<?>> queueServices,
        List<ScheduledService> scheduledServices,
        List<LocalService> localServices) {

    /**
     * @throws IllegalStateException if two services have the same queue or name, because they would take each other's
     *     work
     */
    Services {
        Set<String> names = new HashSet<>();
        Stream<String> queues = queueServices.stream().map(QueueService::queue);
        Stream<String> schedules = scheduledServices.stream().map(ScheduledService::name);
        Stream<String> local = localServices.stream().map(LocalService::name);
        Stream.concat(Stream.concat(queues, schedules), local).forEach(name -> {
            if (!names.add(name)) {
                throw new IllegalStateException("two services are called " + name);
            }
        });
    }

    /** Returns the description of this process that the other processes read. */
    Registration registration(String host, Set<Role> roles, String signalAddress) {
        return new Registration(
                host,
                roles.stream().map(role -> role.name().toLowerCase(Locale.ROOT)).collect(Collectors.toSet()),
                queueServices.stream().map(QueueService::queue).collect(Collectors.toSet()),
                Stream.concat(
                                scheduledServices.stream().map(ScheduledService::name),
                                localServices.stream().map(LocalService::name))
                        .collect(Collectors.toSet()),
                signalAddress);
    }

    /**
     * Returns the facts for other processes about how the services run: usual intervals, limits, and which queues share
     * places.
     */
    Map<String, String> facts(WorkProperties settings) {
        Map<String, String> facts = new TreeMap<>();
        scheduledServices.forEach(service -> facts.put(
                WorkFacts.EVERY + service.name(),
                String.valueOf(service.interval().toSeconds())));
        pools(settings).stream()
                .filter(pool -> pool.size() > 1)
                .forEach(pool ->
                        pool.forEach(service -> facts.put(WorkFacts.POOL + service.queue(), settings.poolOf(service))));
        queueServices.stream()
                .map(QueueService::queue)
                .filter(queue -> settings.limitOf(queue) > 0)
                .forEach(queue -> facts.put(WorkFacts.LIMIT + queue, String.valueOf(settings.limitOf(queue))));
        queueServices.stream()
                .filter(service -> settings.mostConcurrencyOf(service) > settings.concurrencyOf(service))
                .forEach(service -> facts.put(
                        WorkFacts.MOST + service.queue(), String.valueOf(settings.mostConcurrencyOf(service))));
        if (!queueServices.isEmpty()) {
            facts.put(WorkFacts.POLLING, AsciiWord.of(settings.polling()));
        }
        return facts;
    }

    List<Worker> workers(WorkerContext context) {
        Stream<Worker> queueWorkers = pools(context.settings()).stream().map(pool -> QueueWorker.of(context, pool));
        Stream<Worker> scheduledWorkers =
                scheduledServices.stream().map(service -> ScheduledWorker.of(context, service));
        Stream<Worker> localWorkers = localServices.stream().map(service -> new LocalWorker(context, service));
        return Stream.concat(Stream.concat(queueWorkers, scheduledWorkers), localWorkers)
                .toList();
    }

    /** Returns the services grouped by the places that they share. Most services do not share theirs. */
    private Collection<List<QueueService<?>>> pools(WorkProperties settings) {
        Map<String, List<QueueService<?>>> pools = new LinkedHashMap<>();
        queueServices.forEach(service -> pools.computeIfAbsent(settings.poolOf(service), name -> new ArrayList<>())
                .add(service));
        return pools.values();
    }
}
