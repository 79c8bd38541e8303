package org.azuremail.sender;

import java.util.Map;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.app.OutOfMemoryHandler;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** Runs worker B alone: the sender role and no other. */
@SpringBootApplication
@Import(CoreConfiguration.class)
class SenderApplication {

    public static void main(String[] args) {
        OutOfMemoryHandler.install();
        SpringApplication application = new SpringApplication(SenderApplication.class);
        application.setDefaultProperties(Map.of("azuremail.roles", "sender", "spring.main.keep-alive", "true"));
        application.run(args);
    }
}
