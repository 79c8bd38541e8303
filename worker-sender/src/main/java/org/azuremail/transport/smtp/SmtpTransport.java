package org.azuremail.transport.smtp;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.azuremail.mail.ContentCache;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.mime.MimeTemplate;
import org.azuremail.time.Time;

/**
 * Hands emails to an SMTP server, one by one, each lot over one connection. {@link SmtpVerdict} interprets the server's
 * replies.
 */
public final class SmtpTransport implements MailTransport, AutoCloseable {

    private static final int LOT = 99;
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private final SmtpConnections connections;
    private final ContentCache<MimeTemplate> templates = new ContentCache<>(MimeTemplate::new);
    private final ContentCache<AtomicBoolean> taken = new ContentCache<>(content -> new AtomicBoolean());
    private final Time time;
    private final int concurrency;

    /** @param localName the client's name in EHLO: a host's name or its IP address */
    public SmtpTransport(SmtpProperties properties, String localName, Time time) {
        this(properties, localName, time, SmtpTimeouts.DEFAULT, defaultTls(), Conversation.NONE);
    }

    SmtpTransport(
            SmtpProperties properties,
            String localName,
            Time time,
            SmtpTimeouts timeouts,
            SSLSocketFactory tls,
            Conversation conversation) {
        SmtpSockets sockets = new SmtpSockets(properties, timeouts, tls, conversation);
        SmtpConnector connector = new SmtpConnector(sockets, ehloName(localName), time);
        this.connections = new SmtpConnections(connector, properties.connections(), time);
        this.time = time;
        this.concurrency = Math.max(1, properties.connections() - 1);
    }

    static SSLSocketFactory defaultTls() {
        return (SSLSocketFactory) SSLSocketFactory.getDefault();
    }

    /** Returns the name for EHLO. An IP address is in brackets: RFC 5321, 4.1.3. */
    private static String ehloName(String localName) {
        String bare = localName.replaceAll("^\\[|]$|%.*", "");
        if (bare.indexOf(':') >= 0) {
            return "[IPv6:" + bare + "]";
        }
        return IPV4.matcher(bare).matches() ? "[" + bare + "]" : bare;
    }

    @Override
    public int lotSize() {
        return LOT;
    }

    /** One connection is reserved for confirmations. */
    @Override
    public int concurrency() {
        return concurrency;
    }

    @Override
    public boolean reportsEachEmail() {
        return true;
    }

    @Override
    public Optional<Unavailable> prepare(BooleanSupplier mayWait) {
        return connections.warm(mayWait);
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        MailContent content = lot.content();
        return new SmtpHandOver(
                        connections, lot, new LotGuard(guard, time), templates.get(content), taken.get(content), time)
                .run();
    }

    void hangUpOnStuck() {
        connections.connector().closeStuck();
    }

    @Override
    public void close() {
        connections.close();
    }
}
