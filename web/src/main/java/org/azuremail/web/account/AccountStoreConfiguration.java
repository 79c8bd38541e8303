package org.azuremail.web.account;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Configures the accounts for a command, without the rest of the web application. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PasswordProperties.class)
@Import(Accounts.class)
class AccountStoreConfiguration {

    @Bean
    Passwords passwords(PasswordProperties settings) {
        return new Passwords(settings.strength());
    }
}
