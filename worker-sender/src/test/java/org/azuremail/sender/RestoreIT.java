package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks a campaign that is backed up at each of its storage calls, runs to its end, and is restored and resumed. I1 to
 * I3 and I7 hold by the provider's own record, which no restore changes.
 */
class RestoreIT {

    @ParameterizedTest
    @EnumSource(OnUnknown.class)
    void aBackupMayBeMadeAtAnyStorageCall(OnUnknown onUnknown) {
        long calls = new RestoreCampaign(onUnknown).calls();
        for (long call = 1; call <= calls; call++) {
            try {
                RestoreCampaign campaign = new RestoreCampaign(onUnknown).backedUpAt(call);
                campaign.reckon();
                campaign.assertNothingMovesByItself();
                campaign.toTheEnd();
                campaign.check();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("backed up at call " + call + " of " + calls + ", " + onUnknown, e);
            }
        }
        System.out.printf("restores: %d calls, %s%n", calls, onUnknown);
        assertThat(calls).isGreaterThan(300);
    }

    @ParameterizedTest
    @CsvSource({
        "DIES_BEFORE, HOLD", "DIES_AFTER, HOLD", "FAILS, HOLD", "ANSWER_LOST, HOLD", "REPEATED, HOLD",
        "DIES_BEFORE, RESEND", "DIES_AFTER, RESEND", "FAILS, RESEND", "ANSWER_LOST, RESEND", "REPEATED, RESEND"
    })
    void theRestoreItselfMayBreakOffAnywhere(Mode mode, OnUnknown onUnknown) {
        long calls = new RestoreCampaign(onUnknown).calls();
        for (int part = 1; part < 4; part++) {
            long backup = part * calls / 4;
            long fault = 1;
            while (breaksOffAt(backup, fault, mode, onUnknown)) {
                fault++;
            }
            assertThat(fault).isGreaterThan(20);
        }
    }

    /** Returns false if the restore needs fewer calls. */
    private static boolean breaksOffAt(long backup, long call, Mode mode, OnUnknown onUnknown) {
        RestoreCampaign campaign = new RestoreCampaign(onUnknown).backedUpAt(backup);
        Faults faults = new Faults(mode, call, () -> {});
        try {
            campaign.world.restart(faults);
            reckonAgainAndAgain(campaign);
            campaign.assertNothingMovesByItself();
            campaign.toTheEnd();
            campaign.check();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(mode + " at call " + call + " after a backup at " + backup + ", " + onUnknown, e);
        }
        return faults.calls() >= call;
    }

    /** Starts processes until one has handled the restored backup. */
    private static void reckonAgainAndAgain(RestoreCampaign campaign) {
        for (int start = 0; campaign.mark.madeAt().isPresent(); start++) {
            assertThat(start).isLessThan(3);
            try {
                campaign.reckon();
            } catch (StorageException | ProcessDied e) {
                campaign.world.restart();
            }
        }
        campaign.world.restart();
    }

    @ParameterizedTest
    @EnumSource(OnUnknown.class)
    void aSecondProcessThatIsSlowToReckonUndoesNothing(OnUnknown onUnknown) {
        long calls = new RestoreCampaign(onUnknown).calls();
        for (int part = 1; part < 4; part++) {
            int at = 1;
            while (anotherProcessGoesOnBefore(part * calls / 4, at, onUnknown)) {
                at++;
            }
            assertThat(at).isGreaterThan(20);
        }
    }

    private static boolean anotherProcessGoesOnBefore(long backup, int at, OnUnknown onUnknown) {
        RestoreCampaign campaign = new RestoreCampaign(onUnknown).backedUpAt(backup);
        AtomicInteger calls = new AtomicInteger();
        SimulatedProcess slow = campaign.world.process;
        campaign.world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (calls.incrementAndGet() == at) {
                    campaign.world.storage.hook(CallHook.NONE);
                    campaign.world.restart();
                    campaign.reckon();
                    campaign.resumeAll();
                    campaign.world.process.turn();
                }
            }
        });
        slow.restoreGuard(new RestoreMark(campaign.mark.madeAt())).afterSingletonsInstantiated();
        boolean interrupted = calls.get() >= at;
        try {
            campaign.world.storage.hook(CallHook.NONE);
            if (interrupted) {
                assertThat(campaign.messages.values())
                        .as("what was resumed stays so")
                        .noneMatch(ref -> paused(campaign.world.find(ref)));
                campaign.toTheEnd();
                campaign.check();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("before call " + at + " after a backup at " + backup + ", " + onUnknown, e);
        }
        return interrupted;
    }

    private static boolean paused(Message message) {
        return message.paused();
    }
}
