package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.web.process.Mailings.Mailing;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that share their work: the records are compared with the provider's own count, recipient by recipient. */
class AzuriteProcessesIT extends OnAzurite {

    private static final int SIGTERM_EXIT = 143;

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
}
