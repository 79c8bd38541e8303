package org.azuremail.transport.smtp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.junit.jupiter.api.Test;

/** Checks how we sign in with passwords, and what a refusal means. */
class SmtpSignInTest extends OnScriptedServer {

    @Test
    void e25_aWrongPasswordPauses() {
        server.offer("AUTH PLAIN").reply("AUTH", "535 5.7.8 Error: authentication failed");

        HandOverResult handOver = handOver(transport("user", "s3cret-pass", Starttls.AUTO, 1), 2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.PAUSE, "535 5.7.8");
        assertThat(handOver.unavailable().orElseThrow().reason())
                .asString()
                .contains("password", "Check both under Settings › Sending")
                .doesNotContain("s3cret-pass");
    }

    /** Servers lock out clients that guess. */
    @Test
    void aWrongPasswordIsTriedOnceByWhoeverComesAtTheSameTime() {
        server.offer("AUTH PLAIN").reply("AUTH", "535 5.7.8 Error: authentication failed");
        SmtpTransport many = transport("user", "wrong", Starttls.AUTO, 10);

        List<Boolean> refused = IntStream.range(0, 9)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> many.prepare(() -> true).isPresent()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(refused).hasSize(9).containsOnly(true);
        assertThat(server.commands())
                .filteredOn(said -> said.startsWith("AUTH"))
                .hasSize(1);
        server.reply("AUTH", "235 2.7.0 Ok");
        time.advance(Duration.ofSeconds(6));
        assertThat(many.prepare(() -> true))
                .as("whoever resumed finds it mended")
                .isEmpty();
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
    void settingsNeverShowThePassword() {
        assertThat(properties("localhost", "user", "s3cret", Starttls.AUTO, 1).toString())
                .contains("user")
                .doesNotContain("s3cret");
    }

    @Test
    void aPasswordIsAskedForInTwoSteps() {
        server.offer("AUTH=LOGIN")
                .reply("AUTH LOGIN", "334 VXNlcm5hbWU6")
                .reply(base64("user"), "334 UGFzc3dvcmQ6")
                .reply(base64("secret"), "235 2.7.0 Ok");

        assertThat(handOver(transport("user", "secret", Starttls.AUTO, 1), 2).answers())
                .hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).containsSequence("AUTH LOGIN", base64("user"), base64("secret"));
    }

    @Test
    void aNameThatIsNotKnownPausesBeforeThePasswordIsSent() {
        server.offer("AUTH LOGIN").reply("AUTH LOGIN", "334 VXNlcm5hbWU6").reply(base64("user"), "535 5.7.8 who?");

        HandOverResult handOver = handOver(transport("user", "secret", Starttls.AUTO, 1), 2);

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        assertThat(server.commands()).doesNotContain(base64("secret"));
    }

    @Test
    void aServerThatAsksForMoreAfterThePasswordHasNotRefusedIt() {
        server.offer("AUTH LOGIN")
                .reply("AUTH LOGIN", "334 VXNlcm5hbWU6")
                .reply(base64("user"), "334 UGFzc3dvcmQ6")
                .reply(base64("secret"), "334 VG9rZW46");

        HandOverResult handOver = handOver(transport("user", "secret", Starttls.AUTO, 1), 1);

        assertUnavailable(handOver, Kind.WAIT, "asks for more after the password");
        assertThat(handOver.unavailable().orElseThrow().reason()).asString().doesNotContain("refused");
    }

    /** Uses the example of RFC 2195, section 2. */
    @Test
    void aPasswordNeedNotTravel() {
        server.offer("AUTH CRAM-MD5")
                .reply("AUTH CRAM-MD5", "334 PDE4OTYuNjk3MTcwOTUyQHBvc3RvZmZpY2UucmVzdG9uLm1jaS5uZXQ+");

        handOver(transport("tim", "tanstaaftanstaaf", Starttls.AUTO, 1), 1);

        assertThat(server.commands()).contains("dGltIGI5MTNhNjAyYzdlZGE3YTQ5NWI0ZTZlNzMzNGQzODkw");
    }

    @Test
    void waysToSignInThatWeDoNotKnowPause() {
        server.offer("AUTH GSSAPI");

        HandOverResult handOver = handOver(transport("user", "secret", Starttls.AUTO, 1), 2);

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        assertThat(handOver.unavailable().orElseThrow().reason()).asString().contains("GSSAPI");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(US_ASCII));
    }
}
