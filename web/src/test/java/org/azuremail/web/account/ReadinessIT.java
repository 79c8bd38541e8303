package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.web.WebApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Checks that a load balancer sends no request to a process whose first start is not stored yet. */
class ReadinessIT {

    private static final List<Integer> EARLY = new ArrayList<>();

    /**
     * Asks twice while the port is open: before the first start has stored the key, and before it has stored the
     * account.
     */
    @TestConfiguration(proxyBeanMethods = false)
    static class Asking {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ApplicationRunner beforeTheKeyIsStored(Environment environment) {
            return arguments -> ask(environment);
        }

        @EventListener(ApplicationReadyEvent.class)
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void beforeTheAccountIsStored(ApplicationReadyEvent ready) {
            ask(ready.getApplicationContext().getEnvironment());
        }

        private static void ask(Environment environment) {
            EARLY.add(status(environment, "/actuator/health"));
            EARLY.add(status(environment, "/actuator/health/readiness"));
        }
    }

    private static int status(Environment environment, String path) {
        URI uri = URI.create("http://localhost:" + environment.getProperty("local.server.port") + path);
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void healthAnswersUpOnlyOnceTheFirstStartIsStored(@TempDir Path data) {
        SpringApplicationBuilder service = new SpringApplicationBuilder(WebApplication.class, Asking.class)
                .properties(
                        "server.port=0",
                        "azuremail.data-dir=" + data,
                        "azuremail.password.strength=4",
                        "azuremail.bootstrap.admin-email=ann@example.org",
                        "azuremail.bootstrap.admin-password=nine quiet herons",
                        "azuremail.bootstrap.api-key=a-key-of-the-first-start-0123456789");
        try (ConfigurableApplicationContext running = service.run()) {
            assertThat(EARLY).containsExactly(503, 503, 503, 503);
            assertThat(status(running.getEnvironment(), "/actuator/health")).isEqualTo(200);
            assertThat(status(running.getEnvironment(), "/actuator/health/readiness"))
                    .isEqualTo(200);
            assertThat(running.getBean(Accounts.class).isEmpty()).isFalse();
        }
    }
}
