package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.app.Role;
import org.azuremail.mail.MailProperties;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.context.support.ResourceBundleMessageSource;

/** Checks that the page before sending warns about a public URL that does not suit the links in emails. */
class LinkWarningTest {

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8080, smtp, cannot open http://localhost:8080",
        "https://lists.local, sendgrid, set azuremail.public-url",
        "http://lists.example.org, smtp, does not begin with https",
        "https://lists.example.org, smtp,",
        "http://localhost:8080, outbox,",
    })
    void askingBeforeARealSendingShowsTheWarning(String publicUrl, String transport, String warning) {
        Optional<String> shown = warning(publicUrl, transport).text();

        if (warning == null) {
            assertThat(shown).isEmpty();
        } else {
            assertThat(shown.orElseThrow()).contains(warning);
        }
    }

    private static LinkWarning warning(String publicUrl, String transport) {
        ResourceBundleMessageSource texts = new ResourceBundleMessageSource();
        texts.setBasename("messages");
        AzureMailProperties settings = new AzureMailProperties(
                StorageKind.EMBEDDED, Path.of("data"), URI.create(publicUrl), ZoneOffset.UTC, Set.of(Role.WEB));
        MailProperties mail = new Binder(
                        new MapConfigurationPropertySource(Map.of("azuremail.mail.transport", transport)))
                .bindOrCreate("azuremail.mail", MailProperties.class);
        ManualTime time = new ManualTime();
        TransportDirectory transports = new TransportDirectory(new SimulatedStorage(time).storage(), mail, time);
        return new LinkWarning(settings, transports, new MessageSourceAccessor(texts));
    }
}
