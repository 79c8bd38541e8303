package org.azuremail.transport.smtp;

import java.util.Objects;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.mail.TransportKind;
import org.azuremail.time.Time;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The transport for an SMTP server. */
@AutoConfiguration
class SmtpConfiguration {

    /** The default rate, at which hardly any server refuses a sender. */
    static final int CAUTIOUS_RATE = 10;

    @Bean
    TransportKind<?> smtpTransport(AzureMailProperties settings, Time time) {
        String name = Objects.requireNonNullElse(settings.publicUrl().getHost(), "localhost");
        return new TransportKind<>(
                "smtp",
                SmtpProperties.class,
                CAUTIOUS_RATE,
                server -> new SmtpTransport(server, name, time),
                (server, conversation) -> new SmtpTransport(
                        server, name, time, SmtpTimeouts.TEST, SmtpTransport.defaultTls(), conversation));
    }
}
