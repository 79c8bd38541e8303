package org.azuremail.outbound;

import java.net.InetAddress;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The addresses that feeds are read from and links are checked at, for every role. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OutboundConfiguration.OutboundProperties.class)
class OutboundConfiguration {

    @Bean
    PublicAddresses publicAddresses(OutboundProperties settings) {
        return new PublicAddresses(InetAddress::getAllByName, settings.allowPrivate());
    }

    /**
     * The addresses that watchers and the check of links may connect to.
     *
     * @param allowPrivate whether addresses that are not on the public internet are allowed too, such as a feed
     *     inside the installation's own network
     */
    @ConfigurationProperties("azuremail.watchers")
    record OutboundProperties(@DefaultValue("false") boolean allowPrivate) {}
}
