package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.sender.OutageCampaign.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks a storage that becomes unreachable for all processes at once, at every storage call of a campaign, for less
 * and for more than a lease with its margin. No process dies, so no recipient is in doubt.
 * {@code -Dazuremail.test.outage.seeds=N} interleaves the processes in N ways.
 * {@code -Dazuremail.test.outage.seed=N -Dazuremail.test.outage.point=N} runs one point and prints its trace.
 */
class StorageOutageIT {

    private static final long SEEDS = Long.getLong("azuremail.test.outage.seeds", 3);
    private static final long SEED = Long.getLong("azuremail.test.outage.seed", 0);
    private static final long ONE = Long.getLong("azuremail.test.outage.point", 0);

    @ParameterizedTest
    @CsvSource({"PT20S, REFUSES", "PT20S, IS_SILENT", "PT2M, REFUSES", "PT2M, IS_SILENT"})
    void e22_anOutageAtAnyStorageCallLeavesNobodyInDoubt(Duration length, Kind kind) throws Exception {
        List<AssertionError> broken = new ArrayList<>();
        long points = 0;
        for (long seed = SEED > 0 ? SEED : 1; seed <= (SEED > 0 ? SEED : SEEDS); seed++) {
            long calls = new OutageCampaign(seed, 0, length, kind).run().calls();
            for (long call = ONE > 0 ? ONE : 1; call <= (ONE > 0 ? ONE : calls); call++) {
                run(seed, call, length, kind, broken);
                points++;
            }
            assertThat(calls).isGreaterThan(100);
        }
        System.out.printf("outages: %s, %s, %d points%n", length, kind, points);
        if (!broken.isEmpty()) {
            throw new AssertionError(broken.size() + " points fail; the first:", broken.get(0));
        }
    }

    private static void run(long seed, long call, Duration length, Kind kind, List<AssertionError> broken) {
        OutageCampaign campaign = new OutageCampaign(seed, call, length, kind);
        try {
            campaign.run();
        } catch (AssertionError | Exception e) {
            if (ONE > 0) {
                System.out.println(campaign.trace());
            }
            String point =
                    "-Dazuremail.test.outage.seed=%d -Dazuremail.test.outage.point=%d repeats it".formatted(seed, call);
            broken.add(new AssertionError(point, e));
        }
    }
}
