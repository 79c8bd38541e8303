package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.azuremail.mail.OnUnknown;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What {@link CrashPointTests} leaves out: a death in each call of the transport, and two things that go wrong one after the
 * other, with another batch size and, half of them, another {@code on-unknown} after the first death. Two are sampled: {@code -Dazuremail.test.pairs=N} takes more of them,
 * {@code -Dazuremail.test.seed=N} the same ones again.
 */
class MoreCrashPointsIT {

    private static final int PAIRS = Integer.getInteger("azuremail.test.pairs", 1_500);

    @ParameterizedTest
    @EnumSource
    void aDeathInEveryCallOfTheTransport(OnUnknown onUnknown) {
        CrashCampaign whole = new CrashCampaign(Faults.none(), onUnknown);
        whole.run();
        for (int call = 1; call <= whole.handOvers(); call++) {
            for (boolean taken : new boolean[] {false, true}) {
                CrashCampaign campaign = new CrashCampaign(Faults.none(), onUnknown).withDeathInHandOver(call, taken);
                try {
                    campaign.run();
                    campaign.check(true);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("in hand-over " + call + ", taken " + taken + ", " + onUnknown, e);
                }
            }
        }
        System.out.printf("crash points: %d hand-overs, twice each, %s%n", whole.handOvers(), onUnknown);
        assertThat(whole.handOvers()).isGreaterThan(4);
    }

    @ParameterizedTest
    @EnumSource
    void twoThingsGoWrongOneAfterTheOther(OnUnknown onUnknown) {
        long seed = Long.getLong("azuremail.test.seed", 20261121L);
        Random random = new Random(seed);
        long calls = new CrashCampaign(Faults.none(), onUnknown).run().calls();
        for (int pair = 0; pair < PAIRS; pair++) {
            Mode first = random.nextBoolean() ? Mode.DIES_BEFORE : Mode.DIES_AFTER;
            long firstCall = 1 + random.nextInt((int) calls);
            Mode then = Mode.values()[random.nextInt(Mode.values().length)];
            long thenCall = 1 + random.nextInt((int) calls);
            int lots = 1 + random.nextInt(8);
            OnUnknown afterwards = OnUnknown.values()[random.nextInt(OnUnknown.values().length)];
            CrashCampaign campaign = new CrashCampaign(Faults.none(), onUnknown)
                    .withFault(first, firstCall)
                    .withSecondFault(then, thenCall)
                    .withLotsAfterDeath(lots);
            if (afterwards != onUnknown) {
                campaign.withOnUnknownAfterDeath(afterwards);
            }
            try {
                campaign.run();
                campaign.check(true);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "pair %d of seed %d: %s at %d, then %s at %d with lots of %d, %s then %s"
                                .formatted(pair, seed, first, firstCall, then, thenCall, lots, onUnknown, afterwards),
                        e);
            }
        }
        System.out.printf("crash points: %d pairs of %d calls, seed %d, %s%n", PAIRS, calls, seed, onUnknown);
        assertThat(calls).isGreaterThan(100);
    }
}
