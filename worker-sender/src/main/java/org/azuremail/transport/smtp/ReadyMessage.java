package org.azuremail.transport.smtp;

import jakarta.mail.Address;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A mail whose bytes are made already: building a message of parts for each recipient costs six times as much. */
final class ReadyMessage extends MimeMessage {

    private final byte[] bytes;
    private final Address[] from;

    ReadyMessage(byte[] bytes, String from) {
        super((Session) null);
        this.bytes = bytes;
        this.from = new Address[] {address(from)};
    }

    /** An address that was checked long ago. */
    static InternetAddress address(String value) {
        InternetAddress address = new InternetAddress();
        address.setAddress(value);
        return address;
    }

    /** Jakarta Mail makes MAIL FROM of it. */
    @Override
    public Address[] getFrom() {
        return from;
    }

    @Override
    public int getSize() {
        return bytes.length;
    }

    @Override
    public void writeTo(OutputStream out, String @Nullable [] ignoredHeaders) throws IOException {
        out.write(bytes);
    }
}
