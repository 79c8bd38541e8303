package org.azuremail.transport.smtp;

import org.azuremail.time.Time;

/** A transport to a {@link ScriptedSmtpServer}, for tests of other packages. */
public final class ToScriptedServer {

    private ToScriptedServer() {}

    public static SmtpTransport transport(ScriptedSmtpServer server, Time time) {
        return new SmtpTransport(
                new SmtpProperties("localhost", server.port(), null, null, SmtpProperties.Starttls.OFF, 2),
                "lists.contoso.edu",
                time);
    }
}
