package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.mail.OnUnknown;
import org.azuremail.sender.DeathCampaign.Scope;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks deaths in a simulation of two schedulers and two senders. Each process dies after each of its storage calls,
 * either alone while the others continue, or together with all others, which are then replaced. A build tries a third
 * of these deaths, different ones for each kind. {@code -Dazuremail.test.every=1} tries all, and
 * {@code -Dazuremail.test.deaths=N} interleaves the processes in N ways, as infra/prove does.
 */
class DeathAmongOthersIT {

    private static final int SEEDS = Integer.getInteger("azuremail.test.deaths", 1);

    /** The step between the deaths that are tried; 1 tries all. */
    private static final int EVERY = Integer.getInteger("azuremail.test.every", 3);

    @ParameterizedTest
    @CsvSource({"ONE, HOLD", "ALL, HOLD", "ONE, RESEND", "ALL, RESEND"})
    void everyProcessMayDieAtEveryStorageCall(Scope scope, OnUnknown onUnknown) throws Exception {
        int points = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            DeathCampaign whole = new DeathCampaign(seed, onUnknown, scope).run(-1, -1);
            whole.check();
            for (int victim = 0; victim < DeathCampaign.PROCESSES; victim++) {
                long first = 1 + (2 * scope.ordinal() + onUnknown.ordinal() + victim + seed) % EVERY;
                for (long call = first; call <= whole.calls(victim); call += EVERY) {
                    dies(seed, onUnknown, scope, victim, call);
                    points++;
                }
            }
        }
        System.out.printf("deaths among others: %d points, %s, %s%n", points, scope, onUnknown);
        assertThat(points).isGreaterThan(200 / EVERY);
    }

    private static void dies(long seed, OnUnknown onUnknown, Scope scope, int victim, long call) {
        DeathCampaign campaign = new DeathCampaign(seed, onUnknown, scope);
        try {
            campaign.run(victim, call);
            assertThat(campaign.died()).as("somebody died").isTrue();
            campaign.check();
        } catch (AssertionError | Exception e) {
            System.out.println(campaign.trace());
            throw new AssertionError(
                    "process %d dies after its call %d, %s, %s, seed %d"
                            .formatted(victim, call, scope, onUnknown, seed),
                    e);
        }
    }
}
