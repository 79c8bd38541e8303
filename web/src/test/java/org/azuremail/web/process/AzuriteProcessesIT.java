package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.azuremail.web.process.Mailings.Mailing;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three senders, two schedulers and a web application as processes on Azurite, and a mail provider that takes 50 ms an answer.
 * What the records say is compared with what the provider counted, recipient by recipient. Each test leaves all processes
 * running.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AzuriteProcessesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int SIGTERM_EXIT = 143;
    private static final int KILLS = 10;

    private AzureProcesses processes;
    private MailCount mails;
    private Mailings mailings;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        processes = AzureProcesses.start(directory);
        mails = processes.mails();
        mailings = new Mailings(processes.program(), mails);
    }

    @AfterAll
    void stop() {
        if (processes != null) {
            processes.close();
        }
    }

    @Test
    @Timeout(300)
    @DisplayName("E-12: three senders share the work, and no address is mailed twice")
    void e12_threeSendersShareTheWorkAndMailNobodyTwice() throws Exception {
        mails.slow("shared", Duration.ofMillis(150));
        Mailing mailing = mailings.begin("shared", Program.readers(300));

        assertThat(mailings.inDoubt(mailing)).isEmpty();

        Map<Integer, Integer> byDoor = mails.byDoor(mailing.subject());
        System.out.printf("E-12: mails by sender %s%n", byDoor);
        assertThat(byDoor).as("mails by sender").hasSize(AzureProcesses.SENDERS.size());
    }

    @Test
    @Timeout(300)
    @DisplayName("E-13: a lot that takes longer than its lease is not begun by a second sender")
    void e13_aLotThatTakesLongerThanItsLeaseStaysWithItsSender() throws Exception {
        mails.slow("slow", Duration.ofSeconds(12));
        Mailing mailing = mailings.begin("slow", Mailings.neighbours(3));

        assertThat(mailings.inDoubt(mailing)).isEmpty();

        assertThat(mails.byDoor(mailing.subject())).as("mails by sender").hasSize(1);
    }

    @Test
    @Timeout(300)
    @DisplayName("E-21: a stop of each role in the middle ends in time, and leaves nothing lost or in doubt")
    void e21_aStopOfEachRoleInTheMiddleLosesNothing() throws Exception {
        Mailing mailing = mailings.begin("stopped", Program.readers(100));
        mailings.untilMailed(mailing, 10);
        List<String> stopping = List.of("sender-2", "scheduler-1", AzureProcesses.WEB);

        stopping.forEach(name -> processes.get(name).stop());
        for (String name : stopping) {
            assertThat(processes.get(name).awaitEnd(30)).as(name).isIn(0, SIGTERM_EXIT);
        }
        assertThat(mails.mails(mailing.subject()))
                .as("mails when they had stopped")
                .isLessThan(100);
        processes.startTogether(stopping);

        assertThat(mailings.inDoubt(mailing)).isEmpty();
    }

    @Test
    @Timeout(600)
    @DisplayName(
            "Ten processes are killed and one is stopped in the middle: nobody is lost, and nobody is mailed twice")
    void tenKillsLoseNobodyAndMailNobodyTwice() throws Exception {
        long seed = Long.getLong("azuremail.test.seed", new Random().nextLong());
        System.out.printf("kills: -Dazuremail.test.seed=%d%n", seed);
        Random random = new Random(seed);
        List<String> readers = Program.readers(80);
        mailings.importReaders("killed", readers);
        List<Mailing> killed = new ArrayList<>();
        int senderKills = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Mailing mailing = mailings.send("killed", "killed " + kill, readers);
            killed.add(mailing);
            mailings.untilMailed(mailing, 1 + random.nextInt(40));
            senderKills += killAndStartAgain(random);
            if (kill == KILLS / 2) {
                stopAndStartAgain(AzureProcesses.SENDERS.get(random.nextInt(AzureProcesses.SENDERS.size())));
            }
        }

        Set<String> lotsInDoubt = new HashSet<>();
        for (Mailing mailing : killed) {
            mailings.inDoubt(mailing)
                    .forEach(address -> lotsInDoubt.add(mailing.subject() + " " + Mailings.shardOf(address)));
        }
        System.out.printf("kills: %d of senders, %d lots in doubt%n", senderKills, lotsInDoubt.size());
        assertThat(lotsInDoubt)
                .as("lots in doubt: what the killed senders had in the air")
                .hasSizeLessThanOrEqualTo(senderKills * AzureProcesses.LOTS_OF_A_SENDER);
    }

    private void goesOnAfter(Duration outage, Mailing mailing) throws Exception {
        endure(outage);

        assertThat(mailings.inDoubt(mailing)).isEmpty();
        assertThat(processes.allRun()).isTrue();
        atMostOneErrorAMinute();
    }

    @Test
    @Timeout(300)
    @DisplayName("E-22: twenty seconds in which the storage refuses every connection lose and double nobody")
    void e22_twentySecondsWithoutStorageLoseAndDoubleNobody() throws Exception {
        Mailing mailing = mailings.begin("refused", Program.readers(300));
        mailings.untilMailed(mailing, 30);

        processes.proxy().breakOff();
        goesOnAfter(Duration.ofSeconds(20), mailing);
    }

    @Test
    @Timeout(480)
    @DisplayName("E-22: two minutes in which the storage says nothing lose and double nobody; one error a minute")
    void e22_twoMinutesOfSilentStorageLoseAndDoubleNobody() throws Exception {
        Mailing mailing = mailings.begin("silent", Program.readers(500));
        mailings.untilMailed(mailing, 50);

        processes.proxy().hang();
        goesOnAfter(Duration.ofMinutes(2), mailing);
    }

    @Test
    @Timeout(300)
    @DisplayName("E-26: who signed in at one web process is signed in at the other, and signs out of both")
    void e26_twoWebProcessesShareTheirSignIns() throws Exception {
        String another = processes.startWeb("web2");
        Visitor visitor = new Visitor();
        assertThat(visitor.open(another + "/lists").uri().getPath()).isEqualTo("/sign-in");
        HttpResponse<String> page = visitor.open(processes.url() + "/sign-in");

        visitor.press(page, "/sign-in", Map.of("email", LocalService.ADMIN, "password", LocalService.PASSWORD));

        HttpResponse<String> lists = visitor.open(another + "/lists");
        assertThat(lists.uri().getPath()).isEqualTo("/lists");
        visitor.press(lists, "/sign-out", Map.of());
        assertThat(visitor.open(processes.url() + "/lists").uri().getPath()).isEqualTo("/sign-in");
        processes.end("web2");
    }

    /** @return how many senders were killed */
    private int killAndStartAgain(Random random) throws Exception {
        List<String> workers = Stream.concat(AzureProcesses.SCHEDULERS.stream(), AzureProcesses.SENDERS.stream())
                .toList();
        String victim = workers.get(random.nextInt(workers.size()));
        processes.get(victim).kill();
        System.out.printf("killed: %s%n", victim);
        processes.startTogether(List.of(victim));
        return AzureProcesses.SENDERS.contains(victim) ? 1 : 0;
    }

    private void stopAndStartAgain(String name) throws Exception {
        assertThat(processes.get(name).stop().awaitEnd(30)).as(name).isIn(0, SIGTERM_EXIT);
        processes.startTogether(List.of(name));
    }

    /** The storage is out of reach already; in the end it is back. Meanwhile nobody waits for ever, or dies. */
    private void endure(Duration length) {
        try {
            Awaitility.await()
                    .during(length)
                    .atMost(length.plusSeconds(60))
                    .pollInterval(Duration.ofMillis(500))
                    .until(processes::allRun);
            assertThat(processes.program().get("/api/v1/lists").status())
                    .as("a call meanwhile")
                    .isEqualTo(503);
        } finally {
            processes.proxy().pass();
        }
    }

    private void atMostOneErrorAMinute() throws Exception {
        for (WorkerProcess process : processes.ever()) {
            List<Instant> errors = process.errors();
            for (int i = 1; i < errors.size(); i++) {
                assertThat(Duration.between(errors.get(i - 1), errors.get(i)))
                        .as("between two errors of\n" + process.log())
                        .isGreaterThan(Duration.ofSeconds(59));
            }
        }
    }
}
