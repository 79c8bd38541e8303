package org.azuremail.sending;

import java.nio.file.Path;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.id.IdSource;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.TransportKinds;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The transports, wherever they come from. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecretProperties.class)
public class SendingConfiguration {

    @Bean
    SecretBox secretBox(SecretProperties settings, AzureMailProperties process, IdSource ids) {
        Path file =
                process.storage() == StorageKind.EMBEDDED ? process.dataDir().resolve("secrets.key") : null;
        return new SecretBox(settings, file, ids);
    }

    @Bean
    TransportDirectory transportDirectory(Storage storage, MailProperties mail, Time time) {
        return new TransportDirectory(storage, mail, time);
    }

    @Bean
    TransportHistory transportHistory(Storage storage, IdSource ids, Time time) {
        return new TransportHistory(storage, ids, time);
    }

    @Bean
    TransportOpener transportOpener(
            TransportKinds kinds, MailProperties mail, Environment environment, SecretBox secrets) {
        return new TransportOpener(kinds, mail, environment, secrets);
    }

    @Bean
    TransportTester transportTester(TransportOpener opener, IdSource ids, Time time) {
        return new TransportTester(opener, ids, time);
    }
}
