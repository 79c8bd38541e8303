package org.azuremail.watcher;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The beans of the watchers. Every process may give them commands, and processes with the scheduler role take their
 * turns.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WatcherProperties.class)
@Import({WatcherKinds.class, WatcherStore.class, Watchers.class, WatcherPlacer.class, WatcherHost.class})
class WatcherConfiguration {}
