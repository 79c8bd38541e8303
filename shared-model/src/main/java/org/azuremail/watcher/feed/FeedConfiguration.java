package org.azuremail.watcher.feed;

import org.azuremail.outbound.PublicAddresses;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The beans of feed watchers. Every process checks their settings, and processes with the scheduler role take their
 * turns.
 */
@Configuration(proxyBeanMethods = false)
@Import({FeedKind.class, FeedEntries.class})
class FeedConfiguration {

    @Bean(destroyMethod = "close")
    FeedFetcher feedFetch(PublicAddresses addresses, Time time) {
        return new FeedFetcher(addresses, time);
    }
}
