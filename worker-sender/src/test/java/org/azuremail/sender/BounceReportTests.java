package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.feedback.BounceProcessor;
import org.azuremail.feedback.EmailFinder;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.mail.Answer;
import org.azuremail.message.MessageRef;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks bounce reports that arrive by email after the emails were sent. */
class BounceReportTests extends OnFeedback {

    private BounceProcessor reports() {
        return new BounceProcessor(
                new FeedbackProperties("bounces@example.org", 0.05, 0.003, 100),
                world.process.handles,
                new EmailFinder(
                        world.process.handles,
                        world.process.messageStore,
                        world.process.deliveries,
                        world.process.search),
                world.process.recorder,
                world.time);
    }

    /** Finds the email by the handle in the return path, or by Message-ID and address. A forger knows neither. */
    @Test
    void anEmailOfAMailboxIsTakenOnceHoweverOftenItComes() {
        list();
        MessageRef ref = begin();
        Map<String, String> messageIds = new TreeMap<>();
        Map<String, String> returnPaths = new TreeMap<>();
        world.transport.answer((mail, attempt) -> {
            messageIds.put(mail.to().address().value(), mail.messageId());
            returnPaths.put(mail.to().address().value(), String.valueOf(mail.returnPath()));
            return new Answer.Accepted("id");
        });
        world.runToEnd();
        BounceProcessor processor = reports();
        String letter = """
                From: MAILER-DAEMON@example.net
                To: <%s>
                Subject: failure notice
                Date: Thu, 1 Jan 2026 11:00:00 +0000

                <%s>:
                Sorry, no mailbox here by that name. (#5.1.1)

                --- Below this line is a copy of the message.

                Message-ID: <%s>
                """;
        assertThat(returnPaths.get(address(1)))
                .matches("bounces\\+[0-9a-z]{20,52}@example.org")
                .hasSizeLessThan(77);
        for (int time = 0; time < 2; time++) {
            assertThat(processor.process(bytes(
                            letter.formatted(returnPaths.get(address(1)).toUpperCase(), "forwarded@other.test", "x"))))
                    .isTrue();
            assertThat(processor.process(
                            bytes(letter.formatted("news@example.org", address(2), messageIds.get(address(2))))))
                    .isTrue();
            for (String forged : List.of(
                    letter.formatted("news@example.org", address(3), messageIds.get(address(4))),
                    letter.formatted("bounces+" + "a".repeat(40) + "@example.org", address(5), "x"),
                    letter.formatted("news@example.org", address(5), "0".repeat(32) + ".999999@example.org"))) {
                assertThat(processor.process(bytes(forged))).isFalse();
            }
            assertThat(counts(ref)).isEqualTo(new OutcomeCounts(RECIPIENTS, 0, 0, 0, 2, 0));
        }
        assertThat(why(1)).contains(SuppressionReason.SUPPRESSED_BOUNCE);
        assertThat(why(2)).contains(SuppressionReason.SUPPRESSED_BOUNCE);
        assertThat(why(3)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Mon, 1 Jan 1500 11:00:00 +0000", "Mon, 1 Jan 0001 11:00:00 +0000", "1 Jan 99999 11:00:00 +0000"
            })
    void aReportFromAnImpossibleYearIsTaken(String date) {
        String returnPath = returnPathOfTheFirst();
        String letter = """
                From: MAILER-DAEMON@example.net
                To: <%s>
                Subject: failure notice
                Date: %s

                550 5.1.1 no such user
                """;

        assertThat(reports().process(bytes(letter.formatted(returnPath, date)))).isTrue();
        assertThat(why(1)).contains(SuppressionReason.SUPPRESSED_BOUNCE);
    }

    /** A line is cut after 500 characters. */
    @Test
    void aReportThatIsCutInTheMiddleOfAnEmojiIsTaken() {
        String returnPath = returnPathOfTheFirst();
        String letter = """
                From: MAILER-DAEMON@example.net
                To: <%s>
                Subject: failure notice
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: 8bit

                %s
                """;
        String said = "550 5.1.1 no such user";
        String line = said + " ".repeat(499 - said.length()) + "\uD83D\uDE00";

        assertThat(reports().process(letter.formatted(returnPath, line).getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(why(1)).contains(SuppressionReason.SUPPRESSED_BOUNCE);
    }

    private String returnPathOfTheFirst() {
        list();
        begin();
        Map<String, String> returnPaths = new TreeMap<>();
        world.transport.answer((mail, attempt) -> {
            returnPaths.put(mail.to().address().value(), String.valueOf(mail.returnPath()));
            return new Answer.Accepted("id");
        });
        world.runToEnd();
        return returnPaths.getOrDefault(address(1), "");
    }

    @Test
    void anAbsenceNoteToAReturnPathSuppressesNobody() {
        list();
        MessageRef ref = begin();
        world.runToEnd();
        String note = """
                From: Postmaster <postmaster@small.example>
                To: <%s>
                Subject: Delivery report: News
                Auto-Submitted: auto-replied

                I am away. Our new office: 550 Fifth Avenue.
                My old address %s is no longer valid.
                """;
        assertThat(reports()
                        .process(bytes(
                                note.formatted("bounces+" + handles.get(address(1)) + "@example.org", address(1)))))
                .isFalse();
        assertThat(counts(ref).bounced()).isZero();
        assertThat(why(1)).isEmpty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
}
