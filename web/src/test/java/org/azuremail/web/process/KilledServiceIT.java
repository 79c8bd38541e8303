package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.azuremail.web.process.Program.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service with all roles and the embedded storage, killed again and again during a message to 50,000. What its
 * records say is compared with what the provider counted, recipient by recipient.
 */
class KilledServiceIT {

    private static final int READERS = 50_000;
    private static final int KILLS = 3;
    private static final int CONNECTIONS = 10;
    private static final int SMTP_LOT = 99;
    private static final int REQUESTS = 8;
    private static final int BATCH = 250;

    @Test
    @Timeout(540)
    @DisplayName("SIGKILL during 50,000 mails by SMTP, in doubt is held: nobody is lost, nobody is mailed twice")
    void killsDuringAMessageBySmtpLoseNobodyAndMailNobodyTwice(@TempDir Path directory) throws Exception {
        try (MailCount mails = new MailCount(1, Duration.ofMillis(3));
                KilledService service = new KilledService(directory, smtp(mails.port(0)))) {
            String message = killedOnItsWay(service, mails, "hold");

            Set<String> unknown = compare(service.program(), message, mails);
            assertThat(mails.times("killed").values()).as("mails to one reader").allMatch(times -> times == 1);
            assertThat(unknown)
                    .as("in doubt: the lots that were in the air")
                    .hasSizeLessThanOrEqualTo(KILLS * (CONNECTIONS - 1) * SMTP_LOT);
        }
    }

    @Test
    @Timeout(540)
    @DisplayName(
            "SIGKILL during 50,000 mails by SendGrid, in doubt is sent again: nobody is lost, one lot a request twice")
    void killsDuringAMessageBySendGridLoseNobodyAndDoubleOnlyWhatWasInTheAir(@TempDir Path directory) throws Exception {
        try (MailCount mails = new MailCount(1, Duration.ofMillis(400));
                KilledService service = new KilledService(directory, sendGrid(mails.endpoint(0)))) {
            String message = killedOnItsWay(service, mails, "resend");

            compare(service.program(), message, mails);
            List<Integer> doubled = mails.times("killed").values().stream()
                    .filter(times -> times > 1)
                    .toList();
            System.out.printf("kills: %d readers were mailed twice%n", doubled.size());
            assertThat(doubled).as("never a third time").allMatch(times -> times == 2);
            assertThat(doubled)
                    .as("twice: the lots that were in the air")
                    .hasSizeLessThanOrEqualTo(KILLS * REQUESTS * BATCH);
        }
    }

    private static List<String> smtp(int port) {
        return List.of(
                "azuremail.mail.transport=smtp",
                "azuremail.mail.rate=0",
                "azuremail.mail.smtp.host=localhost",
                "azuremail.mail.smtp.port=" + port,
                "azuremail.mail.smtp.starttls=false",
                "azuremail.mail.smtp.connections=" + CONNECTIONS);
    }

    private static List<String> sendGrid(String endpoint) {
        return List.of(
                "azuremail.mail.transport=sendgrid",
                "azuremail.mail.rate=0",
                "azuremail.mail.sendgrid.endpoint=" + endpoint,
                "azuremail.mail.sendgrid.api-key=key",
                "azuremail.mail.sendgrid.batch-size=" + BATCH,
                "azuremail.work.concurrency.azuremailqueue=" + REQUESTS);
    }

    private static String killedOnItsWay(KilledService service, MailCount mails, String onUnknown) throws Exception {
        long seed = Long.getLong("azuremail.test.seed", new Random().nextLong());
        System.out.printf("kills: -Dazuremail.test.seed=%d%n", seed);
        Random random = new Random(seed);
        service.program().makeList("killed");
        service.program().importReaders("killed", READERS);
        String message = service.program().send("killed", "killed", onUnknown);
        for (int kill = 1; kill <= KILLS; kill++) {
            int from = READERS * (kill - 1) / KILLS;
            int at = Math.max(mails.mails("killed") + 1, from + random.nextInt(READERS / KILLS));
            awaitMails(mails, Math.min(at, READERS - 1), Duration.ofMinutes(2));
            service.killAndStartAgain();
            int then = mails.mails("killed");
            System.out.printf("killed the service at %d mails%n", then);
            if (then < READERS - KILLS * REQUESTS * BATCH) {
                awaitMails(mails, then + 1, Duration.ofSeconds(60));
            }
        }
        return message;
    }

    private static void awaitMails(MailCount mails, int count, Duration atMost) {
        Awaitility.await(count + " mails")
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> mails.mails("killed") >= count);
    }

    /**
     * Everybody has one outcome; who is Sent was mailed; who was mailed is Sent or Unknown.
     *
     * @return who is Unknown
     */
    private static Set<String> compare(Program program, String message, MailCount mails) {
        Answer done = program.awaitCompletion(message, Duration.ofMinutes(4));
        Map<String, Integer> times = mails.times("killed");
        List<String> sent = program.recipients(message, "sent");
        List<String> unknown = program.recipients(message, "unknown");
        Set<String> everybody = new HashSet<>(sent);
        everybody.addAll(unknown);
        System.out.printf("kills: %d sent, %d unknown, %d mailed%n", sent.size(), unknown.size(), times.size());
        assertThat(sent.size() + unknown.size()).as(done.body()).isEqualTo(READERS);
        assertThat(everybody.equals(readers())).as("everybody has an outcome").isTrue();
        assertThat(times.keySet().containsAll(sent))
                .as("whoever is Sent has the mail")
                .isTrue();
        assertThat(done.count("recipients")).isEqualTo(READERS);
        assertThat(done.count("sent")).isEqualTo(sent.size());
        assertThat(done.count("unknown")).isEqualTo(unknown.size());
        return new HashSet<>(unknown);
    }

    private static Set<String> readers() {
        Set<String> readers = new HashSet<>();
        IntStream.rangeClosed(1, READERS).mapToObj(Program::reader).forEach(readers::add);
        return readers;
    }

    /** The service as a process that starts again on the same data. */
    private static final class KilledService implements AutoCloseable {

        private final Path directory;
        private final List<String> settings;
        private final int port = LocalService.freePort();
        private WorkerProcess process;

        KilledService(Path directory, List<String> settings) throws Exception {
            this.directory = Files.createDirectories(directory.resolve("data"));
            this.settings = new ArrayList<>(settings);
            this.settings.addAll(List.of(
                    "server.port=" + port,
                    "azuremail.public-url=http://localhost:" + port,
                    "azuremail.password.strength=4",
                    "azuremail.bootstrap.admin-email=" + LocalService.ADMIN,
                    "azuremail.bootstrap.admin-password=" + LocalService.PASSWORD,
                    "azuremail.bootstrap.api-key=" + LocalService.KEY));
            process = start();
        }

        private WorkerProcess start() throws Exception {
            WorkerProcess started = WorkerProcess.start(AzureProcesses.WEB, directory, settings);
            try {
                started.awaitReady();
            } catch (RuntimeException | Error notReady) {
                started.close();
                throw notReady;
            }
            return started;
        }

        void killAndStartAgain() throws Exception {
            process.kill();
            process = start();
        }

        Program program() {
            return new Program("http://localhost:" + port, LocalService.KEY);
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
