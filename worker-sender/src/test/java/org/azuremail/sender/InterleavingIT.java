package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Two schedulers and three senders, one of them with two threads, are interleaved by a seed at every storage call, reading
 * of a clock, rate token and transport call; items come twice, late and out of order, leases lapse under live holders, and
 * clocks are up to a minute apart. {@code -Dazuremail.test.seeds=N} runs so many seeds, {@code -Dazuremail.test.seed=N}
 * one, with its trace.
 */
class InterleavingIT {

    private static final long SEEDS = Long.getLong("azuremail.test.seeds", 2_000);
    private static final long ONE = Long.getLong("azuremail.test.seed", -1);

    private long steps;
    private long takenOver;
    private long lapsedLots;
    private long freezes;

    @Test
    void everyPromiseHoldsInWhateverOrderThingsHappen() {
        long first = ONE >= 0 ? ONE : 1;
        long last = ONE >= 0 ? ONE : SEEDS;
        for (long seed = first; seed <= last; seed++) {
            run(seed);
        }
        System.out.printf(
                "interleavings: %d seeds, %d steps, %d freezes, %d ranges taken over, %d lots lapsed%n",
                last - first + 1, steps, freezes, takenOver, lapsedLots);
        if (last - first >= 500) {
            assertThat(takenOver).as("ranges taken over").isGreaterThan(100);
            assertThat(lapsedLots).as("lots that lapsed").isGreaterThan(100);
        }
    }

    private void run(long seed) {
        InterleavedCampaign campaign = new InterleavedCampaign(seed);
        try {
            campaign.run();
        } catch (AssertionError | Exception e) {
            System.out.println(campaign.baton().trace());
            throw new AssertionError("seed " + seed + "; -Dazuremail.test.seed=" + seed + " repeats it", e);
        }
        steps += campaign.baton().steps();
        freezes += campaign.baton().freezes();
        takenOver += campaign.witness().takenOver();
        lapsedLots += campaign.witness().lapsedLots();
    }
}
