package org.azuremail.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.MailConfiguration;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.transport.sendgrid.SendGridProperties;
import org.azuremail.transport.smtp.SmtpProperties;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings choose the transport; wrong ones keep the process from starting, by name. */
class TransportConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ConfigurationPropertiesAutoConfiguration.class, ValidationAutoConfiguration.class))
            .withUserConfiguration(Surroundings.class, MailConfiguration.class, TransportConfiguration.class);

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AzureMailProperties.class)
    static class Surroundings {

        @Bean
        Time time() {
            return new ManualTime();
        }

        @Bean
        IdSource ids() {
            return new SeededIds(1);
        }

        @Bean
        OutboxStore outbox(Time time, IdSource ids) {
            return new OutboxStore(new SimulatedStorage(time).storage(), time, ids);
        }
    }

    @Test
    void withoutSettingsMailStaysInTheOutbox() {
        runner.run(context -> {
            assertThat(context.getBean(MailTransport.class).name()).isEqualTo("outbox");
            MailProperties mail = context.getBean(MailProperties.class);
            assertThat(mail.all().get(0).perSecond()).isZero();
            assertThat(mail.onUnknown()).isEqualTo(OnUnknown.HOLD);
        });
    }

    @Test
    void smtpNeedsAHostAndStartsCautiously() {
        runner.withPropertyValues(
                        "azuremail.mail.transport=smtp",
                        "azuremail.mail.smtp.host=mail.contoso.edu",
                        "azuremail.mail.smtp.starttls=true")
                .run(context -> {
                    assertThat(context.getBean(MailTransport.class).name()).isEqualTo("smtp");
                    assertThat(context.getBean(MailProperties.class)
                                    .all()
                                    .get(0)
                                    .perSecond())
                            .isEqualTo(MailProperties.CAUTIOUS_RATE);
                    SmtpProperties smtp = context.getBean(SmtpProperties.class);
                    assertThat(smtp.port()).isEqualTo(587);
                    assertThat(smtp.starttls()).isEqualTo(Starttls.ON);
                    assertThat(smtp.connections()).isEqualTo(10);
                    assertThat(context.getBean(MailTransport.class).concurrency())
                            .isEqualTo(9);
                });
        runner.withPropertyValues("azuremail.mail.transport=smtp")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("must name the SMTP server"));
        runner.withPropertyValues(
                        "azuremail.mail.transport=smtp",
                        "azuremail.mail.smtp.host=x",
                        "azuremail.mail.smtp.connections=0")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void falseMeansNoStarttls() {
        runner.withPropertyValues(
                        "azuremail.mail.transport=smtp",
                        "azuremail.mail.smtp.host=x",
                        "azuremail.mail.smtp.starttls=false")
                .run(context -> assertThat(context.getBean(SmtpProperties.class).starttls())
                        .isEqualTo(Starttls.OFF));
    }

    @Test
    void sendGridNeedsAKey() {
        runner.withPropertyValues("azuremail.mail.transport=sendgrid", "azuremail.mail.sendgrid.api-key=SG.x")
                .run(context -> {
                    assertThat(context.getBean(MailTransport.class).name()).isEqualTo("sendgrid");
                    assertThat(context.getBean(SendGridProperties.class).batchSize())
                            .isEqualTo(250);
                    assertThat(context.getBean(SendGridProperties.class).endpoint())
                            .hasHost("api.sendgrid.com");
                });
        runner.withPropertyValues("azuremail.mail.transport=sendgrid").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("must be set when azuremail.mail.transport is sendgrid"));
        runner.withPropertyValues(
                        "azuremail.mail.transport=sendgrid",
                        "azuremail.mail.sendgrid.api-key=SG.x",
                        "azuremail.mail.sendgrid.batch-size=1001")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void anotherTransportIsUnknown() {
        runner.withPropertyValues("azuremail.mail.transport=pigeon")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void aRateOfOnesOwnWins() {
        runner.withPropertyValues(
                        "azuremail.mail.transport=smtp", "azuremail.mail.smtp.host=x", "azuremail.mail.rate=0")
                .run(context -> assertThat(context.getBean(MailProperties.class)
                                .all()
                                .get(0)
                                .perSecond())
                        .isZero());
        runner.withPropertyValues("azuremail.mail.rate=-1")
                .run(context -> assertThat(context).hasFailed());
    }
}
