package org.azuremail.web.key;

import org.azuremail.web.account.BootstrapProperties;
import org.azuremail.web.account.Secret;
import org.azuremail.work.service.ScheduledService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Configures API keys, and creates the first key of an unattended set-up. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KeyProperties.class)
@Import({ApiKeys.class, KeyQuotas.class})
class KeyConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(KeyConfiguration.class);

    @Bean
    ScheduledService revokedKeySweep(ApiKeys keys) {
        return ScheduledService.weekly("revoked-key-sweep", keys::removeOldRevocations);
    }

    @Bean
    ApplicationRunner firstApiKey(ApiKeys keys, BootstrapProperties bootstrap) {
        return arguments -> {
            String secret = bootstrap.apiKey();
            if (secret != null && !keys.createFirst(new Secret(secret.strip()))) {
                LOG.warn("azuremail.bootstrap.api-key was revoked and stays so: remove the setting or set another key");
            }
        };
    }
}
