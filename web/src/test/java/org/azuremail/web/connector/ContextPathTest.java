package org.azuremail.web.connector;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/** Checks that the service does not start at a path, where no button of its pages would work. */
class ContextPathTest {

    private final TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory();

    @Test
    void serviceStartsAtTheRoot() {
        customize();
    }

    @Test
    void serviceDoesNotStartAtAPath() {
        factory.setContextPath("/lists");

        assertThatThrownBy(this::customize)
                .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                .hasMessageContaining("server.servlet.context-path")
                .hasMessageContaining("/lists");
    }

    private void customize() {
        new ConnectorConfiguration().lowWakeupProtocol(new ManualTime()).customize(factory);
    }
}
