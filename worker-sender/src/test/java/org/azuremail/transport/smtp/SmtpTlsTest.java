package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encryption: where it is insisted on, whom we believe, and what is sent without it. */
class SmtpTlsTest extends OnScriptedServer {

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

    @Test
    void underTlsTheServerSaysAgainWhatItOffers(@TempDir Path directory) throws Exception {
        SSLContext identity = Certificates.of("localhost", directory);
        server.identity(identity).offer("STARTTLS").offer("AUTH PLAIN").offer("PIPELINING");
        SmtpProperties wanted = properties("localhost", "user", "secret", Starttls.ON, 1);

        HandOver handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands().subList(0, 3))
                .containsExactly("EHLO lists.contoso.edu", "STARTTLS", "EHLO lists.contoso.edu");
        assertThat(server.commands().get(3)).startsWith("AUTH PLAIN");
    }

    @Test
    void aCertificateOfAnotherNamePauses(@TempDir Path directory) throws Exception {
        SSLContext identity = Certificates.of("elsewhere.example", directory);
        server.identity(identity).offer("STARTTLS");
        SmtpProperties wanted = properties("localhost", null, null, Starttls.ON, 1);

        HandOver handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        assertThat(handOver.unavailable().orElseThrow().reason()).contains("TLS");
        assertThat(server.mails()).isEmpty();
    }

    /** What somebody in between puts there is not the server's. */
    @Test
    void whatCameBeforeTheEncryptionIsNotBelieved(@TempDir Path directory) throws Exception {
        SSLContext identity = Certificates.of("localhost", directory);
        server.identity(identity).offer("STARTTLS").reply("STARTTLS", "220 ready\r\n250 PIPELINING");
        SmtpProperties wanted = properties("localhost", null, null, Starttls.ON, 1);

        HandOver handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Untaken.class);
        assertThat(server.mails()).isEmpty();
    }

    @Test
    void aServerThatCannotEncryptNowIsWaitedFor() {
        server.offer("STARTTLS").reply("STARTTLS", "454 4.7.0 not now");

        HandOver handOver = handOver(transport(null, null, Starttls.ON, 1), 2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "454 4.7.0 not now");
    }
}
