package org.azuremail.sending;

import java.nio.file.Path;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.id.IdSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of all transports, from the settings and from the page. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecretProperties.class)
@Import({TransportDirectory.class, TransportHistory.class, TransportOpener.class, TransportTester.class})
class SendingConfiguration {

    @Bean
    SecretBox secretBox(SecretProperties settings, AzureMailProperties process, IdSource ids) {
        Path file =
                process.storage() == StorageKind.EMBEDDED ? process.dataDir().resolve("secrets.key") : null;
        return new SecretBox(settings, file, ids);
    }
}
