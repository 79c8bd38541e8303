package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks a sender with a journal that dies after an email was accepted and before the answer arrived. The sender that
 * hands the email over once more dies before it begins it. Its own journal reports that, but the email is still in
 * doubt.
 */
class JournaledSecondDeathTests {

    @TempDir
    private Path host;

    private JournaledCampaign campaign;
    private String doubted;

    @BeforeEach
    void diesTwice() {
        campaign = new JournaledCampaign(OnUnknown.RESEND, host);
        assertThat(campaign.diesWhen(() -> taken(campaign.transport.underWay()) == 1))
                .isTrue();
        doubted = campaign.transport.underWay();
        campaign.start(host, "boot");
        assertThat(campaign.diesWhen(() -> doubted.equals(campaign.transport.next())))
                .isTrue();
        campaign.start(host, "boot");
        assertThat(taken(doubted)).isEqualTo(1);
    }

    @Test
    @DisplayName("I2: nobody is handed over a third time, though the second time was not begun")
    void nobodyIsHandedOverAThirdTime() {
        assertThat(campaign.diesWhen(() -> taken(doubted) == 2)).isTrue();
        campaign.start(host, "boot");

        assertThat(campaign.end()).containsEntry(doubted, Outcome.UNKNOWN);
        assertThat(taken(doubted)).isEqualTo(2);
    }

    @Test
    @DisplayName("I2: recipients who were not begun the second time are handed over once more")
    void mailsThatWereNotBegunAreHandedOverOnceMore() {
        assertThat(campaign.end().values()).containsOnly(Outcome.SENT);
        assertThat(taken(doubted)).isEqualTo(2);
    }

    @Test
    @DisplayName("I2: nor does a sender on another host doubt them again after the next one has decided and died")
    void mailsThatWereNotBegunStayFreeOnAnotherHost(@TempDir Path elsewhere) {
        assertThat(campaign.diesPreparing()).isTrue();
        campaign.start(elsewhere, "boot");

        assertThat(campaign.end().values()).containsOnly(Outcome.SENT);
        assertThat(taken(doubted)).isEqualTo(2);
    }

    @Test
    @DisplayName("I2: recipients in doubt under resend stay so after a change to hold")
    void recipientsInDoubtAreHeldAfterAChange() {
        campaign.hold();

        assertThat(campaign.end()).containsEntry(doubted, Outcome.UNKNOWN);
        assertThat(campaign.transport.taken().values()).containsOnly(1);
    }

    private int taken(@Nullable String address) {
        return address == null ? 0 : campaign.transport.taken().getOrDefault(address, 0);
    }
}
