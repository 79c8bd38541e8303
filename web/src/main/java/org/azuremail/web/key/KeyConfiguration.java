package org.azuremail.web.key;

import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.web.account.BootstrapProperties;
import org.azuremail.web.account.Secret;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** API keys, and the first one of an unattended set-up. */
@Configuration(proxyBeanMethods = false)
public class KeyConfiguration {

    @Bean
    ApiKeys apiKeys(Storage storage, IdSource ids, Time time) {
        return new ApiKeys(storage.tables(), ids, time);
    }

    @Bean
    ApplicationRunner firstApiKey(ApiKeys keys, BootstrapProperties bootstrap) {
        return arguments -> {
            if (bootstrap.apiKey() != null) {
                keys.makeFirst(new Secret(bootstrap.apiKey().strip()));
            }
        };
    }
}
