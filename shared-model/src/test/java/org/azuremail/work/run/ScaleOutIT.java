package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.storage.Storage;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Starts and stops processes on one embedded storage while items are put on its queue. */
class ScaleOutIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path data;

    /** The number of times that each item was handled. */
    private final Map<String, Integer> done = new ConcurrentHashMap<>();

    /** The processes that handled an item. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    private final List<ConfigurableApplicationContext> running = new ArrayList<>();
    private int put;

    /** The service of one process. */
    private final class Sheets implements QueueService<Sheet> {

        private final String process;

        public Sheets(String process) {
            this.process = process;
        }

        @Override
        public ItemType<Sheet> itemType() {
            return Sheet.TYPE;
        }

        @Override
        public WorkResult handle(Sheet sheet, Delivery delivery) throws InterruptedException {
            busy.add(process);
            assertThat(new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS)).isFalse();
            done.merge(sheet.text(), 1, Integer::sum);
            return WorkResult.DONE;
        }
    }

    private ConfigurableApplicationContext start(
            String roles, ApplicationContextInitializer<ConfigurableApplicationContext> beans) {
        ConfigurableApplicationContext process = new SpringApplicationBuilder(CoreConfiguration.class)
                .web(WebApplicationType.NONE)
                .initializers(beans)
                .run(
                        "--azuremail.data-dir=" + data,
                        "--azuremail.roles=" + roles,
                        "--azuremail.work.max-idle=200ms",
                        "--spring.main.register-shutdown-hook=false",
                        "--spring.main.banner-mode=off");
        running.add(process);
        return process;
    }

    private ConfigurableApplicationContext worker(String name, String roles) {
        return start(roles, context -> ((GenericApplicationContext) context)
                .registerBean("sheets", Sheets.class, () -> new Sheets(name)));
    }

    private ConfigurableApplicationContext web() {
        return start("web", context -> ((GenericApplicationContext) context)
                .registerBean("sheetType", ItemType.class, () -> Sheet.TYPE));
    }

    private void put(ConfigurableApplicationContext process, int count) {
        WorkQueues queues = process.getBean(WorkQueues.class);
        for (int i = 0; i < count; i++) {
            queues.put(new Sheet("sheet " + put++));
        }
    }

    private void awaitDone(int count) {
        await().atMost(SOON).until(() -> done.size() >= count);
    }

    @AfterEach
    void stopAll() {
        running.forEach(ConfigurableApplicationContext::close);
    }

    @Test
    @DisplayName(
            "Q-10, Q17: from one process to a web and two workers and back, under load: nothing lost, nothing twice")
    void q10_q17_fromOneProcessToThreeAndBack() {
        ConfigurableApplicationContext one = worker("all in one", "web,scheduler,sender");
        put(one, 100);
        awaitDone(20);
        assertThat(busy).containsExactly("all in one");

        ConfigurableApplicationContext first = worker("first", "scheduler");
        ConfigurableApplicationContext second = worker("second", "sender");
        await().atMost(SOON).until(() -> {
            put(one, 50);
            return busy.containsAll(Set.of("first", "second"));
        });
        one.close();
        ConfigurableApplicationContext web = web();
        put(web, 200);
        awaitDone(300);

        ConfigurableApplicationContext back = worker("back", "web,scheduler,sender");
        put(web, 200);
        first.close();
        second.close();
        web.close();
        put(back, 50);
        awaitDone(put);

        Storage storage = back.getBean(Storage.class);
        await().atMost(SOON).until(() -> storage.queues().approximateCount("sheets") == 0);
        assertThat(busy).contains("back");
        assertThat(done).hasSize(put);
        assertThat(done.values()).containsOnly(1);
        assertThat(back.getBean(DeadLetters.class).page(10, null).items()).isEmpty();
    }
}
