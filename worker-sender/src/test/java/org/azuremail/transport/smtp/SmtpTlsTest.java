package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks where encryption is required, which servers are trusted, and what is sent without it. */
class SmtpTlsTest extends OnScriptedServer {

    private static Certificates certificates;
    private static SSLContext identity;

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) throws Exception {
        certificates = new Certificates(directory);
        identity = certificates.of("localhost");
    }

    @Test
    void nothingIsSentWithoutRequiredTls() {
        HandOverResult handOver = handOver(transport(null, null, Starttls.ON, 1), 1);

        assertUnavailable(handOver, Kind.PAUSE, "STARTTLS is required");
        assertThat(server.commands()).noneMatch(command -> command.startsWith("MAIL"));
    }

    @Test
    void aCertificateThatNobodyTrustsPausesBeforeThePasswordIsSent() {
        server.offer("STARTTLS").offer("AUTH PLAIN");

        HandOverResult handOver = handOver(transport("user", "secret", Starttls.ON, 1), 1);

        assertUnavailable(
                handOver, Kind.PAUSE, "TLS: its certificate does not come from an authority that this machine trusts");
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
    void theServerListsItsExtensionsAgainUnderTls() throws Exception {
        server.identity(identity).offer("STARTTLS").offer("AUTH PLAIN").offer("PIPELINING");
        SmtpProperties wanted = properties("localhost", "user", "secret", Starttls.ON, 1);

        HandOverResult handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands().subList(0, 3))
                .containsExactly("EHLO lists.contoso.edu", "STARTTLS", "EHLO lists.contoso.edu");
        assertThat(server.commands().get(3)).startsWith("AUTH PLAIN");
    }

    @Test
    void aCertificateOfAnotherNamePauses() throws Exception {
        SSLContext identity = certificates.of("elsewhere.example");
        server.identity(identity).offer("STARTTLS");
        SmtpProperties wanted = properties("localhost", null, null, Starttls.ON, 1);

        HandOverResult handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertUnavailable(handOver, Kind.PAUSE, "TLS: its certificate is not valid for this host name");
        assertThat(server.mails()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"has expired,-3d,1", "is not valid yet,+3d,30"})
    void aCertificateOutOfItsTimePausesBeforeThePasswordIsSent(String what, String from, String days) throws Exception {
        SSLContext identity = certificates.of("localhost", "-startdate", from, "-validity", days);
        server.identity(identity).offer("STARTTLS").offer("AUTH PLAIN");
        SmtpProperties wanted = properties("localhost", "user", "secret", Starttls.ON, 1);

        HandOverResult handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertUnavailable(handOver, Kind.PAUSE, "TLS: its certificate " + what);
        untaken(handOver, 0);
        assertThat(server.commands()).as(what).containsExactly("EHLO lists.contoso.edu", "STARTTLS");
    }

    /** An attacker on the network removes the offer from the server's answer, or makes it fail. */
    @ParameterizedTest
    @ValueSource(strings = {"EHLO", "STARTTLS"})
    void anAttackerWhoStripsTheEncryptionGetsNeitherPasswordNorMail(String stripped) {
        server.offer("AUTH PLAIN").offer("STARTTLS").reply("STARTTLS", "502 5.5.1 unknown command");
        if (stripped.equals("EHLO")) {
            server.reply("EHLO", "250-scripted\r\n250 AUTH PLAIN LOGIN");
        }

        HandOverResult handOver = handOver(transport("user", "secret", Starttls.ON, 1), 2);

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        untaken(handOver, 0);
        assertThat(server.commands())
                .isSubsetOf("EHLO lists.contoso.edu", "STARTTLS", "QUIT")
                .doesNotHaveDuplicates();
    }

    /** Replies that arrive in place of the handshake, too late to be noticed before it, do not count as a handshake. */
    @Test
    void answersInPlaceOfTheHandshakeAreNotBelieved() throws Exception {
        server.identity(identity)
                .offer("STARTTLS")
                .insteadOfTheHandshake("250-scripted\r\n250-AUTH PLAIN\r\n250 OK\r\n235 2.7.0 Ok\r\n");
        SmtpProperties wanted = properties("localhost", "user", "secret", Starttls.ON, 1);

        HandOverResult handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertUnavailable(handOver, Kind.PAUSE, "TLS");
        untaken(handOver, 0);
        assertThat(server.commands()).containsExactly("EHLO lists.contoso.edu", "STARTTLS");
    }

    /** The server's earlier offers no longer count, because an attacker may have added them. */
    @Test
    void anOfferFromBeforeTheEncryptionIsForgotten() throws Exception {
        server.identity(identity)
                .offer("AUTH PLAIN")
                .replyOnce("EHLO", "250-scripted\r\n250-STARTTLS\r\n250-PIPELINING\r\n250 AUTH LOGIN");
        SmtpProperties wanted = properties("localhost", "user", "secret", Starttls.ON, 1);

        HandOverResult handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).noneMatch(command -> command.equals("AUTH LOGIN"));
        assertThat(server.commands().get(3)).startsWith("AUTH PLAIN ");
    }

    /** Bytes that an attacker inserts are not the server's. */
    @Test
    void bytesThatCameBeforeTheEncryptionAreIgnored() throws Exception {
        server.identity(identity).offer("STARTTLS").reply("STARTTLS", "220 ready\r\n250 PIPELINING");
        SmtpProperties wanted = properties("localhost", null, null, Starttls.ON, 1);

        HandOverResult handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.NotAttempted.class);
        assertUnavailable(handOver, Kind.WAIT, "it said more before the encryption than it was asked");
        assertThat(server.mails()).isEmpty();
    }

    /** Bytes that are still encrypted are waiting as well; each comes in a record of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"550 5.7.1 not from you", "421 4.4.2 bye", "250 ok"})
    void anUnaskedReplyUnderTlsIsNoAnswerToTheNextLot(String unasked) throws Exception {
        server.identity(identity).offer("STARTTLS").cutReplies().replyOnce(".", "250 ok\r\n" + unasked);
        SmtpTransport transport =
                transport(properties("localhost", null, null, Starttls.ON, 1), identity.getSocketFactory());
        handOver(transport, 1);
        await().pollDelay(Duration.ofMillis(100)).until(() -> true);

        HandOverResult next = handOver(transport, 1);

        assertThat(next.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(next.unavailable()).isEmpty();
        assertThat(server.commands())
                .filteredOn(said -> said.startsWith("MAIL"))
                .hasSize(2);
    }

    /** The server's messages about TLS itself are no replies. */
    @Test
    void underTlsLotsShareAConnectionToo() throws Exception {
        server.identity(identity).offer("STARTTLS").offer("PIPELINING");
        SmtpTransport transport =
                transport(properties("localhost", null, null, Starttls.ON, 1), identity.getSocketFactory());

        for (int lot = 0; lot < 3; lot++) {
            assertThat(handOver(transport, 2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        }

        assertThat(server.connections()).isOne();
    }

    /** Each byte of a handshake would start the socket's own time limit anew. */
    @Test
    void aHandshakeThatDoesNotEndIsGivenUp() throws Exception {
        Semaphore bytes = new Semaphore(0);
        server.identity(identity).offer("STARTTLS").handshakeWithoutEnd(bytes::acquireUninterruptibly);
        SmtpProperties wanted = properties("localhost", "user", "secret", Starttls.ON, 1);
        SmtpTransport transport = transport(wanted, identity.getSocketFactory());
        CompletableFuture<HandOverResult> handOver = CompletableFuture.supplyAsync(() -> handOver(transport, 2));

        await().until(() -> {
            time.advance(Duration.ofSeconds(1));
            bytes.release();
            transport.hangUpOnStuck();
            return handOver.isDone();
        });

        untaken(handOver.join(), 0);
        assertUnavailable(handOver.join(), Kind.WAIT, "did not answer in time");
    }

    @Test
    void aServerThatHangsUpDuringTheHandshakeIsWaitedFor() throws Exception {
        server.identity(identity).offer("STARTTLS").handshakeWithoutEnd(server::hangUpOnAll);
        SmtpProperties wanted = properties("localhost", null, null, Starttls.ON, 1);

        HandOverResult handOver = handOver(transport(wanted, identity.getSocketFactory()), 2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "it closed the connection");
    }

    @Test
    void aServerThatCannotEncryptNowIsWaitedFor() {
        server.offer("STARTTLS").reply("STARTTLS", "454 4.7.0 not now");

        HandOverResult handOver = handOver(transport(null, null, Starttls.ON, 1), 2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "cannot be reached over TLS: 454 4.7.0 not now");
    }
}
