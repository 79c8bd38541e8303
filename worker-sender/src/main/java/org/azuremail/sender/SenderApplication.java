package org.azuremail.sender;

import java.util.Map;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.app.OutOfMemory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** Worker B on its own: the sender role and nothing else. */
@SpringBootApplication
@Import(CoreConfiguration.class)
class SenderApplication {

    public static void main(String[] args) {
        OutOfMemory.endsTheProcess();
        SpringApplication application = new SpringApplication(SenderApplication.class);
        application.setDefaultProperties(Map.of("azuremail.roles", "sender", "spring.main.keep-alive", "true"));
        application.run(args);
    }
}
