package org.azuremail.watcher;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Watchers: every process may command them, and those with the scheduler's role take their turns. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WatcherProperties.class)
@Import({WatcherKinds.class, WatcherStore.class, Watchers.class, WatcherPlacer.class, WatcherHost.class})
class WatcherConfiguration {}
