package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.azuremail.web.process.Mailings.Mailing;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service with all roles and the embedded storage is killed repeatedly during three messages. One goes to
 * 20,000 people by SMTP, and two go to 10,000 by SendGrid's API, of which one holds emails in doubt and one sends them
 * again. {@code -Dazuremail.test.readers=N} sends to more people in the same time. The test compares the records with
 * the provider's counts, recipient by recipient.
 */
class KilledServiceIT {

    private static final int READERS = Integer.getInteger("azuremail.test.readers", 20_000);
    private static final int KILLS = Integer.getInteger("azuremail.test.kills", 3);
    private static final Duration PER_MAIL = Duration.ofMillis(150_000 / READERS);
    private static final Duration PER_REQUEST = Duration.ofMillis(1200);

    /** One of them sends no list emails. */
    private static final int CONNECTIONS = 10;

    private static final int REQUESTS = 8;

    /** Each of the two messages takes a hundred requests. */
    private static final int BATCH = READERS / 200;

    /**
     * The journal records which emails were begun and how the server answered, so one email for each connection can be
     * in doubt.
     */
    private static final int SMTP_DOUBTS = KILLS * (CONNECTIONS - 1);

    private static final int SEND_GRID_DOUBTS = KILLS * REQUESTS * BATCH;

    @Test
    @Timeout(1200)
    @DisplayName(
            "SIGKILL during as many mails by SMTP and by SendGrid: nobody is lost, only what was in the air is in doubt")
    void killsLoseNobodyAndLeaveOnlyWhatWasInTheAirInDoubt(@TempDir Path directory) throws Exception {
        long seed = Long.getLong("azuremail.test.seed", new Random().nextLong());
        System.out.printf("kills: -Dazuremail.test.seed=%d%n", seed);
        try (MailCount mails = new MailCount(1, PER_MAIL);
                KilledService service = new KilledService(directory, transports(mails))) {
            Mailings mailings = new Mailings(service.program(), mails);
            List<String> readers = Program.readers(READERS);
            mailings.makeList("smtp", "relay", readers);
            List<String> half = readers.subList(0, READERS / 2);
            mailings.makeList("sendgrid", "api", half);
            mails.slow("sent again", PER_REQUEST);
            mails.slow("held", PER_REQUEST);
            Mailing sentAgain = mailings.resend("sendgrid", "sent again", half);
            Mailing held = mailings.hold("sendgrid", "held", half);
            Mailing bySmtp = mailings.hold("smtp", "smtp", readers);

            killOnTheWay(
                    new Random(seed),
                    service,
                    mailings,
                    Map.of(bySmtp, SMTP_DOUBTS, sentAgain, SEND_GRID_DOUBTS, held, SEND_GRID_DOUBTS));

            assertThat(mailings.inDoubt(bySmtp))
                    .as("in doubt: a mail a connection")
                    .hasSizeLessThanOrEqualTo(SMTP_DOUBTS);
            assertThat(mailings.inDoubt(sentAgain).size()
                            + mailings.inDoubt(held).size())
                    .as("in doubt: the requests that were in the air")
                    .isLessThanOrEqualTo(SEND_GRID_DOUBTS);
        }
    }

    private static List<String> transports(MailCount mails) {
        String smtp = "azuremail.mail.transports.relay.";
        String sendGrid = "azuremail.mail.transports.api.";
        return List.of(
                "azuremail.mail.order=relay,api",
                smtp + "kind=smtp",
                smtp + "rate=0",
                smtp + "smtp.host=localhost",
                smtp + "smtp.port=" + mails.port(0),
                smtp + "smtp.starttls=false",
                smtp + "smtp.connections=" + CONNECTIONS,
                sendGrid + "kind=sendgrid",
                sendGrid + "sendgrid.endpoint=" + mails.endpoint(0),
                sendGrid + "sendgrid.api-key=key",
                sendGrid + "sendgrid.batch-size=" + BATCH);
    }

    /**
     * Kills the service after every message has begun and a random number of emails has been sent, and checks that each
     * message continues.
     */
    private static void killOnTheWay(
            Random random, KilledService service, Mailings mailings, Map<Mailing, Integer> doubts) throws Exception {
        int all = doubts.keySet().stream()
                .mapToInt(mailing -> mailing.readers().size())
                .sum();
        Map<String, Integer> inTheMiddle = new TreeMap<>();
        for (Mailing mailing : doubts.keySet()) {
            awaitMails(1, Duration.ofMinutes(2), mailings, List.of(mailing));
        }
        for (int kill = 0; kill < KILLS; kill++) {
            int moment = all / KILLS * kill + 1 + random.nextInt(all / KILLS - READERS / 10);
            awaitMails(moment, Duration.ofMinutes(2), mailings, doubts.keySet());
            service.killAndStartAgain();
            for (Mailing mailing : doubts.keySet()) {
                int then = mailings.mailed(mailing);
                System.out.printf("killed the service at %d mails by %s%n", then, mailing.subject());
                int inDoubtByNow = doubts.get(mailing) * (kill + 1) / KILLS;
                if (then < mailing.readers().size() - inDoubtByNow) {
                    inTheMiddle.merge(mailing.subject(), Math.min(then, 1), Integer::sum);
                    awaitMails(then + 1, Duration.ofSeconds(60), mailings, List.of(mailing));
                }
            }
        }
        System.out.printf("kills in the middle: %s%n", inTheMiddle);
        assertThat(inTheMiddle)
                .as("kills in the middle")
                .hasSize(doubts.size())
                .allSatisfy((message, kills) -> assertThat(kills).isPositive());
    }

    private static void awaitMails(int count, Duration atMost, Mailings mailings, Iterable<Mailing> messages) {
        List<Mailing> counted = new ArrayList<>();
        messages.forEach(counted::add);
        Awaitility.await(count + " mails")
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> counted.stream().mapToInt(mailings::mailed).sum() >= count);
    }
}
