package org.azuremail.web.connector;

import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An idle service wakes up rarely. */
@Configuration(proxyBeanMethods = false)
class ConnectorConfiguration {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> restingProtocol() {
        return factory -> factory.setProtocol(RestingProtocol.class.getName());
    }

    /** An encoded slash is refused as all other strange addresses are, further on, and not by a page of the container. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlash() {
        return factory -> factory.addConnectorCustomizers(
                connector -> connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
    }
}
