package org.azuremail.web.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** Checks that a service which cannot listen says so in a sentence. */
@ExtendWith(OutputCaptureExtension.class)
class ListenFailureAnalyzerTest {

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(TomcatServletWebServerAutoConfiguration.class)
    static class AWebServer {}

    @Test
    void addressOfAnotherMachineIsExplained(CapturedOutput output) {
        // 192.0.2.0/24 is for documentation: no machine has an address of it.
        assertThatThrownBy(
                () -> SpringApplication.run(AWebServer.class, "--server.address=192.0.2.1", "--server.port=8123"));

        assertThat(output)
                .contains("the service cannot listen on port 8123: Cannot assign requested address", "server.address")
                .doesNotContain("\tat ");
    }
}
