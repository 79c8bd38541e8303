package org.azuremail.web.account;

import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The accounts alone, without anything of the web: enough for a command. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PasswordProperties.class)
class AccountStoreConfiguration {

    @Bean
    Passwords passwords(PasswordProperties settings) {
        return new Passwords(settings.strength());
    }

    @Bean
    Accounts accounts(Storage storage, Passwords passwords, IdSource ids, Time time) {
        return new Accounts(storage.tables(), passwords, ids, time);
    }
}
