package org.azuremail.transport.smtp;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.transport.smtp.SmtpVerdict.Closed;

/** The beginning of a conversation: greeting, EHLO or HELO, encryption, signing in. */
final class SmtpOpening {

    private final SmtpWire wire;
    private final SmtpSockets sockets;
    private final SmtpProperties properties;
    private final String localName;
    private SmtpCapabilities server = SmtpCapabilities.NONE;
    private boolean passwordRefused;

    SmtpOpening(SmtpWire wire, SmtpSockets sockets, SmtpProperties properties, String localName) {
        this.wire = wire;
        this.sockets = sockets;
        this.properties = properties;
        this.localName = localName;
    }

    /** The extensions of the server, once {@link #run} is through. */
    SmtpCapabilities server() {
        return server;
    }

    /** Returns whether {@link #run} ended because the server does not know the user or the password. */
    boolean passwordRefused() {
        return passwordRefused;
    }

    /**
     * @return why no mail can be handed over, if so
     * @throws IOException when the connection broke, could not be encrypted, or no SMTP server is at its other end
     */
    Optional<Closed> run() throws IOException {
        Optional<Closed> no = refused(wire.greeting());
        if (no.isEmpty()) {
            no = hello();
        }
        if (no.isEmpty() && !properties.implicitTls() && properties.tlsWanted()) {
            no = encrypt();
        }
        // As it always was: a server that offers no way to sign in may take mail from us without.
        return no.isEmpty() && properties.signsIn() && !server.mechanisms().isEmpty() ? signIn() : no;
    }

    private Optional<Closed> hello() throws IOException {
        ServerReply reply = wire.ask("EHLO " + localName);
        if (reply.positive()) {
            server = SmtpCapabilities.of(reply.lines());
            return Optional.empty();
        }
        return reply.code() / 100 == 5 ? refused(wire.ask("HELO " + localName)) : refused(reply);
    }

    private Optional<Closed> encrypt() throws IOException {
        if (!server.starttls()) {
            return properties.tlsRequired()
                    ? Optional.of(new Closed(Kind.PAUSE, SmtpReason.SMTP_NO_STARTTLS, ""))
                    : Optional.empty();
        }
        Optional<Closed> no = refused(wire.ask("STARTTLS"));
        if (no.isPresent()) {
            return no;
        }
        wire.encrypt(sockets);
        server = SmtpCapabilities.NONE;
        return hello();
    }

    private static Optional<Closed> refused(ServerReply reply) {
        if (reply.positive()) {
            return Optional.empty();
        }
        return Optional.of(
                reply.code() / 100 == 5
                        ? new Closed(Kind.PAUSE, SmtpReason.SMTP_CONNECTION_REFUSED, reply.text())
                        : new Closed(Kind.WAIT, SmtpReason.SMTP_UNREACHABLE, reply.text()));
    }

    private Optional<Closed> signIn() throws IOException {
        if (!SmtpSignIn.knows(server.mechanisms())) {
            return Optional.of(
                    new Closed(Kind.PAUSE, SmtpReason.SMTP_NO_SIGN_IN, String.join(" ", server.mechanisms())));
        }
        String user = Objects.requireNonNull(properties.username());
        String password = Objects.requireNonNullElse(properties.password(), "");
        ServerReply reply = new SmtpSignIn(wire, user, password).run(server.mechanisms());
        if (reply.positive()) {
            return Optional.empty();
        }
        passwordRefused = reply.code() / 100 == 5;
        return Optional.of(
                reply.code() / 100 == 4
                        ? new Closed(Kind.WAIT, SmtpReason.SMTP_PASSWORD_UNCHECKED, reply.text())
                        : new Closed(Kind.PAUSE, SmtpReason.SMTP_PASSWORD_REFUSED, reply.text()));
    }
}
