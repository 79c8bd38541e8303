package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.azuremail.sender.ActsCampaign.Act;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks actions of people, each put at every storage call of a campaign by another process: before the call takes effect, and
 * when it has taken effect and its answer is not heard yet. One action alone comes at every point, and two of them at points
 * that a seed chooses ({@code -Dazuremail.test.combinations=N} takes more of them for each two). Afterwards I1 to I4 and I7
 * hold, nobody is in doubt since no process died, and nothing is left over.
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
