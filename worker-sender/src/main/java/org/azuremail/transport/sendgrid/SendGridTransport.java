package org.azuremail.transport.sendgrid;

import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import org.azuremail.id.IdSource;
import org.azuremail.mail.ContentCache;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.time.Time;

/** Hands lots to SendGrid, each in one request. {@link SendGridReply} says what its answers mean. */
public final class SendGridTransport implements MailTransport, AutoCloseable {

    static final Duration CONNECT = Duration.ofSeconds(10);
    static final Duration ANSWER = Duration.ofSeconds(18);

    private final SendGridProperties properties;
    private final SendGridClient client;
    private final ContentCache<SendGridTemplate> templates;

    public SendGridTransport(SendGridProperties properties, Time time, IdSource ids) {
        this(properties, time, ids, CONNECT, ANSWER, Conversation.NONE);
    }

    SendGridTransport(
            SendGridProperties properties,
            Time time,
            IdSource ids,
            Duration connect,
            Duration answer,
            Conversation conversation) {
        this.properties = properties;
        this.client = new SendGridClient(properties, time, connect, answer, conversation);
        String nonce = HexFormat.of().formatHex(ids.bytes(8));
        this.templates = new ContentCache<>(content -> new SendGridTemplate(content, nonce));
    }

    @Override
    public int lotSize() {
        return properties.batchSize();
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        return new SendGridHandOver(client, templates.get(lot.content()), lot, guard).run();
    }

    void closeOverdue() {
        client.closeOverdue();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
