package org.azuremail.journal;

import java.nio.file.Path;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The journal of a process that sends. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JournalProperties.class)
public class JournalConfiguration {

    @Bean
    Journal journal(JournalProperties properties, AzureMailProperties settings, Time time, IdSource ids) {
        Optional<Path> directory = properties.directory(settings.dataDir());
        return directory.isEmpty()
                ? Journal.NONE
                : new FileJournal(directory.get().toAbsolutePath(), Boots.current(), time, ids);
    }
}
