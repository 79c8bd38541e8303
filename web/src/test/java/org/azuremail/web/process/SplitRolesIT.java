package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.azuremail.web.process.Mailings.Mailing;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three senders, two schedulers and a web application as processes on Azurite, and a mail provider that takes 50 ms for
 * each answer. The processes share their work, stop, lose their storage and are killed. The records are compared with
 * the provider's counts, recipient by recipient. All tests share the processes, and each leaves all of them running.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SplitRolesIT {

    private static final int SIGTERM_EXIT = 143;
    private static final int PEOPLE = 2_000;

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
        Mailing mailing = mailings.begin("shared", Program.readers(PEOPLE));

        assertThat(mailings.inDoubt(mailing)).isEmpty();

        Map<Integer, Integer> byDoor = mails.byDoor(mailing.subject());
        System.out.printf("E-12: mails by sender %s%n", byDoor);
        assertThat(byDoor).as("mails by sender").hasSize(AzureProcesses.SENDERS.size());
    }

    @Test
    @Timeout(300)
    @DisplayName("E-13: a lot that takes longer than its lease is not begun by a second sender")
    void e13_aLotThatTakesLongerThanItsLeaseStaysWithItsSender() throws Exception {
        List<String> readers = new ArrayList<>(Mailings.neighbours(3));
        mails.slowFor("slow", readers, Duration.ofSeconds(12));
        Program.readers(PEOPLE).stream()
                .filter(reader -> Mailings.shardOf(reader) != 0)
                .limit(PEOPLE - readers.size())
                .forEach(readers::add);
        Mailing mailing = mailings.begin("slow", readers);

        assertThat(mailings.inDoubt(mailing)).isEmpty();

        assertThat(mails.times(mailing.subject()).values()).as("times mailed").containsOnly(1);
    }

    @Test
    @Timeout(300)
    @DisplayName("E-21: a stop of each role in the middle ends in time, and leaves nothing lost or in doubt")
    void e21_aStopOfEachRoleInTheMiddleLosesNothing() throws Exception {
        Mailing mailing = mailings.begin("stopped", Program.readers(PEOPLE));
        mailings.untilMailed(mailing, PEOPLE / 10);
        List<String> stopping = List.of("sender-2", "scheduler-1", AzureProcesses.WEB);

        stopping.forEach(name -> processes.get(name).stop());
        for (String name : stopping) {
            assertThat(processes.get(name).awaitEnd(30)).as(name).isIn(0, SIGTERM_EXIT);
        }
        assertThat(mails.mails(mailing.subject()))
                .as("mails when they had stopped")
                .isLessThan(PEOPLE);
        processes.startTogether(stopping);

        assertThat(mailings.inDoubt(mailing)).isEmpty();
    }

    @Test
    @Timeout(300)
    @DisplayName("E-26: a person who signed in at one web process is signed in at the other, and signs out of both")
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

    @Test
    @Timeout(300)
    @DisplayName("E-22: twenty seconds in which the storage refuses every connection lose and double nobody")
    void e22_twentySecondsWithoutStorageLoseAndDoubleNobody() throws Exception {
        Mailing mailing = mailings.begin("refused", Program.readers(PEOPLE));
        mailings.untilMailed(mailing, PEOPLE / 10);

        processes.proxy().breakOff();
        goesOnAfter(Duration.ofSeconds(20), mailing);
    }

    @Test
    @Tag("long")
    @Timeout(480)
    @DisplayName("E-22: two minutes in which the storage says nothing lose and double nobody; one error a minute")
    void e22_twoMinutesOfSilentStorageLoseAndDoubleNobody() throws Exception {
        Mailing mailing = mailings.begin("silent", Program.readers(PEOPLE));
        mailings.untilMailed(mailing, PEOPLE / 10);

        processes.proxy().hang();
        goesOnAfter(Duration.ofMinutes(2), mailing);
    }

    private void goesOnAfter(Duration outage, Mailing mailing) throws Exception {
        // The machine's clock, as in the logs of the processes, because earlier tests may have caused errors.
        Instant began = Instant.now();
        endure(outage);

        assertThat(mailings.inDoubt(mailing)).isEmpty();
        assertThat(processes.allRun()).isTrue();
        atMostOneErrorAMinuteSince(began);
    }

    /** Checks that no process blocks or dies while the storage is unreachable, and then connects the storage again. */
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

    private void atMostOneErrorAMinuteSince(Instant began) throws Exception {
        for (WorkerProcess process : processes.ever()) {
            List<Instant> errors =
                    process.errors().stream().filter(at -> !at.isBefore(began)).toList();
            for (int i = 1; i < errors.size(); i++) {
                assertThat(Duration.between(errors.get(i - 1), errors.get(i)))
                        .as("between two errors of\n" + process.log())
                        .isGreaterThan(Duration.ofSeconds(59));
            }
        }
    }

    @Test
    @Tag("long")
    @Timeout(1200)
    @DisplayName(
            "SIGKILL of senders and schedulers during mail by SMTP: nobody is lost, one mail a connection is in doubt")
    void killsDuringMailBySmtpLoseNobodyAndLeaveOneMailAConnectionInDoubt() throws Exception {
        Kills kills = new Kills(processes, mailings);

        Set<String> inDoubt = kills.during(AzureProcesses.SMTP, Kills.MESSAGES);

        assertThat(inDoubt)
                .as("in doubt: the mail that was begun, of each connection of a killed sender")
                .hasSizeLessThanOrEqualTo(kills.ofSenders() * AzureProcesses.LOTS_OF_A_SENDER);
    }

    @Test
    @Timeout(1200)
    @DisplayName(
            "SIGKILL of senders and schedulers during mail by SendGrid: nobody is lost, one request a place is in doubt")
    void killsDuringMailBySendGridLoseNobodyAndLeaveOneRequestAPlaceInDoubt() throws Exception {
        int before = mails.bySendGrid();
        Kills kills = new Kills(processes, mailings);

        Set<String> inDoubt = kills.during(AzureProcesses.SEND_GRID, Kills.MESSAGES);

        assertThat(mails.bySendGrid() - before).as("mails by SendGrid").isGreaterThan(Kills.READERS / 2);
        assertThat(inDoubt)
                .as("in doubt: the requests that a killed sender had in the air")
                .hasSizeLessThanOrEqualTo(kills.ofSenders() * AzureProcesses.LOTS_OF_A_SENDER * AzureProcesses.BATCH);
    }
}
