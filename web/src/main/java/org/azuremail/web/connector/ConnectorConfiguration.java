package org.azuremail.web.connector;

import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.azuremail.time.Time;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An idle service wakes up rarely. */
@Configuration(proxyBeanMethods = false)
class ConnectorConfiguration {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> restingProtocol(Time time) {
        return factory -> {
            factory.setProtocol(RestingProtocol.class.getName());
            factory.addConnectorCustomizers(connector -> {
                if (connector.getProtocolHandler() instanceof RestingProtocol resting) {
                    resting.setTime(time);
                }
            });
        };
    }

    /** An encoded slash is refused as all other strange addresses are, further on, and not by a page of the container. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlash() {
        return factory -> factory.addConnectorCustomizers(
                connector -> connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
    }
}
