package org.azuremail.storage.version;

import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Upgrades the storage before any other part of the process uses it, and then watches its format. */
@Configuration(proxyBeanMethods = false)
class VersionConfiguration {

    private static final int TOO_OLD = 1;

    /**
     * Upgrades the storage after its initialization, because a storage that was moved elsewhere is refused before that
     * and must not be upgraded.
     */
    @Bean
    static BeanPostProcessor storeUpgrade() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof Storage storage) {
                    new StoreVersion(storage).upgrade();
                }
                return bean;
            }
        };
    }

    @Bean
    StoreGate storeGate(Storage storage, Time time, ConfigurableApplicationContext application) {
        return new VersionWatch(new StoreVersion(storage), time, () -> endInOrder(application));
    }

    /** Stops the process on a thread of its own, because the stop may wait for the caller's thread. */
    private static void endInOrder(ConfigurableApplicationContext application) {
        new Thread(() -> System.exit(SpringApplication.exit(application, () -> TOO_OLD)), "too old").start();
    }
}
