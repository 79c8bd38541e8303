package org.azuremail.work;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.Features;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.SheetService;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Whole processes, each a Spring context with real threads. */
abstract class OnWholeProcesses {

    public static final Duration SOON = Duration.ofSeconds(10);

    final SimulatedStorage storage = new SimulatedStorage(Time.system());
    public final Set<String> done = ConcurrentHashMap.newKeySet();

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AzureMailProperties.class)
    static class Surroundings {}

    /** Typed as Spring sees a service bean. */
    public static final class Sheets implements QueueService<Sheet> {

        private final SheetService.Script script;

        public Sheets(SheetService.Script script) {
            this.script = script;
        }

        @Override
        public ItemType<Sheet> itemType() {
            return Sheet.TYPE;
        }

        @Override
        public WorkResult handle(Sheet sheet, Delivery delivery) throws Exception {
            return script.handle(sheet, delivery);
        }
    }

    ApplicationContextRunner process() {
        return new ApplicationContextRunner()
                .withUserConfiguration(Surroundings.class, WorkConfiguration.class)
                .withUserConfiguration(Features.of("storage.version"))
                .withBean(Storage.class, storage::storage)
                .withBean(Time.class, Time::system)
                .withBean(IdSource.class, IdSource::secure)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }

    ApplicationContextRunner worker(SheetService.Script script) {
        return process().withBean(Sheets.class, () -> new Sheets(script));
    }

    WorkResult finish(Sheet sheet) {
        done.add(sheet.text());
        return WorkResult.DONE;
    }

    static void putSheets(ConfigurableApplicationContext process, int count) {
        WorkQueues queues = process.getBean(WorkQueues.class);
        for (int i = 0; i < count; i++) {
            queues.put(new Sheet("sheet " + i));
        }
    }
}
