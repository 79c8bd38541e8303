package org.azuremail.linkcheck;

import java.net.URI;
import java.time.Duration;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of the check of links. */
@Configuration(proxyBeanMethods = false)
class LinkCheckConfiguration {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Bean(destroyMethod = "close")
    LinkRequests linkRequests(PublicAddresses addresses, AzureMailProperties settings) {
        return new LinkRequests(addresses, TIMEOUT, link -> leadsTo(settings.publicUrl(), link));
    }

    @Bean
    LinkChecks linkChecks(LinkRequests requests, Time time) {
        return new LinkChecks(requests, LinkChecks.MAX_DURATION, time);
    }

    /** Returns whether a link leads to the installation, by http or https. */
    static boolean leadsTo(URI installation, URI link) {
        return installation.getHost().equalsIgnoreCase(link.getHost())
                && port(installation) == port(link)
                && (link.getRawPath() + "/").startsWith(installation.getRawPath() + "/");
    }

    /** Returns the port; -1 for the usual one of either scheme. */
    private static int port(URI address) {
        return address.getPort() == 80 || address.getPort() == 443 ? -1 : address.getPort();
    }
}
