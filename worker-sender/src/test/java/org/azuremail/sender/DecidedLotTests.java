package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks a sender with a journal that dies after it announced a lot and before it began the first email. The next
 * sender on that host knows that no recipient is in doubt, and records that in R.
 */
class DecidedLotTests {

    @Test
    void recipientsWhomTheJournalClearedAreNotInDoubtOnAnotherHost(@TempDir Path host, @TempDir Path elsewhere) {
        JournaledCampaign campaign = new JournaledCampaign(OnUnknown.HOLD, host, 4, 1);
        assertThat(campaign.diesWhen(() -> campaign.transport.next() != null)).isTrue();
        assertThat(campaign.transport.taken()).isEmpty();
        campaign.start(host, "boot");
        assertThat(campaign.diesPreparing()).isTrue();
        campaign.start(elsewhere, "boot");

        assertThat(campaign.end().values()).containsOnly(Outcome.SENT);
        assertThat(campaign.transport.taken().values()).containsOnly(1);
    }
}
