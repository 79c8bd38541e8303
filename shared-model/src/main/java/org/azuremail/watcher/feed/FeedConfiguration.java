package org.azuremail.watcher.feed;

import java.net.InetAddress;
import org.azuremail.message.Messages;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Feed watchers; every process checks their settings, and those with the scheduler's role take their turns. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FeedConfiguration.FeedProperties.class)
class FeedConfiguration {

    @Bean(destroyMethod = "close")
    FeedFetch feedFetch(FeedProperties settings, Time time) {
        return new FeedFetch(new PublicAddresses(InetAddress::getAllByName, settings.allowPrivate()), time);
    }

    @Bean
    FeedKind feedKind(FeedFetch fetch, Storage storage, Messages messages, Time time) {
        return new FeedKind(fetch, new FeedEntries(storage), messages, time);
    }

    /**
     * The addresses that watchers may connect to.
     *
     * @param allowPrivate whether also to addresses that are not on the public internet, such as a feed inside the own network
     */
    @ConfigurationProperties("azuremail.watchers")
    record FeedProperties(@DefaultValue("false") boolean allowPrivate) {}
}
