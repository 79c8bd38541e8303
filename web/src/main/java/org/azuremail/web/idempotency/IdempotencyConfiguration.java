package org.azuremail.web.idempotency;

import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Holders;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Calls that are made once. */
@Configuration(proxyBeanMethods = false)
class IdempotencyConfiguration {

    @Bean
    IdempotentCalls idempotentCalls(Storage storage, Holders holders, Time time) {
        return new IdempotentCalls(storage.tables(), holders, time);
    }
}
