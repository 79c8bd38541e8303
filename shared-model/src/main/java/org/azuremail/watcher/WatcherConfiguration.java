package org.azuremail.watcher;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.id.IdSource;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.signal.Signals;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Watchers: every process may command them, and those with the scheduler's role take their turns. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WatcherProperties.class)
@Import({WatcherKinds.class, WatcherStore.class, Watchers.class})
class WatcherConfiguration {

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    WatcherPlacer watcherPlacer(
            WatcherStore store,
            WatcherProperties settings,
            Instances instances,
            Signals signals,
            Time time,
            Leases leases) {
        return new WatcherPlacer(store, instances, signals, time, settings.lease(leases), leases.foreignGrace());
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    WatcherHost watcherHost(
            WatcherStore store,
            WatcherKinds kinds,
            WatcherProperties settings,
            Instances instances,
            Signals signals,
            IdSource ids,
            Time time,
            Leases leases,
            WorkRuntime runtime) {
        return new WatcherHost(
                store, kinds, settings, instances, signals, ids, time, settings.lease(leases), runtime.executor());
    }
}
