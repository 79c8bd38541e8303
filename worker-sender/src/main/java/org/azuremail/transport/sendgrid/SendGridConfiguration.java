package org.azuremail.transport.sendgrid;

import org.azuremail.id.IdSource;
import org.azuremail.mail.TransportKind;
import org.azuremail.time.Time;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The transport for SendGrid's Web API v3. */
@AutoConfiguration
class SendGridConfiguration {

    @Bean
    TransportKind<?> sendGridTransport(Time time, IdSource ids) {
        return new TransportKind<>(
                "sendgrid",
                SendGridProperties.class,
                0,
                account -> new SendGridTransport(account, time, ids),
                (account, conversation) -> new SendGridTransport(
                        account, time, ids, SendGridTransport.CONNECT, SendGridTransport.ANSWER, conversation));
    }
}
