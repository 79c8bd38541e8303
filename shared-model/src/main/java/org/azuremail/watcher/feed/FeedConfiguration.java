package org.azuremail.watcher.feed;

import java.net.InetAddress;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The beans of feed watchers. Every process checks their settings, and processes with the scheduler role take their
 * turns.
 */
@Configuration(proxyBeanMethods = false)
@Import({FeedKind.class, FeedEntries.class})
@EnableConfigurationProperties(FeedConfiguration.FeedProperties.class)
class FeedConfiguration {

    @Bean(destroyMethod = "close")
    FeedFetcher feedFetch(FeedProperties settings, Time time) {
        return new FeedFetcher(new PublicAddresses(InetAddress::getAllByName, settings.allowPrivate()), time);
    }

    /**
     * The addresses that watchers may connect to.
     *
     * @param allowPrivate whether addresses that are not on the public internet are allowed too, such as a feed
     *     inside the installation's own network
     */
    @ConfigurationProperties("azuremail.watchers")
    record FeedProperties(@DefaultValue("false") boolean allowPrivate) {}
}
