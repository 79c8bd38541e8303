package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.azuremail.web.process.Mailings.Mailing;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service is killed during a message by SendGrid's API, while SendGrid's events arrive. In the end, all
 * emails that the provider accepted are Sent, and nobody got two. {@code infra/prove} runs this test with five kills in
 * 20,000 emails.
 */
class WebhookKillIT {

    private static final int KILLS = Integer.getInteger("azuremail.test.webhook-kills", 1);
    private static final int READERS = KILLS * 4000;
    private static final int BATCH = 50;

    @Test
    @Tag("long")
    @Timeout(600)
    @DisplayName(
            "SIGKILL during a message by SendGrid: once the events have arrived, everybody whom it reached is Sent")
    void nobodyWhomTheProviderReachedStaysUnknown(@TempDir Path directory) throws Exception {
        long seed = Long.getLong("azuremail.test.seed", new Random().nextLong());
        System.out.printf("webhook kills: -Dazuremail.test.seed=%d%n", seed);
        Random random = new Random(seed);
        try (MailCount mails = new MailCount(1, Duration.ofMillis(200));
                EventPost events = new EventPost();
                KilledService service = new KilledService(
                        directory,
                        List.of(
                                "azuremail.mail.transport=sendgrid",
                                "azuremail.mail.sendgrid.endpoint=" + mails.endpoint(0),
                                "azuremail.mail.sendgrid.api-key=key",
                                "azuremail.mail.sendgrid.batch-size=" + BATCH,
                                "azuremail.mail.sendgrid.event-verification=" + events.verificationKey()))) {
            mails.handles(events::accepted);
            events.begin(service.program().url());
            Mailings mailings = new Mailings(service.program(), mails);
            List<String> readers = Program.readers(READERS);
            service.program().makeList("events");
            service.program().importAddresses("events", readers);
            Mailing mailing = mailings.hold("events", "events", readers);
            for (int kill = 0; kill < KILLS; kill++) {
                int moment = READERS / KILLS * kill + 1 + random.nextInt(READERS / KILLS / 2);
                Awaitility.await(moment + " mails")
                        .atMost(Duration.ofMinutes(2))
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> mailings.mailed(mailing) >= moment);
                service.killAndStartAgain();
            }
            service.program().awaitCompletion(mailing.path(), Duration.ofMinutes(4));
            events.awaitAllAccepted();
            events.replay(random);
            events.awaitAllAccepted();

            Set<String> unreached = new TreeSet<>(readers);
            unreached.removeAll(mails.times(mailing.subject()).keySet());
            Set<String> unknown = mailings.inDoubt(mailing);
            System.out.printf(
                    "webhook kills: %d kills, %d posts refused, %d unreached%n",
                    KILLS, events.refused(), unreached.size());
            assertThat(unknown).as("in doubt: requests that never arrived").isEqualTo(unreached);
        }
    }
}
