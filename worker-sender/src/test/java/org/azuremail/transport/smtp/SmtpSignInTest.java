package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.junit.jupiter.api.Test;

/** Passwords and encryption: where the one is sent, and where the other is insisted on. */
class SmtpSignInTest extends OnScriptedServer {

    @Test
    void e25_aWrongPasswordPauses() {
        server.offer("AUTH PLAIN").reply("AUTH", "535 5.7.8 Error: authentication failed");

        HandOver handOver = handOver(transport("user", "s3cret-pass", Starttls.AUTO, 1), 2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.PAUSE, "535 5.7.8");
        assertThat(handOver.unavailable().orElseThrow().reason())
                .contains("password")
                .doesNotContain("s3cret-pass");
    }

    @Test
    void signingInThatFailsForNowIsWaitedFor() {
        server.offer("AUTH PLAIN").reply("AUTH", "454 4.7.0 Temporary authentication failure");

        assertUnavailable(handOver(transport("user", "secret", Starttls.AUTO, 1), 1), Kind.WAIT, "454");
    }

    @Test
    void theRightPasswordSignsIn() {
        server.offer("AUTH PLAIN");

        assertThat(handOver(transport("user", "secret", Starttls.AUTO, 1), 1).answers())
                .hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).anyMatch(command -> command.startsWith("AUTH PLAIN"));
    }

    @Test
    void whereTlsIsInsistedOnNothingIsSentWithoutIt() {
        HandOver handOver = handOver(transport(null, null, Starttls.ON, 1), 1);

        assertUnavailable(handOver, Kind.PAUSE, "STARTTLS is required");
        assertThat(server.commands()).noneMatch(command -> command.startsWith("MAIL"));
    }

    @Test
    void aCertificateThatNobodyTrustsPausesBeforeThePasswordIsSent() {
        server.offer("STARTTLS").offer("AUTH PLAIN");

        HandOver handOver = handOver(transport("user", "secret", Starttls.ON, 1), 1);

        assertUnavailable(handOver, Kind.PAUSE, "TLS");
        assertThat(server.commands()).contains("STARTTLS").noneMatch(command -> command.startsWith("AUTH"));
    }

    @Test
    void onThisMachineNothingNeedsToBeEncrypted() {
        server.offer("STARTTLS");

        assertThat(handOver(1).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).doesNotContain("STARTTLS");
        assertThat(properties("mail.contoso.edu", null, null, Starttls.AUTO, 1).tlsWanted())
                .isTrue();
    }

    @Test
    void settingsNeverShowThePassword() {
        assertThat(properties("localhost", "user", "s3cret", Starttls.AUTO, 1).toString())
                .contains("user")
                .doesNotContain("s3cret");
    }

    @Test
    void aPasswordGoesToAnotherMachineOnlyUnderTls() {
        assertThat(properties("mail.contoso.edu", "user", "x", Starttls.AUTO, 1).tlsRequired())
                .isTrue();
        assertThat(properties("mail.contoso.edu", "user", "x", Starttls.OFF, 1).tlsRequired())
                .isFalse();
        assertThat(properties("mail.contoso.edu", null, null, Starttls.AUTO, 1).tlsRequired())
                .isFalse();
        assertThat(properties("localhost", "user", "x", Starttls.AUTO, 1).tlsRequired())
                .isFalse();
    }
}
