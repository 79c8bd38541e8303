package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.junit.jupiter.api.Test;

/** Checks when the guard is asked, that it hears of each email, and that no email is sent after it says no. */
class SmtpGuardTest extends OnScriptedServer {

    @Test
    void nothingGoesOutAfterTheGuardSaidNo() {
        AtomicInteger asked = new AtomicInteger();

        HandOverResult handOver = transport.handOver(lot(5), () -> asked.incrementAndGet() < 3);

        assertThat(handOver.answers().subList(0, 3)).hasOnlyElementsOfType(Answer.Accepted.class);
        untaken(handOver, 3);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(asked).hasValue(3);
        assertThat(server.recipients()).hasSize(3);
    }

    @Test
    void theGuardIsAskedAgainBeforeAnotherConnectionIsTried() {
        server.hangUpOnce("RCPT TO:<u0000002");
        AtomicInteger asked = new AtomicInteger();

        HandOverResult handOver = transport.handOver(lot(3), () -> asked.incrementAndGet() < 2);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Accepted.class);
        untaken(handOver, 1);
        assertThat(handOver.unavailable()).isEmpty();
    }

    @Test
    void afterALongWaitForAConnectionTheGuardIsAskedBeforeTheFirstMail() {
        AtomicInteger asked = new AtomicInteger();
        SmtpTransport slow = transport(new SlowTime(Duration.ofSeconds(2)));

        HandOverResult handOver = slow.handOver(lot(2), () -> asked.incrementAndGet() < 1);

        untaken(handOver, 0);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.recipients()).isEmpty();
    }

    @Test
    void theGuardHearsOfEachMailBeforeItIsWrittenAndWhenItIsAnswered() {
        server.replyOnce("RCPT TO:<u0000002", "550 no").hangUpOnce(".");
        List<String> journal = new ArrayList<>();

        transport.handOver(lot(3), journaling(journal));

        assertThat(journal).containsExactly("begins 0", "Unknown 0");
        journal.clear();
        transport.handOver(lot(3), journaling(journal));
        assertThat(journal).containsExactly("begins 0", "Accepted 0", "Refused 1", "begins 2", "Accepted 2");
    }
}
