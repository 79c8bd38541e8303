package org.azuremail.transport.smtp;

import java.time.Duration;

/**
 * How long one step of a conversation may take: each under 20 seconds, so that a stop in order fits into 30.
 *
 * @param connect until the connection stands
 * @param read until the server answers
 * @param write until it takes what we write; looked at every few seconds
 */
record SmtpTimeouts(Duration connect, Duration read, Duration write) {

    static final SmtpTimeouts DEFAULT =
            new SmtpTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofSeconds(12));
}
