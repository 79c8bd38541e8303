package org.azuremail.transport;

import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailTransport;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.time.Time;
import org.azuremail.transport.outbox.OutboxTransport;
import org.azuremail.transport.sendgrid.SendGridProperties;
import org.azuremail.transport.sendgrid.SendGridTransport;
import org.azuremail.transport.smtp.SmtpProperties;
import org.azuremail.transport.smtp.SmtpTransport;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

/**
 * The transports of a process: one, whose settings stand under {@code azuremail.mail}, or several, each under
 * {@code azuremail.mail.transports.<name>}.
 */
@Configuration(proxyBeanMethods = false)
public class TransportConfiguration {

    @Bean
    Transports transports(
            MailProperties mail,
            Environment environment,
            OutboxStore outbox,
            AzureMailProperties settings,
            Time time,
            IdSource ids) {
        return new Transports(mail, one -> make(one, new Settings(mail, environment), outbox, settings, time, ids));
    }

    private static MailTransport make(
            Configured one, Settings bound, OutboxStore outbox, AzureMailProperties settings, Time time, IdSource ids) {
        return switch (one.kind()) {
            case OUTBOX -> new OutboxTransport(outbox);
            case SMTP -> new SmtpTransport(bound.of(one, SmtpProperties.class), localName(settings), time);
            case SENDGRID -> new SendGridTransport(bound.of(one, SendGridProperties.class), time, ids);
        };
    }

    private static String localName(AzureMailProperties settings) {
        String host = settings.publicUrl().getHost();
        return host == null ? "localhost" : host;
    }

    /** What is set for one transport, checked as all settings are. */
    record Settings(MailProperties mail, Environment environment) {

        <T> T of(Configured one, Class<T> type) {
            String prefix =
                    mail.transports().isEmpty() ? "azuremail.mail." : "azuremail.mail.transports." + one.name() + ".";
            try (ValidatorFactory checks = Validation.buildDefaultValidatorFactory()) {
                ValidationBindHandler checked =
                        new ValidationBindHandler(new SpringValidatorAdapter(checks.getValidator()));
                return Binder.get(environment).bindOrCreate(prefix + one.kind().word(), Bindable.of(type), checked);
            }
        }
    }
}
