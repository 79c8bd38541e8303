package org.azuremail.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.id.IdSource;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SENDER)
@EnableConfigurationProperties(JournalProperties.class)
class JournalConfiguration {

    @Bean
    Journal journal(JournalProperties properties, AzureMailProperties settings, Time time, IdSource ids) {
        return properties
                .directory(settings.dataDir())
                .<Journal>map(directory -> new FileJournal(directory.toAbsolutePath(), boot(), time, ids))
                .orElse(Journal.NONE);
    }

    /** Returns the name of this host's present boot; empty if the system does not provide it. */
    private static String boot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException otherSystem) {
            return "";
        }
    }
}
