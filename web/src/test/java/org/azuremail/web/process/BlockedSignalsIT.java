package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.azuremail.app.FreePort;
import org.azuremail.storage.azurite.Azurite;
import org.azuremail.storage.azurite.TcpProxy;
import org.azuremail.web.process.Mailings.Mailing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process with the roles web and scheduler, a sender, and Azurite, with a firewall before the sender's signal port.
 * The sender listens at one loopback address and announces another, where a proxy passes signals on or not. {@code
 * safety-poll} is never, and {@code max-idle} an hour: an empty queue is polled ever more rarely, except by a process
 * that has noticed that no signals reach it. {@code -Dazuremail.test.shipped=true} runs the class with the shipped
 * settings. {@link IdleServiceIT} checks when idle processes poll.
 */
class BlockedSignalsIT {

    private static final int PEOPLE = 200;
    private static final String DEAF = "Signals of other processes do not reach this one";
    private static final String HEARS_AGAIN = "Signals of other processes reach this one again";

    /** The sender polls after ten seconds and reports it after fifteen; the rest is for a slow machine. */
    private static final Duration SOON = Duration.ofSeconds(40);

    private final Azurite azurite = Azurite.start();
    private final List<WorkerProcess> processes = new ArrayList<>();
    private int port;
    private TcpProxy firewall;
    private MailCount mails;
    private Mailings mailings;
    private Path directory;

    @BeforeEach
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        port = FreePort.find();
        firewall = TcpProxy.toSamePortOf(InetAddress.getByName("127.0.0.2"));
        mails = new MailCount(1, Duration.ofMillis(1));
        mailings = new Mailings(new Program("http://localhost:" + port, LocalService.KEY), mails);
        begin(
                "web",
                "azuremail.roles=web,scheduler",
                "server.port=" + port,
                "azuremail.password.strength=4",
                "azuremail.bootstrap.admin-email=" + LocalService.ADMIN,
                "azuremail.bootstrap.admin-password=" + LocalService.PASSWORD,
                "azuremail.bootstrap.api-key=" + LocalService.KEY,
                "azuremail.work.signals.bind=127.0.0.1");
    }

    @AfterEach
    void stop() {
        processes.forEach(WorkerProcess::close);
        mails.close();
        firewall.close();
        azurite.close();
    }

    private WorkerProcess sender() throws Exception {
        return begin(
                "worker-sender",
                "azuremail.work.signals.bind=127.0.0.2",
                "azuremail.work.signals.port=" + firewall.port(),
                "azuremail.work.signals.host=127.0.0.1");
    }

    private WorkerProcess begin(String module, String... own) throws Exception {
        String smtp = "azuremail.mail.transports." + AzureProcesses.SMTP;
        List<String> settings = new ArrayList<>(List.of(
                "azuremail.storage=azure",
                "azuremail.azure.connection-string=" + azurite.connectionString(),
                "azuremail.public-url=http://localhost:" + port,
                "azuremail.mail.order=" + AzureProcesses.SMTP,
                smtp + ".kind=smtp",
                smtp + ".rate=0",
                smtp + ".smtp.host=localhost",
                smtp + ".smtp.port=" + mails.port(0),
                smtp + ".smtp.starttls=false"));
        if (!AzureProcesses.AS_SHIPPED) {
            settings.addAll(List.of("azuremail.work.max-idle=1h", "azuremail.work.safety-poll=never"));
        }
        settings.addAll(List.of(own));
        WorkerProcess process =
                WorkerProcess.start(module, Files.createDirectories(directory.resolve("data")), settings);
        processes.add(process);
        process.awaitReady();
        return process;
    }

    private static void awaitLog(WorkerProcess process, String sentence) {
        Awaitility.await(sentence)
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> process.log().contains(sentence));
    }

    private void everybodyIsMailedOnce(Mailing mailing) {
        assertThat(mailings.inDoubt(mailing)).isEmpty();
        assertThat(mails.times(mailing.subject()))
                .as("mailed")
                .hasSize(PEOPLE)
                .allSatisfy((reader, times) -> assertThat(times).isEqualTo(1));
    }

    @Test
    @Tag("long")
    @Timeout(600)
    @DisplayName(
            "A65: a sender whose signal port is blocked from the start, and again midway, finds each message by itself")
    void a65_aSenderWhoseSignalPortIsBlockedFindsEachMessageByItself() throws Exception {
        firewall.breakOff();
        WorkerProcess sender = sender();
        awaitLog(sender, DEAF);
        Mailing fromTheStart = mailings.begin("from_the_start", Program.readers(PEOPLE));
        everybodyIsMailedOnce(fromTheStart);
        assertThat(sender.log()).doesNotContain(HEARS_AGAIN);

        firewall.pass();
        awaitLog(sender, HEARS_AGAIN);
        firewall.hang();
        Mailing midway = mailings.hold("from_the_start", "midway", Program.readers(PEOPLE));

        Awaitility.await("the first email of a message that no signal tells of")
                .atMost(SOON)
                .until(() -> mailings.mailed(midway) > 0);
        Awaitility.await("it finds out again")
                .atMost(SOON)
                .until(() -> sender.log().split(DEAF, -1).length == 3);
        everybodyIsMailedOnce(midway);
    }
}
