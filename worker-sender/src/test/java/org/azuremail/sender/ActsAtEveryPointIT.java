package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.azuremail.sender.ActsCampaign.Act;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks actions of people, each at every storage call of a campaign of another process: before the call takes effect,
 * and after it has taken effect but before its answer arrives. A single action is tried at every point, and pairs of
 * actions at points that a seed chooses ({@code -Dazuremail.test.combinations=N} tries N combinations for each pair).
 * Afterwards, I1 to I4 and I7 hold, no recipient is in doubt because no process died, and no rows are left over.
 */
class ActsAtEveryPointIT {

    private static final int COMBINATIONS = Integer.getInteger("azuremail.test.combinations", 6);

    @ParameterizedTest
    @EnumSource
    void anActAtEveryStorageCall(Act act) {
        long points = new ActsCampaign(List.of(act), List.of(Long.MAX_VALUE)).run();
        int done = 0;
        for (long point = 1; point <= points; point++) {
            ActsCampaign campaign = new ActsCampaign(List.of(act), List.of(point));
            try {
                campaign.run();
                campaign.check();
                done += campaign.done(act) ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(act + " at point " + point + " of " + points, e);
            }
        }
        System.out.printf("acts: %s at %d points, done at %d of them%n", act, points, done);
        assertThat(points).isGreaterThan(160);
        assertThat(done).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void anActAndThenAnotherOne(Act first) {
        long seed = Long.getLong("azuremail.test.seed", 20261122L);
        Random random = new Random(seed + first.ordinal());
        long points = new ActsCampaign(List.of(first), List.of(Long.MAX_VALUE)).run();
        for (Act second : Act.values()) {
            for (int i = 0; i < COMBINATIONS; i++) {
                long one = 1 + random.nextInt((int) points);
                long other = one + random.nextInt((int) points);
                ActsCampaign campaign = new ActsCampaign(List.of(first, second), List.of(one, other));
                try {
                    campaign.run();
                    campaign.check();
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(
                            "%s at point %d, then %s at %d; seed %d".formatted(first, one, second, other, seed), e);
                }
            }
        }
    }
}
