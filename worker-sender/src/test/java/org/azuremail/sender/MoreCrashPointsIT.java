package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.azuremail.mail.OnUnknown;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks the crash points that {@link CrashPointIT} leaves out: a death in each call of the transport, and pairs of
 * faults, with another batch size and, in half of the cases, another {@code on-unknown} after the first death. Pairs
 * are sampled: {@code -Dazuremail.test.pairs=N} tries more of them, {@code -Dazuremail.test.seed=N} the same ones
 * again. A second death after a lapsed lot is not sampled: it is tried at each of the calls that {@code EVERY} selects.
 */
class MoreCrashPointsIT {

    /** The step between the second deaths that are tried; 1 tries all, as infra/prove does. */
    private static final int EVERY = Integer.getInteger("azuremail.test.every", 3);

    private static final int PAIRS = Integer.getInteger("azuremail.test.pairs", 400);

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

    /** In half of the cases, the process that follows dies, too, at one of its first calls. */
    @ParameterizedTest
    @EnumSource
    void aSenderThatTakesOverALapsedLotDiesAtEveryCallFromThenOn(OnUnknown onUnknown) {
        Random random = new Random(20261122L);
        long calls = new CrashCampaign(Faults.none(), onUnknown).run().calls();
        long walked = 0;
        for (long firstCall = 1; firstCall <= calls; firstCall++) {
            CrashCampaign once = new CrashCampaign(Faults.none(), onUnknown)
                    .withFault(Mode.DIES_AFTER, firstCall)
                    .withSecondFault(Mode.FAILS, Long.MAX_VALUE);
            once.run();
            long max = once.diedInHanding() ? once.callsOfTheSecond() : 0;
            for (long secondCall = 1 + firstCall % EVERY; secondCall <= max; secondCall += EVERY) {
                walked++;
                Mode mode = random.nextBoolean() ? Mode.DIES_AFTER : Mode.DIES_BEFORE;
                int thirdCall = random.nextInt(120);
                CrashCampaign campaign = new CrashCampaign(Faults.none(), onUnknown)
                        .withFault(Mode.DIES_AFTER, firstCall)
                        .withSecondFault(mode, secondCall)
                        .withThirdFault(Mode.DIES_AFTER, thirdCall < 60 ? thirdCall : Long.MAX_VALUE);
                try {
                    campaign.run();
                    campaign.check(true);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(
                            "death at %d, then %s at %d, then at %d, %s"
                                    .formatted(firstCall, mode, secondCall, thirdCall, onUnknown),
                            e);
                }
            }
        }
        System.out.printf("crash points: %d second deaths after a lot lapsed, %s%n", walked, onUnknown);
        assertThat(walked).isGreaterThan(500 / EVERY);
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
