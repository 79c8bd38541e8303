package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that are killed during messages: the records are compared with the provider's own count, recipient by recipient. */
class AzuriteKillsIT extends OnAzurite {

    @Test
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
