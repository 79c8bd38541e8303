package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.app.Role;
import org.azuremail.mail.MailProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Checks the warning about a public URL with which the links in emails do not work for their recipients. */
@Isolated
class LinkCheckTests {

    @Test
    void localPublicUrlIsWarnedOfWhereMailLeaves() {
        assertThat(warnings("http://localhost:8080", "smtp"))
                .singleElement()
                .asString()
                .contains("http://localhost:8080", "neither confirm nor unsubscribe", "azuremail.public-url");
        assertThat(warnings("http://lists.example.org", "sendgrid"))
                .singleElement()
                .asString()
                .contains("one click");
        assertThat(warnings("http://localhost:8080", "outbox")).isEmpty();
        assertThat(warnings("https://lists.example.org", "smtp")).isEmpty();
    }

    private static List<String> warnings(String publicUrl, String transport) {
        AzureMailProperties settings = new AzureMailProperties(
                StorageKind.EMBEDDED, Path.of("data"), URI.create(publicUrl), ZoneOffset.UTC, Set.of(Role.SENDER));
        MailProperties mail = new Binder(
                        new MapConfigurationPropertySource(java.util.Map.of("azuremail.mail.transport", transport)))
                .bindOrCreate("azuremail.mail", MailProperties.class);
        Logger logger = (Logger) LoggerFactory.getLogger(LinkCheck.class);
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.addAppender(heard);
        Level before = logger.getLevel();
        logger.setLevel(Level.WARN);
        try {
            new LinkCheck(settings, mail).afterSingletonsInstantiated();
        } finally {
            logger.setLevel(before);
            logger.detachAppender(heard);
        }
        return heard.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
