package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.mail.OnUnknown;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks every crash point. A campaign of two messages, with an unsubscription and a pause in the middle, runs once to
 * number its storage calls. Then it runs to the end once for each call and each way in which the call can go wrong, and
 * I1 to I4 and I7 are checked by the provider's own record. This covers E-3 to E-10 step by step: worker A and worker B
 * are stopped at every call.
 */
class CrashPointIT {

    @ParameterizedTest
    @CsvSource({
        "DIES_BEFORE, HOLD", "DIES_AFTER, HOLD", "FAILS, HOLD", "ANSWER_LOST, HOLD", "REPEATED, HOLD",
        "DIES_BEFORE, RESEND", "DIES_AFTER, RESEND", "FAILS, RESEND", "ANSWER_LOST, RESEND", "REPEATED, RESEND"
    })
    void everyStorageCallMayGoWrongOnce(Mode mode, OnUnknown onUnknown) {
        long calls = new CrashCampaign(Faults.none(), onUnknown).run().calls();
        for (long call = 1; call <= calls; call++) {
            String where = "at call " + call + " of " + calls + ", " + mode + ", " + onUnknown;
            check(where, mode, new CrashCampaign(null, onUnknown).withFault(mode, call));
            if (mode.dies()) {
                check(
                        where + ", known to be dead",
                        mode,
                        new CrashCampaign(null, onUnknown).knowingTheDead().withFault(mode, call));
            }
        }
        System.out.printf("crash points: %d calls, %s, %s%n", calls, mode, onUnknown);
        assertThat(calls).isGreaterThan(100);
    }

    /** These cases send a message to two lists that share people, or to a segment. */
    @ParameterizedTest
    @CsvSource({
        "true, DIES_BEFORE, HOLD", "true, DIES_AFTER, RESEND", "true, ANSWER_LOST, HOLD",
        "false, DIES_BEFORE, HOLD", "false, DIES_AFTER, RESEND", "false, ANSWER_LOST, HOLD"
    })
    void everyStorageCallMayGoWrongOnceWhoeverTheMessageGoesTo(boolean lists, Mode mode, OnUnknown onUnknown) {
        long calls = campaign(lists, Faults.none(), onUnknown).run().calls();
        for (long call = 1; call <= calls; call++) {
            String where = "at call " + call + " of " + calls + ", " + mode + ", " + onUnknown;
            check(where, mode, campaign(lists, null, onUnknown).withFault(mode, call));
        }
        assertThat(calls).isGreaterThan(100);
    }

    /**
     * An operator corrects the clock and restarts the service. It continues at once, although it has saved times of the
     * wrong clock.
     */
    @ParameterizedTest
    @ValueSource(ints = {-6, 6})
    void theClockMayHaveBeenWrongBeforeADeath(int hours) {
        long calls = new CrashCampaign(Faults.none(), OnUnknown.HOLD).run().calls();
        for (long call = 1; call <= calls; call++) {
            String where = "at call " + call + " of " + calls + ", " + hours + " h";
            check(
                    where,
                    Mode.DIES_BEFORE,
                    new CrashCampaign(null, OnUnknown.HOLD)
                            .knowingTheDead()
                            .withClockCorrectedAtDeath(Duration.ofHours(hours))
                            .withFault(Mode.DIES_BEFORE, call));
        }
        assertThat(calls).isGreaterThan(100);
    }

    /** An operator corrects the clock while the service runs. Every recipient gets one email, and none is in doubt. */
    @ParameterizedTest
    @ValueSource(ints = {-6, 6})
    void theClockMayBeCorrectedAtAnyStorageCall(int hours) {
        long calls = new CrashCampaign(Faults.none(), OnUnknown.HOLD).run().calls();
        for (int call = 1; call <= calls; call++) {
            CrashCampaign campaign = new CrashCampaign(Faults.none(), OnUnknown.HOLD)
                    .withClockCorrectedAtCall(Duration.ofHours(hours), call);
            check("at call " + call + " of " + calls + ", " + hours + " h", Mode.FAILS, campaign);
        }
        assertThat(calls).isGreaterThan(100);
    }

    private static CrashCampaign campaign(boolean lists, Faults faults, OnUnknown onUnknown) {
        CrashCampaign campaign = new CrashCampaign(faults, onUnknown);
        return lists ? campaign.toSeveralLists() : campaign.toASegment();
    }

    private static void check(String where, Faults.Mode mode, CrashCampaign campaign) {
        try {
            campaign.run();
            campaign.check(mode.dies());
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(where, e);
        }
    }
}
