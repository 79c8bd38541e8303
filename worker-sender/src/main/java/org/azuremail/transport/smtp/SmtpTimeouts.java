package org.azuremail.transport.smtp;

import java.time.Duration;

/**
 * The limits on the steps of a conversation: as long as RFC 5321 asks for where somebody renews the lease of what is handed
 * over meanwhile. A stop ends every wait at once but the one for the answer to a mail's end.
 *
 * @param connect until the connection stands
 * @param greeting until the server greets
 * @param command until it answers a command
 * @param end until it answers a mail's end: it may look at the mail for as long
 * @param quick until it shakes hands for TLS, or answers where a new connection costs less than to wait
 * @param write until it takes what we write; looked at every few seconds
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.2">RFC 5321, 4.5.3.2</a>
 */
record SmtpTimeouts(
        Duration connect, Duration greeting, Duration command, Duration end, Duration quick, Duration write) {

    static final SmtpTimeouts DEFAULT = new SmtpTimeouts(
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofSeconds(15),
            Duration.ofSeconds(12));

    /** For a person who waits for the result of a test. */
    static final SmtpTimeouts TEST = new SmtpTimeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(25),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10));
}
