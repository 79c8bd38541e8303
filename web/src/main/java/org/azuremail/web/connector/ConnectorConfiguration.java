package org.azuremail.web.connector;

import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.RelativeRedirectFilter;

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

    /**
     * Where a redirect leads is a path of ours, whatever the caller called the host. Tomcat's own setting would not
     * apply to HTTP/1.0, which nginx uses by default, and would send people from https to http.
     */
    @Bean
    FilterRegistrationBean<RelativeRedirectFilter> relativeRedirects() {
        RelativeRedirectFilter filter = new RelativeRedirectFilter();
        filter.setRedirectStatus(HttpStatus.FOUND);
        var registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
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
