package org.azuremail.watcher.feed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The addresses that watchers may connect to.
 *
 * @param allowPrivate whether also to addresses that are not on the public internet, such as a feed inside the own network
 */
@ConfigurationProperties("azuremail.watchers")
record FeedProperties(@DefaultValue("false") boolean allowPrivate) {}
