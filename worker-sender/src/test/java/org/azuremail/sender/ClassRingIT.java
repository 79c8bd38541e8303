package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that no recipient gets a message twice or is lost when any call of a campaign of three classes goes wrong. One
 * class is suspended meanwhile.
 */
class ClassRingIT {

    @ParameterizedTest
    @EnumSource(Mode.class)
    void p2_p3_everyStorageCallOfThreeClassesMayGoWrongOnce(Mode mode) {
        ClassCampaign whole = new ClassCampaign(Faults.none());
        long calls = whole.run().calls();
        whole.check();
        for (long call = 1; call <= calls; call++) {
            try {
                ClassCampaign campaign = new ClassCampaign(Faults.none()).withFault(mode, call);
                campaign.run();
                campaign.check();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("at call " + call + " of " + calls + ", " + mode, e);
            }
        }
        System.out.printf("class ring: %d calls, %s%n", calls, mode);
        assertThat(calls).isGreaterThan(100);
    }
}
