package org.azuremail.copy;

import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Refuses a storage on which no process may run, before anything uses it. */
@Configuration(proxyBeanMethods = false)
class CopyConfiguration {

    @Bean
    static BeanPostProcessor movedStorageCheck(ObjectProvider<Time> time) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof Storage storage) {
                    new CopyMarks(storage).start(time.getObject());
                }
                return bean;
            }
        };
    }
}
