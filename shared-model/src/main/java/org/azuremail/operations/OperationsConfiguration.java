package org.azuremail.operations;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.storage.QueueStore;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans with which every process reports on itself, and those that combine the reports for admins. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OperationsProperties.class)
@Import({ProcessFacts.class, WorkNames.class, ClassQueues.class, Console.class, Monitoring.class, ClassFigures.class})
class OperationsConfiguration {

    @Bean
    Operations operations(
            Instances instances,
            ProcessFacts own,
            DeadLetters deadLetters,
            Switches switches,
            QueueStore queues,
            WorkQueues work,
            ObjectProvider<ItemType<?>> types,
            ClassQueues classQueues,
            OperationsProperties settings,
            Time time) {
        return new Operations(
                instances,
                own,
                deadLetters,
                switches,
                new QueueProbe(queues, work),
                () -> queuesOf(types, classQueues),
                classQueues::former,
                settings,
                time);
    }

    private static Set<String> queuesOf(ObjectProvider<ItemType<?>> types, ClassQueues classQueues) {
        return Stream.concat(types.stream().map(ItemType::queue), classQueues.present().stream())
                .collect(Collectors.toSet());
    }
}
