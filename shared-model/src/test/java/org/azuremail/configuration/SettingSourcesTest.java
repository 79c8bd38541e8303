package org.azuremail.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.configuration.SettingSources.Kind;
import org.azuremail.configuration.SettingSources.Source;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SettingSourcesTest {

    @ParameterizedTest
    @CsvSource({
        "azuremail.zone, COMMAND_LINE, ''",
        "azuremail.public-url, ENVIRONMENT, ''",
        "azuremail.storage, FILE, /etc/azuremail/application.yaml",
        "azuremail.blocks.dashboard, FILE, /etc/azuremail/application.yaml",
        "azuremail.work.limits, FILE, /etc/azuremail/application.yaml",
        "azuremail.mail-classes.of.High.places, FILE, /etc/azuremail/application.yaml",
        "azuremail.data-dir, DEFAULT, ''",
        "azuremail.outbox.keep, DEFAULT, ''"
    })
    void theFirstSourceThatHasTheSettingIsNamed(String setting, Kind kind, String place) {
        assertThat(sources().of(setting)).isEqualTo(new Source(kind, place));
    }

    private static SettingSources sources() {
        StandardEnvironment environment = new StandardEnvironment();
        var all = environment.getPropertySources();
        all.stream().map(source -> source.getName()).toList().forEach(all::remove);
        all.addLast(new MapPropertySource("commandLineArgs", Map.of("azuremail.zone", "UTC")));
        all.addLast(new SystemEnvironmentPropertySource(
                "systemEnvironment",
                Map.of("AZUREMAIL_ZONE", "Europe/Berlin", "AZUREMAIL_PUBLIC_URL", "https://example.org")));
        all.addLast(new MapPropertySource(
                "Config resource 'file [/etc/azuremail/application.yaml]' via location 'optional:file:./'",
                Map.of(
                        "azuremail.storage", "azure",
                        "azuremail.mail-classes.of.High.places", "2",
                        "azuremail.blocks.dashboard[0]", "birthdays",
                        "azuremail.work.limits.azuremailqueue", "9")));
        all.addLast(new MapPropertySource(
                "Config resource 'class path resource [application.properties]' via location 'optional:classpath:/'",
                Map.of("azuremail.data-dir", "./data")));
        ConfigurationPropertySources.attach(environment);
        return new SettingSources(environment);
    }
}
