package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.azuremail.web.process.Program.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the three roles in one process, as in a first installation, with a list of 100,000. */
class WholeServiceIT {

    private static final int READERS = 100_000;
    private static final String NEWCOMER = "newcomer@example.net";
    private static final Pattern LINK = Pattern.compile("http://\\S+/subscribe\\?[^\\s<>\"]+");
    private static final Pattern ONE_CLICK = Pattern.compile("<(http[^>]+)>");

    @Test
    @Timeout(600)
    @DisplayName(
            "P-6, E-17: a confirmation leaves within 10 s while 100,000 list mails go out, and every one of them does")
    void confirmationOvertakesAHundredThousandMails(@TempDir Path data) throws Exception {
        try (LocalService service = LocalService.start(data)) {
            Program program = service.program();
            program.makeList("crowd");
            program.makeList("club");
            program.importReaders("crowd", READERS);
            String message = program.send("crowd");
            Awaitility.await("all its mails to be under way")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> program.state(message).equals("processing"));

            String confirmation = confirmationWithinTenSeconds(program, message);
            confirm(program, confirmation);

            Answer done = program.awaitCompletion(message, Duration.ofMinutes(5));
            everybodyGotIt(done);
            oneClickLeaves(program, Program.reader(4711));
        }
    }

    private static String confirmationWithinTenSeconds(Program program, String message) {
        assertThat(program.subscribe("club", NEWCOMER).status()).isEqualTo(202);
        Answer meanwhile = program.get(message);
        assertThat(meanwhile.<String>at("$.state")).as(meanwhile.body()).isEqualTo("processing");
        assertThat(meanwhile.count("waiting")).as(meanwhile.body()).isPositive();
        Awaitility.await("the confirmation mail").atMost(Duration.ofSeconds(10)).until(() -> !program.mailsTo(NEWCOMER)
                .isEmpty());
        return program.mailsTo(NEWCOMER).get(0);
    }

    /** Opening the link changes nothing; clicking the button confirms. */
    private static void confirm(Program program, String confirmation) {
        Matcher link = LINK.matcher(program.text(confirmation));
        assertThat(link.find()).as("the mail has a link").isTrue();
        Visitor visitor = new Visitor();
        HttpResponse<String> page = visitor.open(link.group());
        assertThat(program.subscriptionState("club", NEWCOMER)).isEqualTo("unconfirmed");
        assertThat(visitor.press(page, "/subscribe", Map.of()).statusCode()).isEqualTo(200);
        assertThat(program.subscriptionState("club", NEWCOMER)).isEqualTo("subscribed");
    }

    private static void everybodyGotIt(Answer message) {
        assertThat(message.count("recipients")).isEqualTo(READERS);
        assertThat(message.count("sent")).isEqualTo(READERS);
        for (String none : new String[] {"waiting", "failed", "skipped", "unknown"}) {
            assertThat(message.count(none)).as(none).isZero();
        }
        Duration took =
                Duration.between(Instant.parse(message.at("$.createdAt")), Instant.parse(message.at("$.completedAt")));
        System.out.printf("%d mails in %s: %d a second%n", READERS, took, READERS * 1000L / took.toMillis());
    }

    /** RFC 8058: the request has no cookie, takes effect at once, and is not redirected. */
    private static void oneClickLeaves(Program program, String reader) throws Exception {
        assertThat(program.mailsTo(reader)).hasSize(1);
        Map<String, String> headers = program.headers(program.mailsTo(reader).get(0));
        assertThat(headers).containsEntry("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
        Matcher link = ONE_CLICK.matcher(headers.getOrDefault("List-Unsubscribe", ""));
        assertThat(link.find()).as("a link in %s", headers).isTrue();
        assertThat(program.subscriptionState("crowd", reader)).isEqualTo("subscribed");

        HttpRequest oneClick = HttpRequest.newBuilder(URI.create(link.group(1)))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("List-Unsubscribe=One-Click"))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(oneClick, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(program.subscriptionState("crowd", reader)).isEqualTo("unsubscribed");
    }
}
