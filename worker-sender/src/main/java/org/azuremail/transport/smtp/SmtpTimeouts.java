package org.azuremail.transport.smtp;

import java.time.Duration;

/**
 * The time limits of a conversation: as long as RFC 5321 demands if the lease is renewed meanwhile. A stop ends every
 * wait at once, except the wait for the answer to an email's end.
 *
 * @param connect until the connection is open
 * @param greeting until the server greets
 * @param command until it answers a command
 * @param end until it answers an email's end, because it may inspect the email first
 * @param quick until the TLS handshake is done, or an answer arrives where a new connection costs less than a long wait
 * @param write until it takes the written bytes; checked every few seconds
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

    /** The limits for an admin who waits for the result of a test. */
    static final SmtpTimeouts TEST = new SmtpTimeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(25),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10));
}
