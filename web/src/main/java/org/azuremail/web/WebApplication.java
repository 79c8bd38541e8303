package org.azuremail.web;

import org.azuremail.app.CoreConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The web role; by default it also runs the scheduler and the sender in the same process. */
@SpringBootApplication
@Import(CoreConfiguration.class)
public class WebApplication {

    public static void main(String[] args) {
        SpringApplication.run(WebApplication.class, args);
    }
}
