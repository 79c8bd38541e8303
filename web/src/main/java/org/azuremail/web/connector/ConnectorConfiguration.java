package org.azuremail.web.connector;

import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures Tomcat so that an idle service wakes up rarely, and that it serves the root of its host. */
@Configuration(proxyBeanMethods = false)
class ConnectorConfiguration {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> lowWakeupProtocol(Time time) {
        return factory -> {
            refusePath(factory.getContextPath());
            factory.setProtocol(LowWakeupProtocol.class.getName());
            factory.addConnectorCustomizers(connector -> {
                // Lets the service's own pages refuse an encoded slash like other malformed addresses.
                connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
                if (connector.getProtocolHandler() instanceof LowWakeupProtocol lowWakeup) {
                    lowWakeup.setTime(time);
                }
            });
        };
    }

    /** Pages, forms and links in emails begin at the root of the host. */
    private static void refusePath(String path) {
        if (!path.isEmpty()) {
            throw new InvalidConfigurationPropertyValueException(
                    "server.servlet.context-path",
                    path,
                    "The pages and buttons of the service work at no path. Give it a host name of its own.");
        }
    }
}
