package org.azuremail.transport;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.mail.MailTransport;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.time.Time;
import org.azuremail.transport.outbox.OutboxTransport;
import org.azuremail.transport.sendgrid.SendGridProperties;
import org.azuremail.transport.sendgrid.SendGridTransport;
import org.azuremail.transport.smtp.SmtpProperties;
import org.azuremail.transport.smtp.SmtpTransport;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one {@link MailTransport} of a process, as {@code azuremail.mail.transport} says. */
@Configuration(proxyBeanMethods = false)
public class TransportConfiguration {

    /** Keeps the mail here; what one gets without settings. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "azuremail.mail.transport", havingValue = "outbox", matchIfMissing = true)
    static class Outbox {

        @Bean
        MailTransport outboxTransport(OutboxStore outbox) {
            return new OutboxTransport(outbox);
        }
    }

    /** An SMTP server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "azuremail.mail.transport", havingValue = "smtp")
    @EnableConfigurationProperties(SmtpProperties.class)
    static class Smtp {

        @Bean
        SmtpTransport smtpTransport(SmtpProperties smtp, AzureMailProperties settings, Time time) {
            String host = settings.publicUrl().getHost();
            return new SmtpTransport(smtp, host == null ? "localhost" : host, time);
        }
    }

    /** SendGrid. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "azuremail.mail.transport", havingValue = "sendgrid")
    @EnableConfigurationProperties(SendGridProperties.class)
    static class SendGrid {

        @Bean
        SendGridTransport sendGridTransport(SendGridProperties sendGrid, Time time, IdSource ids) {
            return new SendGridTransport(sendGrid, time, ids);
        }
    }
}
