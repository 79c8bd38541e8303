package org.azuremail.web.connector;

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
}
