package org.azuremail.scheduler;

import java.util.Map;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.app.OutOfMemoryHandler;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** Runs worker A alone: the scheduler role and no other. */
@SpringBootApplication
@Import(CoreConfiguration.class)
class SchedulerApplication {

    public static void main(String[] args) {
        OutOfMemoryHandler.install();
        SpringApplication application = new SpringApplication(SchedulerApplication.class);
        application.setDefaultProperties(Map.of("azuremail.roles", "scheduler", "spring.main.keep-alive", "true"));
        application.run(args);
    }
}
