package org.azuremail.transport.outbox;

import org.azuremail.mail.MailProperties;
import org.azuremail.mail.TransportKind;
import org.azuremail.outbox.OutboxStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The outbox, which is used if no transport is set. */
@AutoConfiguration
class OutboxConfiguration {

    @Bean
    TransportKind<?> outboxTransport(OutboxStore outbox) {
        return new TransportKind<>(MailProperties.OUTBOX, NoSettings.class, 0, none -> new OutboxTransport(outbox));
    }

    private record NoSettings() {}
}
